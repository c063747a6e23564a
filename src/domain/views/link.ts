import { stopAt, type Delivery } from '../deliveries/delivery.ts';

/** A link ends `afterEndMs` after the end of the delivery and at most `mostMs` after creation; both service time. */
export type LinkLife = { readonly afterEndMs: number; readonly mostMs: number };

/**
 * When the tracking link of a drop-off ends, by what is known now; service time in ms. It ends some time after its stop
 * or the delivery ended. It ends at the latest some time after creation or, for a scheduled delivery, after its
 * windows.
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
