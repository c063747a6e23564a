// The ways of couriers from stop to stop: straight at the speed of the day, or along streets with a time that nobody knows.
import { createHash } from 'node:crypto';
import { distanceM, type Coordinates } from '../../../src/domain/geo/geo.ts';
import type { FindRoute } from '../../clients/routes.ts';
import { createRandom } from '../../random.ts';

/** A way to a stop; times in ms of service time. The courier looks for a place to park at its end. */
export type Way = {
  readonly line: readonly Coordinates[];
  readonly rideMs: number;
  readonly parkingMs: number;
  /** How much longer ride and parking take than typical ones on this way; negative if shorter. Nobody can expect it. */
  readonly luckMs: number;
};

/** Finds a way. `leg` is the name of the leg: the same one in each run of a day. */
export type FindWay = (from: Coordinates, to: Coordinates, leg: string) => Promise<Way>;

/** Rides take longer than routing servers say, because of traffic, lights and weather. */
const FACTOR = { median: 1.3, sigma: 0.2 };
const PARKING_MS = { least: 10_000, most: 30_000, median: 20_000 };

/** Straight ways at this speed, without parking. */
export function straightWays(metresPerMin: number): FindWay {
  return (from, to) =>
    Promise.resolve({
      line: [from, to],
      rideMs: (distanceM(from, to) / metresPerMin) * 60_000,
      parkingMs: 0,
      luckMs: 0,
    });
}

/**
 * Ways along streets. A ride takes the time of its route times a hidden factor, and parking follows.
 * @param otherwise gives the way if there is no route
 */
export function streetWays(findRoute: FindRoute, seed: number, otherwise: FindWay): FindWay {
  return async (from, to, leg) => {
    const route = await findRoute(from, to);
    if (route === null) return otherwise(from, to, leg);
    const { factor, parkingMs } = fateOf(seed, leg);
    const routeMs = route.seconds * 1000;
    const luckMs = routeMs * (factor - FACTOR.median) + parkingMs - PARKING_MS.median;
    return { line: [from, ...route.line, to], rideMs: routeMs * factor, parkingMs, luckMs };
  };
}

/** The fate of a leg. It depends on the seed and the leg alone, so that runs of the same day can be compared. */
export function fateOf(seed: number, leg: string): { readonly factor: number; readonly parkingMs: number } {
  const random = createRandom(createHash('sha256').update(`${seed} ${leg}`).digest().readUInt32BE());
  return {
    factor: random.logNormal(FACTOR.median, FACTOR.sigma),
    parkingMs: random.between(PARKING_MS.least, PARKING_MS.most),
  };
}
