import { assignNew } from './assign-new.ts';
import { chainCostS, makeBoard, type Board } from '../board.ts';
import { carryOver, type Chain, type KeptChain } from '../carry-over.ts';
import { improve } from './improve.ts';
import { findPlace, makeInserter, mayJoin, putInPlace } from './insert.ts';
import { groupPeers } from './peers.ts';
import type { Rules } from '../rules.ts';
import { listCouriers, type Shortlist } from '../shortlist.ts';
import { enter, NOBODY, type World } from '../world.ts';

export type Searched = { readonly board: Board; readonly shortlist: Shortlist; readonly rounds: number };

/**
 * Makes the plan of one run. It first carries over the last plan, then assigns the new orders exactly, and then improves the
 * plan by a local search over all orders that no courier has yet. Pure.
 */
export function searchPlan(
  world: World,
  kept: readonly KeptChain[],
  rules: Rules,
  random: () => number,
  isOver: () => boolean,
): Searched {
  const arena = enter(world);
  const board = makeBoard(arena, rules);
  for (const chain of carryOver(world, kept)) takeChain(board, chain);
  const shortlist = listCouriers(board);
  const inserter = makeInserter(board, shortlist, groupPeers(world.orders.counter, world.orders.ids.length));
  const movable = Int32Array.from(world.orders.ids.keys()).filter((order) => world.orders.heldBy[order] === NOBODY);
  const isOut = (order: number): boolean => board.courierOf[order] === NOBODY;
  assignNew(inserter, [...movable].filter(isOut));
  // Orders left over: they should join a bundle, or fit only behind another new order.
  for (const order of movable.filter(isOut)) {
    findPlace(inserter, order);
    putInPlace(inserter, order);
  }
  return { board, shortlist, rounds: improve(inserter, movable, random, isOver) };
}

/** Takes the bundles of a chain that the courier can still carry out. It always takes the orders they are fetching. */
function takeChain(board: Board, { courier, bundles }: Chain): void {
  const { heldBy } = board.arena.orders;
  for (const planned of bundles) {
    const held = planned.filter((order) => heldBy[order] === courier);
    const bundle = fitting(board, courier, planned, held);
    if (bundle.length === 0 || append(board, courier, bundle)) continue;
    if (!append(board, courier, held)) return;
  }
}

/**
 * Returns the orders of a planned bundle that still belong together, since ready times and suitable couriers may have
 * changed. It leaves out goods that are ready too late for the others, but no order that the courier is fetching.
 */
function fitting(board: Board, courier: number, planned: readonly number[], held: readonly number[]): number[] {
  const { suits, orders } = board.arena;
  const slots = Int32Array.from(planned, () => 0);
  const taken = new Set<number>();
  const take = (order: number): void => {
    slots[taken.size] = order * 2;
    taken.add(order);
  };
  for (const order of held) take(order);
  for (const order of planned.toSorted((a, b) => orders.readyS[a]! - orders.readyS[b]!)) {
    if (taken.has(order) || !suits(order, courier)) continue;
    if (taken.size === 0 || mayJoin(board, order, courier, slots, 0, taken.size)) take(order);
  }
  return planned.filter((order) => taken.has(order));
}

/** Adds a bundle to the end of a chain. Returns false if there is no room or the courier cannot carry it out. */
function append(board: Board, courier: number, bundle: readonly number[]): boolean {
  const { slots, lengths, costS, courierOf, width } = board;
  const base = courier * width;
  const from = base + lengths[courier]!;
  const length = lengths[courier]! + bundle.length;
  if (bundle.length === 0 || length > width) return false;
  for (const [index, order] of bundle.entries()) slots[from + index] = order * 2 + (index === 0 ? 1 : 0);
  const cost = chainCostS(board, courier, slots, base, length);
  if (cost === Infinity) return false;
  lengths[courier] = length;
  costS[courier] = cost;
  for (const order of bundle) courierOf[order] = courier;
  return true;
}

/** The chains of a board, without those that are empty. */
export function chainsOf({ slots, lengths, width, arena }: Board): Chain[] {
  const chains: Chain[] = [];
  for (const courier of arena.couriers.ids.keys()) {
    const bundles: number[][] = [];
    for (let index = 0; index < lengths[courier]!; index += 1) {
      const slot = slots[courier * width + index]!;
      if ((slot & 1) === 1) bundles.push([]);
      bundles.at(-1)!.push(slot >> 1);
    }
    if (bundles.length > 0) chains.push({ courier, bundles });
  }
  return chains;
}
