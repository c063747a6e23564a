import type { Board } from './board.ts';
import type { Chain } from './carry-over.ts';
import { refusalsS } from './costs/refusals.ts';
import { NOBODY, type Arena } from './world.ts';

/** Orders to be given to a courier now: a way of their own, or to go along with what he is on his way to. */
export type Due = { readonly courier: number; readonly orders: readonly number[]; readonly goesAlong: boolean };

/**
 * Judges what a chain begins with: is its courier to be asked in this run? Only when he is free, and when to ask him in the
 * next run instead would be too late: for the ready time, for the counter that he is about to leave, or for the end of a
 * search. Null when it can wait.
 */
export function judgeChain(board: Board, { courier, bundles }: Chain): Due | null {
  const { arena, rules } = board;
  const { couriers, orders } = arena;
  const first = bundles[0] ?? [];
  const held = first.filter((order) => orders.heldBy[order] === courier);
  const open = first.filter((order) => orders.heldBy[order] === NOBODY);
  if (open.length === 0 || couriers.isAsked[courier] === 1) return null;
  const goesAlong = held.length > 0;
  if (!goesAlong && couriers.isFree[courier] === 0) return null;
  const { lastCallS } = rules.weights;
  const yesS = arena.periodS + rules.asking.answerS + refusalsS(board, open[0]!, courier);
  const isLastCall = open.some((order) => yesS > orders.searchUntilS[order]! - lastCallS);
  const thereS = atCounterS(arena, courier, open[0]!);
  // At the counter nobody knows when he goes in to collect: from then on he may leave at any time.
  const isDue = goesAlong
    ? yesS > Math.max(thereS - arena.pickupAccessS, readyFromS(arena, held))
    : yesS + thereS > readyFromS(arena, open);
  return isDue || isLastCall ? { courier, orders: open, goesAlong } : null;
}

/** When the courier can be at the order's counter, seconds. */
function atCounterS({ couriers, orders, travelS, pickupAccessS }: Arena, courier: number, order: number): number {
  return couriers.startS[courier]! + travelS(courier, orders.place[order]!, couriers.vehicle[courier]!) + pickupAccessS;
}

/** From when on all of a bundle may be ready, seconds: where that is uncertain, somebody is to be there from the start. */
function readyFromS({ orders }: Arena, bundle: readonly number[]): number {
  const { readyS, readySpreadS } = orders;
  return bundle.reduce((latest, order) => Math.max(latest, readyS[order]! - readySpreadS[order]!), -Infinity);
}
