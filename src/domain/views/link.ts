import { stopAt, type Delivery } from '../deliveries/delivery.ts';

/** `afterEndMs` after the end state, `mostMs` after creation; both service time. */
export type LinkLife = { readonly afterEndMs: number; readonly mostMs: number };

/**
 * When the tracking link of a drop-off ends, as things stand: some time after its stop or the delivery ended, and at the
 * latest some time after creation or, for a scheduled delivery, after its windows. Service time in ms.
 */
export function linkEndsAt(delivery: Delivery, stop: number, life: LinkLife): number {
  const { priority, pickup, dropOffs, times } = delivery;
  const windows = (priority === 'scheduled' ? [pickup, ...dropOffs] : []).map(
    ({ window }) => window?.deadlineAt ?? window?.readyAt ?? 0,
  );
  const latest = Math.max(times.createdAt, ...windows) + life.mostMs;
  const endedAt = stopAt(delivery, stop)?.doneAt ?? times.deliveredAt ?? times.canceledAt ?? times.failedAt;
  return endedAt === null ? latest : Math.min(latest, endedAt + life.afterEndMs);
}
