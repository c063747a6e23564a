import { changesOf, type AuditAction, type Audited } from '../../domain/audit.ts';
import type { Courier, Standing } from '../../domain/couriers/courier.ts';

/** Fields of a courier by the names that the audit log shows. */
type Facts = Parameters<typeof changesOf>[0];

/**
 * A change of a courier as the audit log shows it. The write of the change stores its entry.
 * @param before the fields before the change; null for a new courier
 */
export function auditedCourier(
  action: AuditAction,
  { id: objectId, liveMode }: Courier,
  [before, after]: readonly [before: Facts, after: Facts],
): Audited {
  return { action, objectId, vendorId: null, liveMode, changes: changesOf(before, after) };
}

/**
 * The activation or the suspension of a courier.
 * @param reason what causes it: `documents`, or the words of staff; null for none
 */
export function auditedStanding(before: Courier, standing: Standing, reason: string | null): Audited {
  return auditedCourier('courier.state', before, [factsOf(before), { ...factsOf(standing), reason }]);
}

function factsOf({ state, availability, suspendedFor }: Standing) {
  return { state, availability, suspended_for: suspendedFor ?? null };
}
