import { pickupDueAt, type Delivery } from '../../domain/deliveries/delivery.ts';
import type { CancelReason, FailReason } from '../../domain/deliveries/states.ts';
import { isStopEnded, type Stop } from '../../domain/deliveries/stops/stop.ts';

/** The side on which the cause of an end lies. `vendor` is the vendor or the recipient, and pays. */
type Fault = 'vendor' | 'courier' | 'platform';

/** The cause behind each reason of a cancel. */
const CANCEL_FAULTS: Readonly<Record<CancelReason, Fault>> = {
  customer_request: 'vendor',
  duplicate: 'vendor',
  wrong_address: 'vendor',
  item_unavailable: 'vendor',
  not_ready: 'vendor',
  courier_late: 'courier',
  price: 'vendor',
  other: 'vendor',
  store_closed: 'vendor',
  no_courier_available: 'platform',
  test_expired: 'platform',
};

/** The cause behind each reason of a failed drop-off. */
const FAIL_FAULTS: Readonly<Record<FailReason, Fault>> = {
  customer_unavailable: 'vendor',
  customer_refused: 'vendor',
  address_not_found: 'vendor',
  access_denied: 'vendor',
  damaged: 'courier',
  lost: 'courier',
  unsafe: 'courier',
  id_check_failed: 'vendor',
  pin_failed: 'vendor',
};

/**
 * Says whether a cancel lies with vendor or recipient. A vendor who names no reason has one. Staff who name none, or
 * `other`, act for the platform. `courier_late` lies with the courier only if they are late by `lateMs` or more.
 */
export function isVendorsCancel(
  { by, reason }: NonNullable<Delivery['ending']>,
  before: Delivery,
  now: number,
  lateMs: number,
): boolean {
  const named = (reason ?? 'other') as CancelReason;
  if (by === 'staff' && named === 'other') return false;
  if (named === 'courier_late') return latenessMs(before, now) < lateMs;
  return CANCEL_FAULTS[named] === 'vendor';
}

/** Says whether the drop-off failed through vendor or recipient. A drop-off has a reason only if it failed. */
export function isVendorsFailure({ reason }: Stop): boolean {
  return FAIL_FAULTS[reason as FailReason] === 'vendor';
}

/** Says whether the drop-off failed through courier or platform. Then it costs nothing. */
export function isFreeStop(stop: Stop): boolean {
  return stop.reason !== null && !isVendorsFailure(stop);
}

/** When the clock alone makes the courier late by `lateMs`, service time in ms. */
export function lateMoments(delivery: Delivery, lateMs: number): number[] {
  const { arrivedAt, doneAt } = delivery.pickup;
  const isAtPickup = arrivedAt !== null || doneAt !== null;
  return [...(isAtPickup ? [] : [pickupDueAt(delivery)]), ...dropOffsDueAt(delivery)].map((at) => at + lateMs);
}

/** How late the courier is, or was at the pickup, ms. Below 0: they still have time. */
function latenessMs(delivery: Delivery, now: number): number {
  const { arrivedAt, doneAt } = delivery.pickup;
  const atPickup = (arrivedAt ?? doneAt ?? now) - pickupDueAt(delivery);
  return Math.max(atPickup, ...dropOffsDueAt(delivery).map((dueAt) => now - dueAt));
}

/**
 * When the courier is due at each open drop-off with a deadline, service time in ms. The vendor names the deadline, so it
 * counts no earlier than a punctual courier could be there. Before the courier has the goods that they wait for, no
 * drop-off is due.
 */
function dropOffsDueAt(delivery: Delivery): number[] {
  const { dropOffs, durationS } = delivery;
  const { arrivedAt, doneAt } = delivery.pickup;
  if (arrivedAt !== null && doneAt === null) return [];
  const dueAt = pickupDueAt(delivery);
  const setsOutAt = doneAt === null ? dueAt : doneAt - Math.max(0, (arrivedAt ?? doneAt) - dueAt);
  return dropOffs.flatMap((stop) => {
    const deadlineAt = stop.window?.deadlineAt ?? null;
    if (deadlineAt === null || isStopEnded(stop)) return [];
    const wayMs = (durationS * 1000 * stop.visit) / dropOffs.length;
    return [Math.max(deadlineAt, setsOutAt + wayMs)];
  });
}
