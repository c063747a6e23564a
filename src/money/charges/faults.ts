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
  const { pickup, dropOffs } = delivery;
  const isAtPickup = pickup.arrivedAt !== null || pickup.doneAt !== null;
  const open = dropOffs.filter((stop) => !isStopEnded(stop)).flatMap(({ window }) => window?.deadlineAt ?? []);
  return [...(isAtPickup ? [] : [pickupDueAt(delivery)]), ...open].map((at) => at + lateMs);
}

/** How late the courier is, or was at the pickup, ms. Below 0: they still have time. */
function latenessMs(delivery: Delivery, now: number): number {
  const { pickup, dropOffs } = delivery;
  const atPickup = (pickup.arrivedAt ?? pickup.doneAt ?? now) - pickupDueAt(delivery);
  const deadlines = dropOffs.filter((stop) => !isStopEnded(stop)).map(({ window }) => window?.deadlineAt ?? Infinity);
  return Math.max(atPickup, ...deadlines.map((deadlineAt) => now - deadlineAt));
}
