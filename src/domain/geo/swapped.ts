import type { Coordinates } from './geo.ts';

/**
 * A hint that follows the refusal of places which would fit if the latitude and longitude of one of them were swapped. Empty
 * otherwise.
 * @param fit says whether such places would not be refused
 */
export function hintAtSwap(places: readonly Coordinates[], fit: (places: readonly Coordinates[]) => boolean): string {
  const isSwapped = places.some(
    ({ lat, lng }, index) => Math.abs(lng) <= 90 && fit(places.with(index, { lat: lng, lng: lat })),
  );
  const which = places.length > 1 ? ' of one place' : '';
  return isSwapped ? ` It would fit if \`lat\` and \`lng\`${which} were swapped.` : '';
}
