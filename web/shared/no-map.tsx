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
  return (
    <p class="map-missing" role="status" tabIndex={-1} ref={note}>
      {words[why]} {why === 'not-loaded' && <Again label={words.again} loadAgain={loadAgain} />}
    </p>
  );
}

/** The button goes when the map is loaded again, by itself too. Its focus then moves to the sentence around it. */
function Again({ label, loadAgain }: { readonly label: string; readonly loadAgain: () => void }) {
  const button = useRef<HTMLButtonElement>(null);
  useLayoutEffect(() => {
    const shown = button.current;
    return () => {
      if (document.activeElement === shown) shown?.closest('p')?.focus();
    };
  }, []);
  return (
    <button type="button" class="link-button" ref={button} onClick={loadAgain}>
      {label}
    </button>
  );
}
