import type { MapLack, PageMap } from './use-map.ts';

type Props = Pick<PageMap<unknown>, 'lack' | 'loadAgain'> & {
  readonly words: Readonly<Record<MapLack | 'again', string>>;
};

/** Says why there is no map, and offers to load it again if that can help. */
export function NoMap({ lack: { value: lack }, loadAgain, words }: Props) {
  if (lack === null) return null;
  return (
    <p class="map-missing" role="status">
      {words[lack]}{' '}
      {lack !== 'no-webgl' && (
        <button type="button" class="link-button" onClick={loadAgain}>
          {words.again}
        </button>
      )}
    </p>
  );
}
