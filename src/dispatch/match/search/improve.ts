import { costInPlanS, removeFromChain, type Board } from '../board.ts';
import { findPlace, putInPlace, type Inserter } from './insert.ts';
import { findKin, type Kin } from './relate.ts';
import { makeUndo, type Undo } from './undo.ts';
import { NOBODY } from '../world.ts';

type Search = {
  readonly inserter: Inserter;
  readonly movable: Int32Array;
  readonly kin: Kin;
  readonly undo: Undo;
  readonly random: () => number;
  readonly removed: Int32Array;
  /** The courier that each removed order was taken from. */
  readonly wasWith: Int32Array;
  count: number;
};

/**
 * Improves the plan by ruin and recreate (Schrimpf et al. 2000). Each round removes a few related orders, puts each back where
 * it adds the least, and keeps the result unless it is worse. The search ends after a number of rounds or once `isOver`
 * returns true. Returns the number of rounds.
 */
export function improve(inserter: Inserter, movable: Int32Array, random: () => number, isOver: () => boolean): number {
  if (movable.length === 0) return 0;
  const { board } = inserter;
  const { removedAtOnce, kin, mostRounds, roundsPerOrder } = board.rules.search;
  const search: Search = {
    inserter,
    movable,
    kin: findKin(board.arena, movable, kin),
    undo: makeUndo(board, removedAtOnce * 2),
    random,
    removed: new Int32Array(removedAtOnce),
    wasWith: new Int32Array(removedAtOnce),
    count: 0,
  };
  const most = Math.min(mostRounds, roundsPerOrder * movable.length);
  let rounds = 0;
  for (; rounds < most; rounds += 1) {
    if (rounds % ROUNDS_PER_LOOK === 0 && isOver()) break;
    search.undo.begin();
    const change = ruin(search) + recreate(search);
    // If a way is slower without a stop, a ruined chain can be impossible. Then the change is not a number.
    if (!(change <= WORSE_S)) search.undo.takeBack();
  }
  return rounds;
}

/** Rounds between two reads of the clock: about 0.1 ms. */
const ROUNDS_PER_LOOK = 16;
/** Smaller changes are rounding errors, seconds. */
const WORSE_S = 1e-6;

/** Takes 1 to `mostRemoved` related orders out of the plan. Gives the change of the cost, seconds. */
function ruin(search: Search): number {
  const { removed, random } = search;
  const wanted = 1 + Math.floor(random() * removed.length);
  search.count = 0;
  let change = takeOut(search, pickLate(search));
  while (search.count < wanted) {
    const next = pickKin(search);
    if (next === -1) break;
    change += takeOut(search, next);
  }
  return change;
}

/** Puts the orders back one by one: in random order, by ready time, or by ready time backwards. Chance picks the way. */
function recreate(search: Search): number {
  const { inserter, removed, count, random, undo } = search;
  const { readyS } = inserter.board.arena.orders;
  const way = Math.floor(random() * 3);
  for (let index = 1; index < count; index += 1) {
    if (way === 0) {
      swap(removed, index, Math.floor(random() * (index + 1)));
      continue;
    }
    for (let at = index; at > 0; at -= 1) {
      const isSorted = readyS[removed[at - 1]!]! <= readyS[removed[at]!]!;
      if (isSorted === (way === 1)) break;
      swap(removed, at - 1, at);
    }
  }
  let change = 0;
  for (let index = 0; index < count; index += 1) {
    change += findPlace(inserter, removed[index]!);
    if (inserter.courier !== NOBODY) undo.keep(inserter.courier);
    putInPlace(inserter, removed[index]!);
  }
  return change;
}

/** Picks three random orders and returns the one that loses most by the plan, since late orders have most to gain. */
function pickLate({ inserter, movable, random }: Search): number {
  let best = movable[0]!;
  let most = -Infinity;
  for (let tries = 0; tries < LATE_TRIES; tries += 1) {
    const order = movable[Math.floor(random() * movable.length)]!;
    const loss = lossS(inserter, order);
    if (loss <= most) continue;
    most = loss;
    best = order;
  }
  return best;
}

/** The cost of an order in the plan, minus its cost if its best courier did nothing else, seconds. */
function lossS({ board, shortlist }: Inserter, order: number): number {
  const first = shortlist.from[order]!;
  const leastS = first < shortlist.from[order + 1]! ? shortlist.aloneS[first]! : 0;
  return costInPlanS(board, order) - leastS;
}

/** Picks an order related to a removed one: near in place and time, or of the same courier. Returns -1 if it finds none. */
function pickKin({ inserter, kin, removed, wasWith, count, random }: Search): number {
  const { board } = inserter;
  for (let tries = 0; tries < KIN_TRIES; tries += 1) {
    const index = Math.floor(random() * count);
    const other =
      random() < SAME_COURIER_SHARE ? anyOf(board, wasWith[index]!, random) : kinOf(kin, removed[index]!, random);
    if (other === -1 || board.arena.orders.heldBy[other] !== NOBODY || removed.subarray(0, count).includes(other))
      continue;
    return other;
  }
  return -1;
}

function kinOf({ of, size }: Kin, order: number, random: () => number): number {
  const chance = random();
  return of[order * size + Math.floor(size * chance * chance)]!;
}

function anyOf({ slots, lengths, width }: Board, courier: number, random: () => number): number {
  if (courier === NOBODY || lengths[courier] === 0) return -1;
  return slots[courier * width + Math.floor(random() * lengths[courier]!)]! >> 1;
}

/** Takes an order out of its chain. Gives the change of the cost, seconds. */
function takeOut(search: Search, order: number): number {
  const { board } = search.inserter;
  const courier = board.courierOf[order]!;
  search.wasWith[search.count] = courier;
  search.removed[search.count++] = order;
  if (courier === NOBODY) return -board.leaveS[order]!;
  search.undo.keep(courier);
  return removeFromChain(board, order);
}

function swap(list: Int32Array, a: number, b: number): void {
  const kept = list[a]!;
  list[a] = list[b]!;
  list[b] = kept;
}

const LATE_TRIES = 3;
const KIN_TRIES = 4;
const SAME_COURIER_SHARE = 0.3;
