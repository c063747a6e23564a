import { nextDropOff, type Delivery, type Times } from './delivery.ts';
import { isTerminal } from './lifecycle.ts';
import type { Stop } from './stops/stop.ts';

type DueStop = Pick<Stop, 'index' | 'visit' | 'state' | 'window'>;
/** The fields of a delivery that say when it is due. */
type Due = Pick<Delivery, 'state'> & {
  readonly pickup: DueStop;
  readonly dropOffs: readonly DueStop[];
  readonly times: Pick<Times, 'createdAt' | 'pickedUpAt'>;
};

/**
 * From when a delivery counts as late, service time in ms; null once it has ended. Its windows decide. Without windows,
 * the next drop-off is due `promiseMs` after the order or after the goods were ready, whichever is later.
 */
export function lateFromAt(delivery: Due, promiseMs: number): number | null {
  if (isTerminal(delivery.state)) return null;
  const { pickup, times } = delivery;
  const dropOffAt = promisedAt(delivery, promiseMs);
  const pickupAt = times.pickedUpAt === null ? (pickup.window?.deadlineAt ?? null) : null;
  return pickupAt === null ? dropOffAt : Math.min(pickupAt, dropOffAt);
}

/**
 * When the next drop-off is due, service time in ms: by its window, or `promiseMs` after the order or the ready goods.
 */
export function promisedAt(delivery: Due, promiseMs: number): number {
  return dueOf(delivery, nextDropOff(delivery), promiseMs);
}

/** Says whether each drop-off that was delivered had been due no earlier. */
export function isOnTime(delivery: Delivery, promiseMs: number): boolean {
  const done = delivery.dropOffs.filter(({ state, doneAt }) => state === 'delivered' && doneAt !== null);
  return done.every((stop) => (stop.doneAt ?? 0) <= dueOf(delivery, stop, promiseMs));
}

function dueOf({ times, pickup }: Due, dropOff: DueStop | null, promiseMs: number): number {
  return dropOff?.window?.deadlineAt ?? Math.max(times.createdAt, pickup.window?.readyAt ?? 0) + promiseMs;
}
