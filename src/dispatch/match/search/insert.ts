import { chainCostS, setChain, type Board } from '../board.ts';
import type { Peers } from './peers.ts';
import type { Shortlist } from '../shortlist.ts';
import { NOBODY } from '../world.ts';

/** The search for the best place of an order. It has its own buffers, so it makes no garbage. */
export type Inserter = {
  readonly board: Board;
  readonly shortlist: Shortlist;
  readonly counters: Peers;
  readonly trial: Int32Array;
  /** The best chain found for the current order: its courier, its length, its cost and the cost that the order adds, seconds. */
  readonly best: Int32Array;
  courier: number;
  length: number;
  chainS: number;
  addedS: number;
};

export function makeInserter(board: Board, shortlist: Shortlist, counters: Peers): Inserter {
  const trial = new Int32Array(board.width + 1);
  const best = new Int32Array(board.width + 1);
  return { board, shortlist, counters, trial, best, courier: NOBODY, length: 0, chainS: 0, addedS: 0 };
}

/**
 * Finds where an order adds the least cost: as a bundle of its own anywhere in a chain, or in a bundle from the same counter.
 * Leaving the order out is one of the choices. Returns the cost that the order adds, seconds.
 */
export function findPlace(inserter: Inserter, order: number): number {
  const { board, shortlist } = inserter;
  findJoin(inserter, order);
  for (let entry = shortlist.from[order]!; entry < shortlist.from[order + 1]!; entry += 1) {
    // The list is sorted by about the least that each courier can add, so a later one would hardly win.
    if (shortlist.aloneS[entry]! >= inserter.addedS) break;
    const courier = shortlist.couriers[entry]!;
    const usingS = board.lengths[courier] === 0 ? board.priceS[courier]! : 0;
    if (shortlist.aloneS[entry]! + usingS < inserter.addedS) tryNewBundle(inserter, order, courier);
  }
  return inserter.addedS;
}

/** Does the same, but looks only at bundles from the order's counter. */
export function findJoin(inserter: Inserter, order: number): number {
  const { board, counters } = inserter;
  const { courierOf, arena } = board;
  begin(inserter, order);
  const counter = arena.orders.counter[order]!;
  for (let entry = counters.from[counter]!; entry < counters.from[counter + 1]!; entry += 1) {
    const peer = counters.of[entry]!;
    const courier = courierOf[peer]!;
    if (courier !== NOBODY && arena.suits(order, courier)) tryJoining(inserter, order, courier, peer);
  }
  return inserter.addedS;
}

/** Does the same, but only as a bundle of its own and with one courier. */
export function findPlaceWith(inserter: Inserter, order: number, courier: number): number {
  begin(inserter, order);
  tryNewBundle(inserter, order, courier);
  return inserter.addedS;
}

/** Starts with leaving the order out as the best choice. */
function begin(inserter: Inserter, order: number): void {
  inserter.addedS = inserter.board.leaveS[order]!;
  inserter.courier = NOBODY;
}

/** Puts the order where the last `findPlace` found its best place. Does nothing if the order is better left out. */
export function putInPlace({ board, courier, best, length, chainS }: Inserter, order: number): void {
  if (courier === NOBODY) return;
  setChain(board, courier, best, length, chainS);
  board.courierOf[order] = courier;
}

/** Tries the order at every position of the bundle in which its peer stands, if the peer begins it. */
function tryJoining(inserter: Inserter, order: number, courier: number, peer: number): void {
  const { board } = inserter;
  const { slots, lengths, width } = board;
  const base = courier * width;
  const length = lengths[courier]!;
  if (length >= width) return;
  let first = 0;
  while (first < length && slots[base + first] !== peer * 2 + 1) first += 1;
  // The bundle is tried once, with the peer that begins it.
  if (first === length) return;
  let last = first + 1;
  while (last < length && (slots[base + last]! & 1) === 0) last += 1;
  if (!mayJoin(board, order, courier, slots, base + first, base + last)) return;
  for (let position = first; position <= last; position += 1) {
    copyAround(inserter, courier, position, length);
    inserter.trial[position] = position === first ? order * 2 + 1 : order * 2;
    if (position === first) inserter.trial[first + 1] = peer * 2;
    weigh(inserter, courier, length + 1);
  }
}

/**
 * Says whether the order may join the courier's bundle. It must wait at the same counter, there must be room, and it must be
 * ready at about the same time, so that no goods wait long for others.
 */
export function mayJoin(
  { arena, rules }: Board,
  order: number,
  courier: number,
  slots: Int32Array,
  from: number,
  to: number,
): boolean {
  const { readyS, counter } = arena.orders;
  if (counter[order] !== counter[slots[from]! >> 1]) return false;
  if (to - from >= Math.min(rules.limits.bundleSize, arena.couriers.capacity[courier]!)) return false;
  let first = readyS[order]!;
  let last = first;
  for (let index = from; index < to; index += 1) {
    first = Math.min(first, readyS[slots[index]! >> 1]!);
    last = Math.max(last, readyS[slots[index]! >> 1]!);
  }
  // Goods that are already ready lose only the wait from now on.
  return last - Math.max(0, first) <= rules.limits.readyGapS;
}

/** Tries the order as a bundle of its own before each bundle of the chain and after the last. */
function tryNewBundle(inserter: Inserter, order: number, courier: number): void {
  const { slots, lengths, width, rules, arena } = inserter.board;
  const base = courier * width;
  const length = lengths[courier]!;
  if (length >= width) return;
  let isAway = false;
  let planned = 0;
  for (let index = base; index < base + length; index += 1) {
    planned += slots[index]! & 1;
    // The first bundle need not begin with an order that the courier is fetching.
    if (planned === 1 && arena.orders.heldBy[slots[index]! >> 1] === courier) isAway = true;
  }
  if (planned - (isAway ? 1 : 0) >= rules.limits.bundles) return;
  for (let position = isAway ? 1 : 0; position <= length; position += 1) {
    if (position < length && (slots[base + position]! & 1) === 0) continue;
    copyAround(inserter, courier, position, length);
    inserter.trial[position] = order * 2 + 1;
    weigh(inserter, courier, length + 1);
  }
}

/** Copies the chain into the trial with a hole at the position. */
function copyAround({ board, trial }: Inserter, courier: number, position: number, length: number): void {
  const base = courier * board.width;
  for (let index = 0; index < position; index += 1) trial[index] = board.slots[base + index]!;
  for (let index = position; index < length; index += 1) trial[index + 1] = board.slots[base + index]!;
}

function weigh(inserter: Inserter, courier: number, length: number): void {
  const { board, trial, best } = inserter;
  const before = board.costS[courier]!;
  const chainS = chainCostS(board, courier, trial, 0, length, before + inserter.addedS);
  if (chainS - before >= inserter.addedS) return;
  inserter.addedS = chainS - before;
  inserter.chainS = chainS;
  inserter.courier = courier;
  inserter.length = length;
  for (let index = 0; index < length; index += 1) best[index] = trial[index]!;
}
