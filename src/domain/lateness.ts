import { nextDropOff, type Delivery } from './delivery.ts';
import { isTerminal } from './lifecycle.ts';

/**
 * From when a delivery counts as late, service time in ms; null once it has ended. Its windows say so; where they are
 * silent, the next drop-off is due `promiseMs` after the order, or after the goods were ready when that is later.
 */
export function lateFromAt(delivery: Delivery, promiseMs: number): number | null {
  if (isTerminal(delivery.state)) return null;
  const { pickup, times } = delivery;
  const startAt = Math.max(times.createdAt, pickup.window?.readyAt ?? 0);
  const dropOffAt = nextDropOff(delivery)?.window?.deadlineAt ?? startAt + promiseMs;
  const pickupAt = times.pickedUpAt === null ? (pickup.window?.deadlineAt ?? null) : null;
  return pickupAt === null ? dropOffAt : Math.min(pickupAt, dropOffAt);
}
