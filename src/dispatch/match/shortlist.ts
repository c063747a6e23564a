import { inHandS, toLastDoorS, type Board } from './board.ts';
import { pairCostS } from './costs/table.ts';
import { nearestByTime, type Found } from './places/nearest.ts';
import { buildGrid, type PointGrid } from './places/point-grid.ts';
import { NOBODY, type Arena } from './world.ts';

/** The couriers listed for each order, the cheapest first: order o's stand from `from[o]` to `from[o + 1]`. */
export type Shortlist = {
  readonly from: Int32Array;
  readonly couriers: Int32Array;
  /** The cost of the order if this courier does nothing else, seconds: about the least that it adds to their chain. */
  readonly aloneS: Float64Array;
};

/** How many times more couriers are examined than listed, so that the farthest of those who are in time can be listed. */
const LOOKED_AT = 4;

type Looking = { readonly starts: Starts; readonly grid: PointGrid; readonly found: Found };

type Entry = { readonly courier: number; readonly arriveS: number; readonly aloneS: number };

/**
 * Lists couriers for each order that no courier is fetching: the cheapest of those who reach its counter first. The cheapest
 * courier stands first. If costs are equal, the one who arrives last stands first, so that nearer couriers stay free.
 */
export function listCouriers(board: Board): Shortlist {
  const { arena, rules } = board;
  const { orders, couriers } = arena;
  const count = orders.ids.length;
  const size = Math.min(rules.limits.shortlist, couriers.ids.length);
  const looked = Math.min(size * LOOKED_AT, couriers.ids.length);
  const starts = startsOf(board);
  const grid = gridOf(arena, starts);
  const found: Found = { ids: new Int32Array(looked), arriveS: new Float64Array(looked) };
  const list = {
    from: new Int32Array(count + 1),
    couriers: new Int32Array(count * size),
    aloneS: new Float64Array(count * size),
  };
  let end = 0;
  for (let order = 0; order < count; order += 1) {
    const holder = orders.heldBy[order]!;
    if (holder === NOBODY || couriers.isAsked[holder] === 1) {
      for (const { courier, aloneS } of entriesOf(board, order, { starts, grid, found }).slice(0, size)) {
        list.couriers[end] = courier;
        list.aloneS[end] = aloneS;
        end += 1;
      }
    }
    list.from[order + 1] = end;
  }
  return list;
}

/** Where, by the number of the place, and when each courier can set out for another counter, seconds. */
type Starts = { readonly place: Int32Array; readonly atS: Float64Array };

/** A courier who is fetching orders, or has an open offer for some, can set out for another counter only after them. */
function startsOf({ arena, slots, lengths, width }: Board): Starts {
  const { couriers, orders } = arena;
  const starts = { place: Int32Array.from(couriers.ids.keys()), atS: Float64Array.from(couriers.startS) };
  for (const courier of couriers.ids.keys()) {
    const chain = slots.subarray(courier * width, courier * width + lengths[courier]!);
    const held = [...chain].map((slot) => slot >> 1).filter((order) => orders.heldBy[order] === courier);
    if (held.length > 0) goThrough(arena, courier, held, starts);
  }
  return starts;
}

/** Moves a courier's start to the last drop-off of the orders that they are fetching. */
function goThrough(arena: Arena, courier: number, held: readonly number[], { place, atS }: Starts): void {
  const { couriers, orders, pickupAccessS, doorAccessS } = arena;
  const vehicle = couriers.vehicle[courier]!;
  const counter = orders.place[held[0]!]!;
  let whenS = atS[courier]! + arena.travelS(courier, counter, vehicle) + pickupAccessS;
  for (const order of held) whenS = inHandS(orders, order, whenS);
  whenS += pickupAccessS;
  let where = counter;
  for (const order of held) {
    whenS = toLastDoorS(arena, order, where, whenS, vehicle) + doorAccessS;
    where = orders.doors[orders.doorsFrom[order + 1]! - 1]!;
  }
  place[courier] = where;
  atS[courier] = whenS;
}

function gridOf({ couriers, places, stepS }: Arena, { place, atS }: Starts): PointGrid {
  const speedMps = Float64Array.from(
    place,
    (from, courier) => places.metresPerStep[from * places.vehicles + couriers.vehicle[courier]!]! / stepS,
  );
  const [x, y] = [places.x, places.y].map((all) => Float64Array.from(place, (from) => all[from]!));
  return buildGrid({ count: place.length, x: x!, y: y!, startS: atS, speedMps });
}

function entriesOf(board: Board, order: number, { starts, grid, found }: Looking): Entry[] {
  const { arena, rules } = board;
  const { places, orders } = arena;
  const place = orders.place[order]!;
  const query = {
    x: places.x[place]!,
    y: places.y[place]!,
    wanted: found.ids.length,
    beforeS: Infinity,
    maxDistanceM: rules.limits.pickupDistanceM,
    suits: (courier: number) => arena.suits(order, courier),
  };
  const count = nearestByTime(grid, query, found);
  const entries: Entry[] = [];
  for (let index = 0; index < count; index += 1) {
    const entry = entryOf(board, order, found.ids[index]!, starts);
    if (entry !== null) entries.push(entry);
  }
  return entries.sort((a, b) => a.aloneS - b.aloneS || b.arriveS - a.arriveS || a.courier - b.courier);
}

/** The cost of the order if this courier does nothing else; null if they would be too late at the counter. */
function entryOf(board: Board, order: number, courier: number, starts: Starts): Entry | null {
  const { arena } = board;
  const { couriers, orders } = arena;
  const vehicle = couriers.vehicle[courier]!;
  const place = orders.place[order]!;
  const setOutS = starts.atS[courier]!;
  const arriveS = setOutS + arena.travelS(starts.place[courier]!, place, vehicle);
  const collectedS = inHandS(orders, order, arriveS + arena.pickupAccessS);
  if (collectedS > couriers.untilS[courier]! || setOutS > orders.searchUntilS[order]!) return null;
  const doneS = toLastDoorS(arena, order, place, collectedS + arena.pickupAccessS, vehicle);
  return { courier, arriveS, aloneS: pairCostS(board, order, courier, doneS, collectedS) };
}
