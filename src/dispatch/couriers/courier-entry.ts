import { changesOf, type AuditAction, type AuditEntry } from '../../domain/audit.ts';
import type { Courier } from '../../domain/couriers/courier.ts';
import type { Context } from '../../ports/context.ts';

/** Fields of a courier by the names that the audit log shows. */
type Facts = Parameters<typeof changesOf>[0];

/**
 * The entry of the audit log for a change of a courier. The write of the change stores it.
 * @param before the fields before the change; null for a new courier
 */
export function courierEntry(
  { audit }: Pick<Context, 'audit'>,
  action: AuditAction,
  { id: objectId, liveMode }: Courier,
  [before, after]: readonly [before: Facts, after: Facts],
): AuditEntry {
  return audit.draft({ action, objectId, vendorId: null, liveMode, changes: changesOf(before, after) });
}
