import type { RefObject } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { MapLack, PageMap } from './use-map.ts';

type Props = Pick<PageMap<unknown>, 'lack' | 'loadAgain'> & {
  readonly words: Readonly<Record<MapLack | 'again', string>>;
  /** The place of the map, which gets the focus when the map comes. */
  readonly place: RefObject<HTMLElement | null>;
};

/** Says why there is no map, and offers to load it again if that can help. */
export function NoMap({ lack, ...rest }: Props) {
  return lack.value === null ? null : <Note why={lack.value} {...rest} />;
}

function Note({ why, loadAgain, words, place }: Omit<Props, 'lack'> & { readonly why: MapLack }) {
  const note = useRef<HTMLParagraphElement>(null);
  useLayoutEffect(() => {
    const shown = note.current;
    return () => {
      if (shown?.contains(document.activeElement) === true) place.current?.querySelector('canvas')?.focus();
    };
  }, []);
  const press = (): void => {
    // The button goes with the press, and the focus would go with it.
    note.current?.focus();
    loadAgain();
  };
  return (
    <p class="map-missing" role="status" tabIndex={-1} ref={note}>
      {words[why]}{' '}
      {why === 'not-loaded' && (
        <button type="button" class="link-button" onClick={press}>
          {words.again}
        </button>
      )}
    </p>
  );
}
