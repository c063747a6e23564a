import type { Delivery } from '../../domain/deliveries/delivery.ts';
import type { Settings } from '../../settings.ts';

const MINUTE_MS = 60_000;

/**
 * The minutes of waiting at the pickup that cost. They count from `waitFreeMs` after the later of arrival and the ready
 * time at the arrival until the goods are collected, or until now. Each minute that is begun counts, up to `mostWaitMin`.
 * `untilAt` is when the number rises next, service time in ms; null if it rises no more.
 */
export function waitOf(
  { pickup, preparation }: Pick<Delivery, 'pickup' | 'preparation'>,
  now: number,
  { waitFreeMs, mostWaitMin }: Settings['charges'],
): { readonly minutes: number; readonly untilAt: number | null } {
  if (pickup.arrivedAt === null) return { minutes: 0, untilAt: null };
  // A delay only moves the ready time back, and goods that are ready sooner end what it gave.
  const readyAt = Math.min(preparation.waitsFromAt ?? Infinity, pickup.window?.readyAt ?? 0);
  const fromAt = Math.max(pickup.arrivedAt, readyAt) + waitFreeMs;
  const waitedMs = (pickup.doneAt ?? now) - fromAt;
  const minutes = Math.min(mostWaitMin, Math.max(0, Math.ceil(waitedMs / MINUTE_MS)));
  const isOver = pickup.doneAt !== null || minutes === mostWaitMin;
  return { minutes, untilAt: isOver ? null : fromAt + minutes * MINUTE_MS };
}
