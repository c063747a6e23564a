import type { Delivery } from './delivery.ts';

/** `afterEndMs` after the end state, `mostMs` after creation; both service time. */
export type LinkLife = { readonly afterEndMs: number; readonly mostMs: number };

/**
 * When the delivery's tracking link ends, as things stand: some time after the end state, and at the latest some time
 * after creation or, for a scheduled delivery, after its windows. Service time in ms.
 */
export function linkEndsAt({ pickup, dropOffs, times }: Delivery, life: LinkLife): number {
  const windows = [pickup, ...dropOffs].map(({ window }) => window?.deadlineAt ?? window?.readyAt ?? 0);
  const latest = Math.max(times.createdAt, ...windows) + life.mostMs;
  const endedAt = times.deliveredAt ?? times.canceledAt ?? times.failedAt;
  return endedAt === null ? latest : Math.min(latest, endedAt + life.afterEndMs);
}
