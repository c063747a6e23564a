import type { Courier } from '../../../domain/couriers/courier.ts';
import { distanceM, type Coordinates } from '../../../domain/geo/geo.ts';
import { lengthM, placeAlong } from '../../../domain/geo/lines.ts';
import { decodePolyline } from '../../../domain/geo/polyline.ts';
import type { Context } from '../../../ports/context.ts';

/** The way of a robo-courier to a place, and how much of it is done. */
export type Drive = { readonly to: Coordinates; readonly line: readonly Coordinates[]; readonly doneM: number };

/** Nearer places are reached in a straight line, metres. */
const LEAST_M = 50;

/**
 * Drives a part of the rest of the way to a place: along streets if the server knows them, or else straight. A way that is
 * under way stays, and otherwise a new one begins at `from`. Returns the place that is reached.
 * @param share from 0 to 1, where 1 reaches the place
 */
export async function driveOn(
  { streets }: Pick<Context, 'streets'>,
  robo: { readonly courier: Pick<Courier, 'vehicleType'>; drive: Drive | null },
  from: Coordinates,
  to: Coordinates,
  share: number,
): Promise<Coordinates> {
  const underWay = robo.drive !== null && distanceM(robo.drive.to, to) === 0 ? robo.drive : null;
  const { line, doneM } = underWay ?? { line: await findLine(), doneM: 0 };
  const reachedM = doneM + share * (lengthM(line) - doneM);
  robo.drive = { to, line, doneM: reachedM };
  return placeAlong(line, reachedM);

  async function findLine(): Promise<Coordinates[]> {
    const isNear = distanceM(from, to) < LEAST_M;
    const route = isNear ? null : await streets.route([from, to], robo.courier.vehicleType);
    return [from, ...(route?.legs ?? []).flatMap(({ polyline }) => decodePolyline(polyline)), to];
  }
}
