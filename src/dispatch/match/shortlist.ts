import { inHandS, orderCostS, toLastDoorS, type Board } from './board.ts';
import { nearestByTime, type Found } from './nearest.ts';
import { buildGrid, type PointGrid } from './point-grid.ts';
import { NOBODY, type Arena } from './world.ts';

/** Each order's couriers, the one who can do it at the least cost first: order o's stand from `from[o]` to `from[o + 1]`. */
export type Shortlist = {
  readonly from: Int32Array;
  readonly couriers: Int32Array;
  /** What the order costs with this courier when he does nothing else, seconds: in no chain of his does it add less. */
  readonly aloneS: Float64Array;
};

/** So many times as many couriers are looked at: of those who are there before the goods, the farthest are listed. */
const LOOKED_AT = 4;

type Entry = { readonly courier: number; readonly arriveS: number; readonly aloneS: number };

/**
 * Lists, for each order that nobody is on his way to, the couriers who are at its counter first. The cheapest stands
 * first, and among equals the one who arrives last: whoever is nearer than need be stays free for what comes next.
 */
export function listCouriers(board: Board): Shortlist {
  const { arena, rules } = board;
  const { orders, couriers } = arena;
  const count = orders.ids.length;
  const size = Math.min(rules.limits.shortlist, couriers.ids.length);
  const looked = Math.min(size * LOOKED_AT, couriers.ids.length);
  const grid = gridOf(arena);
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
      for (const { courier, aloneS } of entriesOf(board, order, grid, found).slice(0, size)) {
        list.couriers[end] = courier;
        list.aloneS[end] = aloneS;
        end += 1;
      }
    }
    list.from[order + 1] = end;
  }
  return list;
}

function gridOf({ couriers, places, stepS }: Arena): PointGrid {
  const count = couriers.ids.length;
  const speedMps = Float64Array.from(
    { length: count },
    (_, courier) => places.metresPerStep[courier * places.vehicles + couriers.vehicle[courier]!]! / stepS,
  );
  return buildGrid({ count, x: places.x, y: places.y, startS: couriers.startS, speedMps });
}

function entriesOf(board: Board, order: number, grid: PointGrid, found: Found): Entry[] {
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
    const entry = entryOf(board, order, found.ids[index]!);
    if (entry !== null) entries.push(entry);
  }
  return entries.sort((a, b) => a.aloneS - b.aloneS || b.arriveS - a.arriveS || a.courier - b.courier);
}

/** What the order costs with this courier alone; null when he would be too late at the counter. */
function entryOf({ arena, ...board }: Board, order: number, courier: number): Entry | null {
  const { couriers, orders } = arena;
  const vehicle = couriers.vehicle[courier]!;
  const place = orders.place[order]!;
  const arriveS = couriers.startS[courier]! + arena.travelS(courier, place, vehicle);
  const collectedS = inHandS(orders, order, arriveS + arena.pickupAccessS);
  if (collectedS > couriers.untilS[courier]! || couriers.startS[courier]! > orders.searchUntilS[order]!) return null;
  const doneS = toLastDoorS(arena, order, place, collectedS + arena.pickupAccessS, vehicle);
  return { courier, arriveS, aloneS: orderCostS({ arena, ...board }, order, doneS) };
}
