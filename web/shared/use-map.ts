import { untracked, useSignal, useSignalEffect, type ReadonlySignal } from '@preact/signals';
import type { RefObject } from 'preact';
import type { Connection } from './connect.ts';
import { hasWebGl } from './web-gl.ts';

/** Why a page has no map: the browser cannot draw one, a file of it did not arrive, or it is just loaded again. */
export type MapLack = 'no-webgl' | 'not-loaded' | 'loading-again';

export type PageMap<View> = {
  readonly map: ReadonlySignal<View | null>;
  /** Null while the page has a map, or loads it for the first time. */
  readonly lack: ReadonlySignal<MapLack | null>;
  readonly loadAgain: () => void;
};

/**
 * The map of a page, which is loaded last. A map that could not be loaded is loaded again when the reader asks for it, and when
 * the connection is live again. The map is closed with the component.
 */
export function useMap<View extends { close(): void }>(
  container: RefObject<HTMLElement | null>,
  connection: ReadonlySignal<Connection>,
  open: (container: HTMLElement) => Promise<View>,
): PageMap<View> {
  const map = useSignal<View | null>(null);
  const lack = useSignal<MapLack | null>(null);
  const loads = useSignal(0);
  const loadAgain = (): void => {
    if (lack.peek() !== 'not-loaded') return;
    lack.value = 'loading-again';
    loads.value += 1;
  };
  useSignalEffect(() => {
    void loads.value;
    const place = container.current;
    if (place === null) return undefined;
    if (!hasWebGl()) {
      lack.value = 'no-webgl';
      return undefined;
    }
    let isGone = false;
    const show = (opened: View): void => {
      if (isGone) return opened.close();
      lack.value = null;
      map.value = opened;
    };
    untracked(() => open(place)).then(show, () => {
      if (!isGone) lack.value = 'not-loaded';
    });
    return () => {
      isGone = true;
      map.peek()?.close();
      map.value = null;
    };
  });
  useSignalEffect(() => {
    if (connection.value === 'live') untracked(loadAgain);
  });
  return { map, lack, loadAgain };
}
