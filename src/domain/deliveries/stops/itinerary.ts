import { distanceM, placeKey, type Coordinates } from '../../geo/geo.ts';
import type { Carried } from '../carried.ts';
import { stopsToGo } from '../delivery.ts';
import { leavesFrom } from '../lifecycle.ts';

/** A delivery that is assigned to a courier, whether they have its goods or not. */
export type Assigned = Pick<Carried, 'id' | 'state' | 'pickup' | 'dropOffs' | 'times'>;

/** A stop that a courier will visit, and its delivery. */
export type StopToGo<A extends Assigned = Assigned> = { readonly delivery: A; readonly stop: A['pickup'] };

/** A courier who is farther from a stop where they have arrived has left it, although it is open. Metres. */
const HERE_M = 300;

/**
 * The open stops of a courier's deliveries, in the order in which they are expected to be visited. The stop where the courier
 * is comes first. Then they collect what is at the same pickup, bring what they have collected to the nearest
 * drop-off first, and go to the next pickup in the order of the assignments. The stops of each delivery keep their order.
 * @param place where the courier is; null if that is unknown
 */
export function itineraryOf<A extends Assigned>(assigned: readonly A[], place: Coordinates | null): StopToGo<A>[] {
  const queues = assigned
    .toSorted(byAssignment)
    .map((delivery) => stopsToGo<A['pickup']>(delivery).map((stop) => ({ delivery, stop })));
  const itinerary: StopToGo<A>[] = [];
  let last = pickupNotLeft(assigned);
  for (;;) {
    const heads = queues.flatMap(([head]) => head ?? []);
    const next = nextOf(heads, last, place);
    if (next === null) return itinerary;
    itinerary.push(next);
    last = next.stop.place;
    queues.find(([head]) => head === next)?.shift();
  }
}

/** The place of the pickup that the courier has not left with the goods; null if there is none. */
export function pickupNotLeft(assigned: readonly Assigned[]): Coordinates | null {
  const collected = assigned.filter(({ state }) => leavesFrom(state, 'depart'));
  return collected.toSorted(byAssignment)[0]?.pickup.place ?? null;
}

/** Says whether both stops are one stay: pickups at the same place. */
export function isSameStay(stop: Assigned['pickup'], next: Assigned['pickup'] | undefined): boolean {
  return stop.index === 0 && next?.index === 0 && placeKey(stop.place) === placeKey(next.place);
}

/** The stop that follows. `last` is the place of the stop before, null if there is none. */
function nextOf<S extends StopToGo>(
  heads: readonly S[],
  last: Coordinates | null,
  place: Coordinates | null,
): S | null {
  const isLast = ({ stop }: S): boolean => stop.index === 0 && last !== null && placeKey(stop.place) === placeKey(last);
  const dropOffs = heads.filter(({ stop }) => stop.index > 0);
  return hereOf(heads, last ?? place) ?? heads.find(isLast) ?? nearest(dropOffs, last ?? place) ?? heads[0] ?? null;
}

/** The stop where the courier arrived last, unless they have left it since. */
function hereOf<S extends StopToGo>(heads: readonly S[], place: Coordinates | null): S | undefined {
  return heads
    .filter(({ stop }) => stop.state === 'arrived' && (place === null || distanceM(place, stop.place) <= HERE_M))
    .toSorted((a, b) => (b.stop.arrivedAt ?? 0) - (a.stop.arrivedAt ?? 0))[0];
}

/** The nearest of them; the first one if the place is unknown. */
function nearest<S extends StopToGo>(stops: readonly S[], place: Coordinates | null): S | undefined {
  if (place === null) return stops[0];
  const metres = ({ stop }: S): number => distanceM(place, stop.place);
  return stops.toSorted((a, b) => metres(a) - metres(b))[0];
}

function byAssignment(a: Assigned, b: Assigned): number {
  return (a.times.assignedAt ?? 0) - (b.times.assignedAt ?? 0) || (a.id < b.id ? -1 : 1);
}
