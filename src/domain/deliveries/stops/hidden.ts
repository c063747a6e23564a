import { distanceM, isSamePlace, type Coordinates } from '../../geo/geo.ts';
import { isStopEnded, type Stop } from './stop.ts';

/**
 * Radius around the drop-off of another recipient, metres in a straight line. A recipient sees neither the courier nor the
 * line of the way inside it.
 */
export const HIDDEN_M = 200;

type DropOff = Pick<Stop, 'index' | 'state' | 'place'>;

/** The drop-offs of a delivery where the courier has been before they come to this one. */
export function placesBefore(dropOffs: readonly DropOff[], own: number): Coordinates[] {
  return dropOffs.filter((stop) => stop.index !== own && isStopEnded(stop)).map(({ place }) => place);
}

/**
 * Says whether a courier at this place is hidden from the recipient of the drop-off `own`: they are beside the drop-off of
 * another recipient, which would show who lives there. Beside their own drop-off, recipients see the courier.
 */
export function isHidden(at: Coordinates, own: Coordinates, others: readonly Coordinates[]): boolean {
  return others.some(
    (place) => distanceM(at, place) <= Math.min(HIDDEN_M, distanceM(at, own)) && !isSamePlace(place, own),
  );
}
