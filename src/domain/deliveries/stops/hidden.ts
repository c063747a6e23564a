import { distanceM, type Coordinates } from '../../geo/geo.ts';
import { isStopEnded, type Stop } from './stop.ts';

/**
 * So far around the drop-off of another recipient, a recipient sees neither the courier nor the way to their own drop-off,
 * metres in a straight line.
 */
export const HIDDEN_M = 200;

type DropOff = Pick<Stop, 'index' | 'state' | 'place'>;

/** The drop-offs where the courier has been before they come to this one. A courier beside one shows who lives there. */
export function hiddenPlaces(dropOffs: readonly DropOff[], own: number): Coordinates[] {
  return dropOffs.filter((stop) => stop.index !== own && isStopEnded(stop)).map(({ place }) => place);
}

/** Says whether a place is so near to one of the hidden ones that it stays unseen. */
export function isHidden(at: Coordinates, hidden: readonly Coordinates[]): boolean {
  return hidden.some((place) => distanceM(at, place) <= HIDDEN_M);
}
