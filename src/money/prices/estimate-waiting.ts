import type { WaitingEstimate } from '../../domain/deliveries/quote.ts';
import type { Settings } from '../../settings.ts';
import { amountOf } from '../amount.ts';

const MINUTE_MS = 60_000;

/**
 * The minutes of waiting at the pickup that will probably be charged, and their charge. It is information and not a line of
 * the fee.
 * If the goods have a named ready time, waiting counts from it, so none is expected.
 * @param preparationMs how long the goods are expected to take; null if their ready time is named
 * @param arrivalMs how soon a courier may be at the pickup
 */
export function estimateWaiting(
  preparationMs: number | null,
  arrivalMs: number,
  { waitFreeMs, mostWaitMin, waitPerMinFee }: Settings['charges'],
): WaitingEstimate {
  const waitedMs = (preparationMs ?? 0) - arrivalMs - waitFreeMs;
  const minutes = Math.min(mostWaitMin, Math.max(0, Math.ceil(waitedMs / MINUTE_MS)));
  return { minutes, amount: amountOf(minutes * waitPerMinFee) };
}
