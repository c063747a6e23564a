import { nextDropOff, type Delivery } from './delivery.ts';
import { isTerminal } from './lifecycle.ts';

/**
 * From when a delivery counts as late, service time in ms; null once it has ended. Its windows decide. Without windows,
 * the next drop-off is due `promiseMs` after the order or after the goods were ready, whichever is later.
 */
export function lateFromAt(delivery: Delivery, promiseMs: number): number | null {
  if (isTerminal(delivery.state)) return null;
  const { pickup, times } = delivery;
  const dropOffAt = promisedAt(delivery, promiseMs);
  const pickupAt = times.pickedUpAt === null ? (pickup.window?.deadlineAt ?? null) : null;
  return pickupAt === null ? dropOffAt : Math.min(pickupAt, dropOffAt);
}

/**
 * When the next drop-off is due, service time in ms: by its window, or `promiseMs` after the order or the ready goods.
 */
export function promisedAt(delivery: Delivery, promiseMs: number): number {
  const startAt = Math.max(delivery.times.createdAt, delivery.pickup.window?.readyAt ?? 0);
  return nextDropOff(delivery)?.window?.deadlineAt ?? startAt + promiseMs;
}
