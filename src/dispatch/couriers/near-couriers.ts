import { FOR_EXPECTED } from '../../domain/regions/region-now.ts';
import { canCarry, hasRoom, VEHICLE_TYPES, type Courier, type VehicleType } from '../../domain/couriers/courier.ts';
import type { Delivery } from '../../domain/deliveries/delivery.ts';
import { distanceM, planeAround, type Coordinates, placeKey } from '../../domain/geo/geo.ts';
import type { CourierId } from '../../domain/ids.ts';
import type { Context } from '../../ports/context.ts';
import type { CourierKind } from '../../ports/couriers.ts';
import { takeTurns } from '../../work/take-turns.ts';

type Needs = Pick<Context, 'clock' | 'positions' | 'roster' | 'settings'>;

/** A courier who is online and present, and their place. */
export type Placed = { readonly courier: Courier; readonly place: Coordinates };

/** The deliveries for which couriers are needed. */
export type Wanted = {
  /** Deliveries with a search that is on. */
  readonly deliveries: readonly Delivery[];
  /** Deliveries with a recent search. They show where to expect the next orders. */
  readonly recent: readonly Delivery[];
  /** Couriers who must be included: those with an open offer, and the candidates of the last run. */
  readonly known: Iterable<CourierId>;
};

/** Pickups in one small square whose goods the same couriers may carry. */
type Group = Omit<CourierKind, 'vehicleType'> & {
  readonly place: Coordinates;
  readonly vehicles: readonly VehicleType[];
  /** How many of its deliveries have a search that is on. */
  searched: number;
};

/** How many couriers are enough within this many metres. */
type Enough = (withinM: number) => number;

/** Side of the squares that group pickups: at most 550 m. */
const SIDE_DEG = 0.005;
/** Least number of free couriers around a pickup, however many pickups share the room of a run. */
const LEAST_NEAR = 16;
/** Additional free couriers for each delivery with a search within the same distance. */
const PER_DELIVERY = 2;
/** How many couriers, free or not, may be taken for each free one that is needed. */
const MOST_TO_FREE = 2;
/** Couriers to look at for each one that is needed. If fewer of these fit, farther ones are left out. */
const LOOKED_AT = 64;
/** Couriers of any kind to ask for around a pickup while the roster does not know everybody. */
const ASKED_FOR = 64;
/**
 * If a kind has no more couriers online than this, all of them are looked at. Around a pickup they would hide among
 * many others.
 */
const FEW = 300;

/**
 * Chooses the couriers of a run in a crowded region. Around each pickup it takes the nearest who fit the goods, until
 * enough of them are free; more if more searches are near. It takes a few where orders are expected. It adds couriers
 * with room on the way to one of the pickup locations, and those already known. The cost depends on what is near the
 * pickups and not on all couriers online.
 */
export async function chooseCouriers(ctx: Needs, wanted: Wanted): Promise<Placed[]> {
  const chosen = new Map<CourierId, Placed>();
  const groups = groupsOf(wanted);
  if (!ctx.roster.isWhole()) await ctx.roster.know([...new Set([...wanted.known, ...closeTo(ctx, groups)])]);
  const known = [...wanted.known, ...headingTo(ctx, wanted)];
  for (const placed of placedOf(ctx, known)) chosen.set(placed.courier.id, placed);
  const enoughAt = crowdIn(ctx, groups);
  await takeTurns(ctx.clock, [...groups.entries()], ([index, group]) => {
    for (const placed of nearest(ctx, group, enoughAt(index))) chosen.set(placed.courier.id, placed);
  });
  return [...chosen.values()];
}

/** Couriers close to each group that has a search. */
function* closeTo({ positions, settings }: Needs, groups: readonly Group[]): Generator<CourierId> {
  for (const { place, searched } of groups) {
    if (searched === 0) continue;
    let left = ASKED_FOR;
    for (const ring of positions.around(place, settings.dispatch.maxPickupDistanceM)) {
      for (const { courierId } of ring.positions.slice(0, left)) yield courierId;
      left -= ring.positions.length;
      if (left <= 0) break;
    }
  }
}

/** Couriers with room whose delivery was collected lately, or waits, at a pickup location with a search. */
function headingTo({ roster }: Needs, { deliveries, recent }: Wanted): CourierId[] {
  const open = new Set(deliveries.map(({ id }) => id));
  const pickups = new Set(deliveries.map(({ pickup }) => placeKey(pickup.place)));
  return recent.flatMap((delivery) => {
    if (open.has(delivery.id) || !pickups.has(placeKey(delivery.pickup.place))) return [];
    const assignee = roster.courierOf(delivery.id);
    const courier = assignee === null ? null : roster.find(assignee);
    return courier !== null && hasRoom(courier) ? [courier.id] : [];
  });
}

/** The groups with a search first, then those where more orders are expected. */
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
 * Returns for each group how many free couriers are enough within this many metres. The pickups of a crowded place
 * share the couriers around it.
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
    // Distances come in nearly rising order, so what was passed once stays counted.
    return (withinM) => {
      while (passed < others.length && others[passed]!.awayM <= withinM) {
        deliveries += groups[others[passed]!.other]!.searched;
        passed += 1;
      }
      return near + PER_DELIVERY * deliveries;
    };
  };
}

/** The couriers who fit a group, roughly nearest first, until enough of them are free. */
function nearest(ctx: Needs, group: Group, enough: Enough): Placed[] {
  const { maxPickupDistanceM } = ctx.settings.dispatch;
  const taken: Placed[] = [];
  let free = 0;
  /** Takes the nearest of them. Returns false once no more are needed. */
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
  if (ctx.roster.isWhole() && few.every(({ size }) => size <= FEW)) {
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
