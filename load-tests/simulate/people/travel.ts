import type { Point } from '../../day/day.ts';
import { courseAt, legAlong, placeAt, standing } from './motion.ts';
import type { Located } from './pings.ts';
import type { World } from './world.ts';

/** A courier on the road. */
export type Travel = {
  /** Where the phone is now. */
  readonly locate: () => Located;
  /** Sets off on a leg of this name. Resolves when the courier has parked. */
  readonly drive: (to: Point, leg: string) => Promise<Driven>;
};

/** The length of a way that a courier has driven, and the part of its time that nobody could expect. */
export type Driven = { readonly metres: number; readonly luckMs: number };

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
      const { line, rideMs, parkingMs, luckMs } = await findWay(placeAt(leg, time.now()), place(to), name);
      leg = legAlong(line, rideMs, time.now());
      await time.until(leg.endAt + parkingMs);
      return { metres: leg.lengthM, luckMs };
    },
  };
}
