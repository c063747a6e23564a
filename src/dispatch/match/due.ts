import type { Board } from './board.ts';
import type { Chain } from './carry-over.ts';
import { refusalsS } from './costs/refusals.ts';
import { NOBODY, type Arena } from './world.ts';

/** Orders to offer to a courier now. If `goesAlong`, the courier adds them to the orders that they are already fetching. */
export type Due = { readonly courier: number; readonly orders: readonly number[]; readonly goesAlong: boolean };

/**
 * Judges whether this run must offer the first bundle of a chain to its courier. The courier must be free. Waiting for the
 * next run must also be too late: for the ready time, for the pickup location that the courier is about to leave, or for the
 * end of a search. Returns null if the offer can wait.
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
  // A courier who has arrived at the pickup location may collect the goods and leave at any time.
  const isDue = goesAlong
    ? yesS > Math.max(thereS - arena.pickupAccessS, readyFromS(arena, held))
    : yesS + thereS > readyFromS(arena, open);
  return isDue || isLastCall ? { courier, orders: open, goesAlong } : null;
}

/** When the courier can be at the order's pickup location, seconds. */
function atCounterS({ couriers, orders, travelS, pickupAccessS }: Arena, courier: number, order: number): number {
  return couriers.startS[courier]! + travelS(courier, orders.place[order]!, couriers.vehicle[courier]!) + pickupAccessS;
}

/** The earliest time, seconds, at which the whole bundle may be ready. A courier is asked to be there by then. */
function readyFromS({ orders }: Arena, bundle: readonly number[]): number {
  const { readyS, readySpreadS } = orders;
  return bundle.reduce((latest, order) => Math.max(latest, readyS[order]! - readySpreadS[order]!), -Infinity);
}
