import { FOR_EXPECTED } from '../../domain/regions/region-now.ts';
import { canCarry, hasRoom, VEHICLE_TYPES, type Courier, type VehicleType } from '../../domain/couriers/courier.ts';
import type { Delivery } from '../../domain/deliveries/delivery.ts';
import { distanceM, planeAround, type Coordinates, placeKey } from '../../domain/geo/geo.ts';
import type { CourierId } from '../../domain/ids.ts';
import type { Context } from '../../ports/context.ts';
import type { CourierKind } from '../../ports/couriers.ts';
import { takeTurns } from '../../work/take-turns.ts';

type Needs = Pick<Context, 'clock' | 'positions' | 'roster' | 'settings'>;

/** A courier who is online and present, and where. */
export type Placed = { readonly courier: Courier; readonly place: Coordinates };

/** For what couriers are looked for. */
export type Wanted = {
  /** Searched for now. */
  readonly deliveries: readonly Delivery[];
  /** Searched for in the last while: where the next orders are expected. */
  readonly recent: readonly Delivery[];
  /** Couriers who must not be missing: those asked now, and those looked at just before. */
  readonly known: Iterable<CourierId>;
};

/** Pickups within one small square whose goods the same couriers may carry. */
type Group = Omit<CourierKind, 'vehicleType'> & {
  readonly place: Coordinates;
  readonly vehicles: readonly VehicleType[];
  /** Deliveries of it that are searched for now. */
  searched: number;
};

/** How many couriers are enough within so many metres. */
type Enough = (withinM: number) => number;

/** Side of the squares by which pickups are taken together: 550 m and less. */
const SIDE_DEG = 0.005;
/** Free couriers around a pickup at least, however many pickups share the room of a run. */
const LEAST_NEAR = 16;
/** Free couriers beside those for each delivery searched for within the same distance. */
const PER_DELIVERY = 2;
/** Couriers, free or not, for each free one who is wanted. */
const MOST_TO_FREE = 2;
/** Couriers looked at for one who is wanted: where fewer suit, farther ones are left out. */
const LOOKED_AT = 64;
/** Of kinds of which there are no more online all are looked at: around a pickup they would hide among many others. */
const FEW = 300;

/**
 * Chooses the couriers of a run in a crowded region: around each pickup the nearest who suit its goods until enough of them
 * are free, more where more is searched for; a few where orders are expected; who has room and is on his way to one of the
 * counters; and those known from before. It costs what is near the pickups, and not what is online.
 */
export async function chooseCouriers(ctx: Needs, wanted: Wanted): Promise<Placed[]> {
  const chosen = new Map<CourierId, Placed>();
  const known = [...wanted.known, ...headingTo(ctx, wanted)];
  for (const placed of placedOf(ctx, known)) chosen.set(placed.courier.id, placed);
  const groups = groupsOf(wanted);
  const enoughAt = crowdIn(ctx, groups);
  await takeTurns(ctx.clock, [...groups.entries()], ([index, group]) => {
    for (const placed of nearest(ctx, group, enoughAt(index))) chosen.set(placed.courier.id, placed);
  });
  return [...chosen.values()];
}

/** Couriers with room who hold what was collected lately, or is to be, where something is searched for. */
function headingTo({ roster }: Needs, { deliveries, recent }: Wanted): CourierId[] {
  const open = new Set(deliveries.map(({ id }) => id));
  const counters = new Set(deliveries.map(({ pickup }) => placeKey(pickup.place)));
  return recent.flatMap((delivery) => {
    if (open.has(delivery.id) || !counters.has(placeKey(delivery.pickup.place))) return [];
    const holder = roster.holderOf(delivery.id);
    const courier = holder === null ? null : roster.find(holder);
    return courier !== null && hasRoom(courier) ? [courier.id] : [];
  });
}

/** What is searched for, and then where more is expected. */
function groupsOf({ deliveries, recent }: Wanted): Group[] {
  const groups = new Map<string, Group>();
  const add = (delivery: Delivery, searched: number): void => {
    const { liveMode, robo, pickup } = delivery;
    const vehicles = VEHICLE_TYPES.filter((type) => canCarry(type, delivery));
    const kind = robo === null ? 'courier' : 'robo';
    const square = [Math.floor(pickup.place.lat / SIDE_DEG), Math.floor(pickup.place.lng / SIDE_DEG)];
    const key = [...square, liveMode, kind, ...vehicles].join(' ');
    const group = groups.get(key) ?? { place: pickup.place, liveMode, kind, vehicles, searched: 0 };
    group.searched += searched;
    groups.set(key, group);
  };
  for (const delivery of deliveries) add(delivery, 1);
  for (const delivery of recent) add(delivery, 0);
  return [...groups.values()];
}

/**
 * Says for each group how many free couriers are enough within so many metres: the pickups of a crowded place share those
 * around it.
 */
function crowdIn({ settings }: Needs, groups: readonly Group[]): (index: number) => Enough {
  const { x, y } = planeAround(groups.map(({ place }) => place));
  const searched = [...groups.keys()].filter((index) => groups[index]!.searched > 0);
  const room = Math.floor(settings.dispatch.mostCouriers / Math.max(1, searched.length));
  const near = Math.max(LEAST_NEAR, Math.min(settings.dispatch.nearCouriers, room));
  return (index) => {
    if (groups[index]?.searched === 0) return () => FOR_EXPECTED;
    const others = searched
      .map((other) => ({ other, awayM: Math.hypot(x[other]! - x[index]!, y[other]! - y[index]!) }))
      .sort((a, b) => a.awayM - b.awayM);
    let [passed, deliveries] = [0, 0];
    // Asked for rising distances, or nearly so: what was passed once stays counted.
    return (withinM) => {
      while (passed < others.length && others[passed]!.awayM <= withinM) {
        deliveries += groups[others[passed]!.other]!.searched;
        passed += 1;
      }
      return near + PER_DELIVERY * deliveries;
    };
  };
}

/** The couriers who suit a group, nearest first or nearly so, until enough of them are free. */
function nearest(ctx: Needs, group: Group, enough: Enough): Placed[] {
  const { maxPickupDistanceM } = ctx.settings.dispatch;
  const taken: Placed[] = [];
  let free = 0;
  /** Takes the nearest of them; false when nobody is wanted any more. */
  const take = (placed: readonly Placed[]): boolean => {
    const sorted = placed
      .map((entry) => ({ entry, awayM: distanceM(entry.place, group.place) }))
      .sort((a, b) => a.awayM - b.awayM);
    for (const { entry, awayM } of sorted) {
      const want = enough(awayM);
      if (awayM > maxPickupDistanceM || free >= want || taken.length >= MOST_TO_FREE * want) return false;
      taken.push(entry);
      if (entry.courier.active.length === 0) free += 1;
    }
    return true;
  };
  const few = group.vehicles.map((vehicleType) => ctx.roster.ofKind({ ...group, vehicleType }));
  if (few.every(({ size }) => size <= FEW)) {
    take(few.flatMap((ids) => placedOf(ctx, ids)));
    return taken;
  }
  let looked = 0;
  for (const { positions } of ctx.positions.around(group.place, maxPickupDistanceM)) {
    const here = positions.flatMap((place): Placed[] => {
      const courier = ctx.roster.find(place.courierId);
      const isSuited = courier?.liveMode === group.liveMode && courier.kind === group.kind;
      return isSuited && group.vehicles.includes(courier.vehicleType) ? [{ courier, place }] : [];
    });
    looked += positions.length;
    if (!take(here) || looked >= LOOKED_AT * enough(0)) break;
  }
  return taken;
}

function placedOf({ positions, roster }: Needs, ids: Iterable<CourierId>): Placed[] {
  return [...ids].flatMap((id): Placed[] => {
    const [courier, place] = [roster.find(id), positions.present(id)];
    return courier === null || place === null ? [] : [{ courier, place }];
  });
}
