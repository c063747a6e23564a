import { bundleCostS, chainCostsS, leaveCostS, pairCostS, type Weights } from './costs/table.ts';
import type { Rules } from './rules.ts';
import { NOBODY, type Arena, type Orders } from './world.ts';

/**
 * The plan: a chain of slots for each courier. A slot is `order * 2`, plus 1 if a new bundle begins with it. For each
 * bundle the courier goes to its pickup location, and then to the drop-offs of its slots in their order.
 */
export type Board = {
  readonly arena: Arena;
  readonly rules: Rules;
  /** Those of the rules, where the cost terms read them. */
  readonly weights: Weights;
  /** The cost of using each courier at all, seconds. */
  readonly priceS: Float64Array;
  /** The most slots of a chain. Courier c's begin at `c * width`. */
  readonly width: number;
  readonly slots: Int32Array;
  readonly lengths: Int32Array;
  readonly costS: Float64Array;
  /** The cost of leaving each order, seconds. */
  readonly leaveS: Float64Array;
  /** The cost of each order, seconds; written on demand. */
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

/** The most orders that one courier is fetching. Staff can assign more than a plan would bundle. */
function mostHeldIn({ couriers, orders }: Arena): number {
  const held = new Int32Array(couriers.ids.length);
  for (const courier of orders.heldBy) if (courier !== NOBODY) held[courier] = held[courier]! + 1;
  return held.reduce((most, count) => Math.max(most, count), 0);
}

/**
 * When a courier who is at the counter from `atS` on is expected to have the goods, seconds. An estimated ready time is
 * taken as equally likely anywhere within its spread: E[max(at, ready)]. So arriving before the estimate is worth
 * something, and arriving at the estimate means some waiting.
 */
export function inHandS(orders: Orders, order: number, atS: number): number {
  const readyS = orders.readyS[order]!;
  const spreadS = orders.readySpreadS[order]!;
  const afterFirstS = atS - readyS + spreadS;
  if (afterFirstS <= 0) return readyS;
  return afterFirstS >= 2 * spreadS ? atS : readyS + (afterFirstS * afterFirstS) / (4 * spreadS);
}

/**
 * The cost of leaving the order, seconds. It is more than carrying the order costs with the slowest vehicle, so a plan
 * leaves it only if nobody can carry it or others need the courier more. Older orders cost more to leave.
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
 * The cost of a chain that the courier carries out, seconds: its orders, its bundles, and using the courier. It is
 * Infinity if the courier would collect goods after the end of their time, or set out after a search has ended. Orders
 * that they are already fetching are exempt. Stops early, with Infinity, once past `bound`. Writes the cost of each
 * order into `eachS` if given.
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
 * When a courier who is at the counter from `thereS` on has the orders of the bundle that they are already fetching.
 * They collect those however late it is. -Infinity if there are none.
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

/** When a courier who sets out from the place at `setOutS` reaches the order's last drop-off, seconds. */
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

/** Replaces a courier's chain. `costS` is its cost, seconds. */
export function setChain(board: Board, courier: number, slots: Int32Array, length: number, costS: number): void {
  const base = courier * board.width;
  for (let index = 0; index < length; index += 1) board.slots[base + index] = slots[index]!;
  board.lengths[courier] = length;
  board.costS[courier] = costS;
}

/** Removes an order from its courier's chain. Returns the change of the chain's cost, seconds. */
export function removeFromChain(board: Board, order: number): number {
  const { slots, lengths, costS, courierOf, width } = board;
  const courier = courierOf[order]!;
  const base = courier * width;
  const length = lengths[courier]! - 1;
  let at = base;
  while (slots[at]! >> 1 !== order) at += 1;
  const began = slots[at]! & 1;
  for (let index = at; index < base + length; index += 1) slots[index] = slots[index + 1]!;
  // The next order of the same bundle now begins it.
  if (began === 1 && at < base + length) slots[at] = slots[at]! | 1;
  lengths[courier] = length;
  courierOf[order] = NOBODY;
  const before = costS[courier]!;
  costS[courier] = chainCostS(board, courier, slots, base, length);
  return costS[courier]! - before;
}

/** The cost of an order in the current plan, seconds. */
export function costInPlanS(board: Board, order: number): number {
  const courier = board.courierOf[order]!;
  if (courier === NOBODY) return board.leaveS[order]!;
  const base = courier * board.width;
  chainCostS(board, courier, board.slots, base, board.lengths[courier]!, Infinity, board.eachS);
  return board.eachS[order]!;
}
