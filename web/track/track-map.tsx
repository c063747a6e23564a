import { useSignal, useSignalEffect, type Signal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import { Icon } from '../shared/icons.tsx';
import { NoMap } from '../shared/no-map.tsx';
import { useMap } from '../shared/use-map.ts';
import type { Following } from './follow.ts';
import type { CourierMap } from './courier-map.tsx';
import { isStale, showsCourier } from './saying.ts';
import { WORDS } from './words.ts';

/** The map. It is loaded last, and the page is complete without it. */
export function TrackMap({ following, now }: { following: Following; now: Signal<number> }) {
  const container = useRef<HTMLDivElement>(null);
  const isMoved = useSignal(false);
  const { map, lack, loadAgain } = useMap(container, following.connection, (place) => open(place, following, isMoved));
  useSignalEffect(() => {
    const fix = following.fix.value;
    map.value?.show(following.delivery.value);
    map.value?.showPickup(!showsCourier(following.delivery.value));
    map.value?.moveCourier(fix, fix !== null && isStale(fix.at, now.value));
  });
  return (
    <>
      <section class="map-frame" aria-label={WORDS.mapPart} hidden={lack.value !== null}>
        <div class="map" ref={container} />
        {isMoved.value && (
          <button type="button" class="recentre" onClick={() => map.value?.recentre()}>
            <Icon name="target" label={WORDS.recentre} />
          </button>
        )}
      </section>
      <NoMap lack={lack} loadAgain={loadAgain} place={container} words={WORDS.mapLack} />
    </>
  );
}

async function open(container: HTMLElement, { delivery }: Following, isMoved: Signal<boolean>): Promise<CourierMap> {
  const { openCourierMap } = await import('./courier-map.tsx');
  return openCourierMap(container, delivery.value, (moved) => {
    isMoved.value = moved;
  });
}
