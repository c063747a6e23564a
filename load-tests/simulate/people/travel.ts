import type { Point } from '../../day/day.ts';
import { courseAt, legAlong, placeAt, standing } from './motion.ts';
import type { Located } from './pings.ts';
import type { World } from './world.ts';

/** A courier on the road. */
export type Travel = {
  /** Where the phone is now. */
  readonly locate: () => Located;
  /** Sets off on a leg of this name. Resolves when the courier has parked, with the metres of the way. */
  readonly drive: (to: Point, leg: string) => Promise<number>;
};

const ACCURACY_M = 8;

/** A courier who stands at a point of the day. */
export function startTravel({ time, place, findWay }: Pick<World, 'time' | 'place' | 'findWay'>, from: Point): Travel {
  let leg = standing(place(from));
  return {
    locate: () => {
      const at = Math.round(time.now());
      return { at, ...placeAt(leg, at), accuracyM: ACCURACY_M, ...courseAt(leg, at) };
    },
    drive: async (to, name) => {
      const { line, rideMs, parkingMs } = await findWay(placeAt(leg, time.now()), place(to), name);
      leg = legAlong(line, rideMs, time.now());
      await time.until(leg.endAt + parkingMs);
      return leg.lengthM;
    },
  };
}
