import { around } from 'geokdbush';
import KDBush from 'kdbush';
import type { Courier, VehicleType } from '../../domain/courier.ts';
import type { Delivery } from '../../domain/delivery.ts';
import { STOP_SERVICE_S, travelS } from '../../domain/eta.ts';
import type { Coordinates } from '../../domain/geo.ts';
import type { CourierId } from '../../domain/ids.ts';
import { isStopEnded } from '../../domain/stop.ts';

/** A courier as one run sees him: the last known place, and the deliveries he holds, oldest first. */
export type RunCourier = {
  readonly courier: Courier;
  readonly place: Coordinates;
  readonly held: readonly Delivery[];
};

/** Where and when (epoch ms) a courier can set out for another delivery. A busy one does after his last stop. */
export type Start = {
  readonly courierId: CourierId;
  readonly vehicle: VehicleType;
  readonly place: Coordinates;
  readonly at: number;
  readonly isBusy: boolean;
};

/** A courier who could be asked for a delivery: his index in `starts`, the way to the pickup and when he is there. */
export type Candidate = { readonly courier: number; readonly travelS: number; readonly arriveAt: number };

/** The couriers of one run, findable by place. Groups hold those who are alike in all that rules a pair out. */
export type CourierIndex = { readonly starts: readonly Start[]; readonly groups: ReadonlyMap<string, Group> };
type Group = { readonly vehicle: VehicleType; readonly members: readonly number[]; readonly tree: KDBush };

export type CandidateLimits = { readonly count: number; readonly maxDistanceM: number };

/** Projects every courier to where he will be free, leaves out those free later than `soonFreeMs`, builds the trees. */
export function indexCouriers(couriers: readonly RunCourier[], now: number, soonFreeMs: number): CourierIndex {
  const starts: Start[] = [];
  const members = new Map<string, { vehicle: VehicleType; indexes: number[] }>();
  for (const entry of couriers) {
    const start = startOf(entry, now);
    if (start.at - now > soonFreeMs) continue;
    const key = groupKey(entry.courier.liveMode, entry.courier.kind, start.vehicle, start.isBusy);
    const group = members.get(key) ?? { vehicle: start.vehicle, indexes: [] };
    group.indexes.push(starts.length);
    members.set(key, group);
    starts.push(start);
  }
  const groups = new Map<string, Group>();
  for (const [key, { vehicle, indexes }] of members) {
    groups.set(key, { vehicle, members: indexes, tree: treeOf(indexes.map((index) => starts[index]!.place)) });
  }
  return { starts, groups };
}

/**
 * The couriers nearest by time to the delivery's pickup, soonest first: of its mode and kind, with a vehicle it takes,
 * free before its search ends, within the distance, and not in `barred`. Exact among idle couriers; of the busy ones of
 * each vehicle the nearest by distance are looked at.
 */
export function candidatesFor(
  delivery: Delivery,
  { starts, groups }: CourierIndex,
  barred: ReadonlySet<CourierId>,
  limits: CandidateLimits,
): Candidate[] {
  const { lat, lng } = delivery.pickup.place;
  const found: Candidate[] = [];
  for (const { vehicle, members, tree } of groupsFor(delivery, groups)) {
    const suits = (id: number): boolean => {
      const start = starts[members[id]!]!;
      return start.at < delivery.searchUntilAt && !barred.has(start.courierId);
    };
    for (const id of around(tree, lng, lat, limits.count, limits.maxDistanceM / 1000, suits)) {
      const courier = members[id]!;
      const start = starts[courier]!;
      const seconds = travelS(start.place, delivery.pickup.place, vehicle);
      found.push({ courier, travelS: seconds, arriveAt: start.at + seconds * 1000 });
    }
  }
  return found.toSorted((a, b) => a.arriveAt - b.arriveAt).slice(0, limits.count);
}

function startOf({ courier, place, held }: RunCourier, now: number): Start {
  let at = now;
  let from = place;
  for (const delivery of held) {
    for (const stop of [delivery.pickup, ...delivery.dropOffs]) {
      if (isStopEnded(stop)) continue;
      at += travelS(from, stop.place, courier.vehicleType) * 1000;
      if (stop.index === 0) at = Math.max(at, stop.window?.readyAt ?? 0);
      at += STOP_SERVICE_S * 1000;
      from = stop.place;
    }
  }
  return { courierId: courier.id, vehicle: courier.vehicleType, place: from, at, isBusy: courier.active.length > 0 };
}

function treeOf(places: readonly Coordinates[]): KDBush {
  const tree = new KDBush(places.length);
  for (const { lat, lng } of places) tree.add(lng, lat);
  return tree.finish();
}

function groupsFor(delivery: Delivery, groups: ReadonlyMap<string, Group>): Group[] {
  const kind = delivery.robo === null ? 'courier' : 'robo';
  const vehicles: ReadonlySet<VehicleType> = new Set(delivery.vehicleTypes);
  return [...groups]
    .filter(([key, { vehicle }]) => {
      if (vehicles.size > 0 && !vehicles.has(vehicle)) return false;
      return [true, false].some((isBusy) => key === groupKey(delivery.liveMode, kind, vehicle, isBusy));
    })
    .map(([, group]) => group);
}

function groupKey(liveMode: boolean, kind: Courier['kind'], vehicle: VehicleType, isBusy: boolean): string {
  return `${liveMode ? 'live' : 'test'} ${kind} ${vehicle} ${isBusy ? 'busy' : 'idle'}`;
}
