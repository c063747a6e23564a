import { bundleCostS, chainCostsS, leaveCostS, pairCostS, type Weights } from './costs/table.ts';
import type { Rules } from './rules.ts';
import { NOBODY, type Arena, type Orders } from './world.ts';

/**
 * Who is to carry what, in which order: for each courier a chain of slots. A slot is `order * 2`, plus 1 when a new bundle
 * begins with it: the courier goes to the counter there, and then to the doors of all slots up to the next bundle.
 */
export type Board = {
  readonly arena: Arena;
  readonly rules: Rules;
  /** Those of the rules, where the cost terms read them. */
  readonly weights: Weights;
  /** What it costs to use each courier at all, seconds. */
  readonly priceS: Float64Array;
  /** Slots of a chain at most; courier c's stand from `c * width`. */
  readonly width: number;
  readonly slots: Int32Array;
  readonly lengths: Int32Array;
  readonly costS: Float64Array;
  /** What it costs to leave each order to itself, seconds. */
  readonly leaveS: Float64Array;
  /** What each order costs; written on demand. */
  readonly eachS: Float64Array;
  /** Each order's courier, or -1. */
  readonly courierOf: Int32Array;
};

/** An empty board. */
export function makeBoard(arena: Arena, rules: Rules): Board {
  const couriers = arena.couriers.ids.length;
  const orders = arena.orders.ids.length;
  const { bundles, bundleSize } = rules.limits;
  const width = bundles * bundleSize + Math.max(bundleSize, mostHeldIn(arena));
  const board: Board = {
    arena,
    rules,
    weights: rules.weights,
    priceS: chainCostsS({ arena, weights: rules.weights }),
    width,
    slots: new Int32Array(couriers * width),
    lengths: new Int32Array(couriers),
    costS: new Float64Array(couriers),
    leaveS: new Float64Array(orders),
    eachS: new Float64Array(orders),
    courierOf: new Int32Array(orders).fill(NOBODY),
  };
  for (let order = 0; order < orders; order += 1) board.leaveS[order] = costOfLeavingS(board, order);
  return board;
}

/** The most that one courier is on his way to: by hand he can be given more than a plan would bundle. */
function mostHeldIn({ couriers, orders }: Arena): number {
  const held = new Int32Array(couriers.ids.length);
  for (const courier of orders.heldBy) if (courier !== NOBODY) held[courier] = held[courier]! + 1;
  return held.reduce((most, count) => Math.max(most, count), 0);
}

/**
 * When the goods are expected in the hands of a courier who is at the counter from then on, seconds. A ready time that is
 * only estimated is taken as equally likely anywhere within its spread, so that to be there before the estimate is worth
 * something and to be there at it means some waiting: E[max(at, ready)].
 */
export function inHandS(orders: Orders, order: number, atS: number): number {
  const readyS = orders.readyS[order]!;
  const spreadS = orders.readySpreadS[order]!;
  const afterFirstS = atS - readyS + spreadS;
  if (afterFirstS <= 0) return readyS;
  return afterFirstS >= 2 * spreadS ? atS : readyS + (afterFirstS * afterFirstS) / (4 * spreadS);
}

/**
 * More than carrying the order costs however slowly, so that it is left only when nobody can or others need the courier
 * more; the oldest is the worst to leave, but for one whose search is about to end, for then nobody ever will carry it.
 * What a vendor's time may add to carrying it is added here as well.
 */
function costOfLeavingS(board: Board, order: number): number {
  const { arena } = board;
  const { readyS, place, vehicles } = arena.orders;
  const fromS = inHandS(arena.orders, order, Math.max(0, readyS[order]!)) + arena.pickupAccessS;
  let slowestS = fromS;
  for (let vehicle = 0; vehicle < arena.places.vehicles; vehicle += 1) {
    if ((vehicles[order]! & (1 << vehicle)) === 0) continue;
    slowestS = Math.max(slowestS, toLastDoorS(arena, order, place[order]!, fromS, vehicle));
  }
  return leaveCostS(board, order) + pairCostS(board, order, NOBODY, slowestS, Infinity);
}

/**
 * What it costs that the courier carries out a chain, seconds: the sum over its orders, once the price of using him, and
 * what his refusals cost.
 * Infinity when goods would be collected after the end of his time, or a search would end before he sets out; but what he
 * is on his way to he collects. Leaves off early once past `bound`. Writes what each order costs into `eachS` where it is given.
 */
export function chainCostS(
  board: Board,
  courier: number,
  slots: Int32Array,
  from: number,
  length: number,
  bound = Infinity,
  eachS: Float64Array | null = null,
): number {
  if (length === 0) return 0;
  const { arena, priceS } = board;
  const { couriers, orders, travelS, pickupAccessS } = arena;
  const vehicle = couriers.vehicle[courier]!;
  const untilS = couriers.untilS[courier]!;
  let atS = couriers.startS[courier]!;
  let place = courier;
  let cost = priceS[courier]!;
  const end = from + length;
  for (let index = from; index < end;) {
    const head = slots[index]! >> 1;
    cost += bundleCostS(board, head, courier, index === from && orders.heldBy[head] === NOBODY);
    const counter = orders.place[head]!;
    const setOutS = atS;
    atS += travelS(place, counter, vehicle) + pickupAccessS;
    const thereS = atS;
    let next = index;
    do {
      const order = slots[next]! >> 1;
      if (setOutS > orders.searchUntilS[order]! && orders.heldBy[order] !== courier) return Infinity;
      atS = inHandS(orders, order, atS);
      next += 1;
    } while (next < end && (slots[next]! & 1) === 0);
    if (atS > untilS && atS > heldInHandS(board, courier, slots, index, next, thereS)) return Infinity;
    const collectedS = atS;
    atS += pickupAccessS;
    place = counter;
    for (; index < next; index += 1) {
      const order = slots[index]! >> 1;
      atS = toLastDoorS(arena, order, place, atS, vehicle);
      place = orders.doors[orders.doorsFrom[order + 1]! - 1]!;
      const ownS = pairCostS(board, order, courier, atS, collectedS);
      if (eachS !== null) eachS[order] = ownS;
      cost += ownS;
      atS += arena.doorAccessS;
      if (cost >= bound) return Infinity;
    }
  }
  return cost;
}

/**
 * When a courier who is at the counter then has in hand what he is on his way to, which he collects however late; -Infinity
 * when nothing of the bundle is.
 */
function heldInHandS(
  { arena }: Board,
  courier: number,
  slots: Int32Array,
  from: number,
  to: number,
  thereS: number,
): number {
  let atS = -Infinity;
  for (let index = from; index < to; index += 1) {
    const order = slots[index]! >> 1;
    if (arena.orders.heldBy[order] === courier) atS = inHandS(arena.orders, order, Math.max(atS, thereS));
  }
  return atS;
}

/** When the order's last door is reached by who sets out then from the place. */
export function toLastDoorS(arena: Arena, order: number, from: number, setOutS: number, vehicle: number): number {
  const { orders, travelS, doorAccessS } = arena;
  const { doors, doorsFrom } = orders;
  let atS = setOutS;
  let place = from;
  for (let door = doorsFrom[order]!; door < doorsFrom[order + 1]!; door += 1) {
    atS += travelS(place, doors[door]!, vehicle) + doorAccessS * 2;
    place = doors[door]!;
  }
  return atS - doorAccessS;
}

/** Takes a chain as a courier's new one. */
export function setChain(board: Board, courier: number, slots: Int32Array, length: number, costS: number): void {
  const base = courier * board.width;
  for (let index = 0; index < length; index += 1) board.slots[base + index] = slots[index]!;
  board.lengths[courier] = length;
  board.costS[courier] = costS;
}

/** Takes an order out of its courier's chain. Gives the change of the chain's cost, seconds. */
export function removeFromChain(board: Board, order: number): number {
  const { slots, lengths, costS, courierOf, width } = board;
  const courier = courierOf[order]!;
  const base = courier * width;
  const length = lengths[courier]! - 1;
  let at = base;
  while (slots[at]! >> 1 !== order) at += 1;
  const began = slots[at]! & 1;
  for (let index = at; index < base + length; index += 1) slots[index] = slots[index + 1]!;
  // The next of the same bundle begins it now.
  if (began === 1 && at < base + length) slots[at] = slots[at]! | 1;
  lengths[courier] = length;
  courierOf[order] = NOBODY;
  const before = costS[courier]!;
  costS[courier] = chainCostS(board, courier, slots, base, length);
  return costS[courier]! - before;
}

/** What an order costs as the plan stands, seconds. */
export function costInPlanS(board: Board, order: number): number {
  const courier = board.courierOf[order]!;
  if (courier === NOBODY) return board.leaveS[order]!;
  const base = courier * board.width;
  chainCostS(board, courier, board.slots, base, board.lengths[courier]!, Infinity, board.eachS);
  return board.eachS[order]!;
}
