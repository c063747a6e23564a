import { distanceM, type Coordinates } from './geo.ts';
import type { Stop } from './stop.ts';

type Located = Pick<Stop, 'place'>;

/** Another order than the listed one must be shorter by more than this. */
const WORTH_M = 1;

/**
 * The doors of a delivery in the order in which they are visited: the one with the shortest way from the pickup along all
 * of them. A sender who names a window at a door has thought of the clock: then the order stays as it was listed.
 */
export function orderVisits<Door extends Pick<Stop, 'place' | 'window'>>(
  pickup: Coordinates,
  listed: readonly Door[],
): readonly Door[] {
  if (listed.length < 2 || listed.some(({ window }) => window !== null)) return listed;
  const shortest = shortestOrder(pickup, listed);
  return lengthOf(pickup, listed) - lengthOf(pickup, shortest) > WORTH_M ? shortest : listed;
}

/** Stops in the order in which they are visited. */
export function byVisit<S extends Pick<Stop, 'visit'>>(stops: readonly S[]): S[] {
  return stops.toSorted((a, b) => a.visit - b.visit);
}

function lengthOf(from: Coordinates, doors: readonly Located[]): number {
  const way = [from, ...doors.map(({ place }) => place)];
  return way.reduce((sum, place, index) => (index === 0 ? 0 : sum + distanceM(way[index - 1]!, place)), 0);
}

/**
 * The doors in the order with the shortest way from `from` to the last of them, as the crow flies. Exact, by dynamic
 * programming over sets of doors (Held and Karp 1962): n² 2ⁿ steps, a tenth of a million for the ten that a delivery may have.
 */
function shortestOrder<Door extends Located>(from: Coordinates, doors: readonly Door[]): Door[] {
  const places = doors.map(({ place }) => place);
  const count = places.length;
  const sets = 1 << count;
  const between = places.map((a) => places.map((b) => distanceM(a, b)));
  /** By set and last place: the shortest way through the set that ends there, and the place before it. */
  const shortestM = new Float64Array(sets * count).fill(Infinity);
  const before = new Int8Array(sets * count).fill(-1);
  for (const [index, place] of places.entries()) shortestM[(1 << index) * count + index] = distanceM(from, place);
  for (let set = 1; set < sets; set += 1) {
    for (let last = 0; last < count; last += 1) {
      const soFarM = shortestM[set * count + last]!;
      if (soFarM === Infinity) continue;
      for (let next = 0; next < count; next += 1) {
        if ((set & (1 << next)) !== 0) continue;
        const cell = (set | (1 << next)) * count + next;
        const wayM = soFarM + between[last]![next]!;
        if (wayM >= shortestM[cell]!) continue;
        shortestM[cell] = wayM;
        before[cell] = last;
      }
    }
  }
  const ends = shortestM.subarray((sets - 1) * count);
  const order: Door[] = [];
  let last = ends.indexOf(Math.min(...ends));
  for (let set = sets - 1; last !== -1;) {
    order.unshift(doors[last]!);
    const earlier = before[set * count + last]!;
    set &= ~(1 << last);
    last = earlier;
  }
  return order;
}
