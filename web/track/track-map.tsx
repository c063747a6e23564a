import { useSignal, useSignalEffect, type Signal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { Icon } from '../shared/icons.tsx';
import { hasWebGl } from '../shared/web-gl.ts';
import type { Following } from './follow.ts';
import type { CourierMap } from './courier-map.tsx';
import { showsCourier } from './saying.ts';
import { WORDS } from './words.ts';

/** Age in seconds from which a position is grey. */
const STALE_S = 60;

/** The map. It is loaded last, and the page is complete without it. */
export function TrackMap({ following, now }: { following: Following; now: Signal<number> }) {
  const container = useRef<HTMLDivElement>(null);
  const map = useSignal<CourierMap | null>(null);
  const isMoved = useSignal(false);
  /** Why there is no map; null while there may be one. */
  const missing = useSignal<string | null>(null);
  useEffect(() => {
    let isGone = false;
    if (!hasWebGl()) missing.value = WORDS.mapMissing;
    else {
      open(container.current, following, isMoved).then(
        (opened) => {
          if (isGone) opened?.close();
          else map.value = opened;
        },
        () => {
          missing.value = WORDS.mapNotLoaded;
        },
      );
    }
    return () => {
      isGone = true;
      map.value?.close();
    };
  }, []);
  useSignalEffect(() => {
    const fix = following.fix.value;
    map.value?.show(following.delivery.value);
    map.value?.showPickup(!showsCourier(following.delivery.value));
    map.value?.moveCourier(fix, fix !== null && (now.value - fix.at) / 1000 > STALE_S);
  });
  if (missing.value !== null) return <p class="map-missing">{missing.value}</p>;
  return (
    <section class="map-frame" aria-label={WORDS.mapPart}>
      <div class="map" ref={container} />
      {isMoved.value && (
        <button type="button" class="recentre" onClick={() => map.value?.recentre()}>
          <Icon name="target" label={WORDS.recentre} />
        </button>
      )}
    </section>
  );
}

async function open(
  container: HTMLElement | null,
  { delivery }: Following,
  isMoved: Signal<boolean>,
): Promise<CourierMap | null> {
  if (container === null) return null;
  const { openCourierMap } = await import('./courier-map.tsx');
  return openCourierMap(container, delivery.value, (moved) => {
    isMoved.value = moved;
  });
}
