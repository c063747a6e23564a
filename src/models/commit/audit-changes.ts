import { changesOf, type Audited } from '../../domain/audit.ts';
import type { Delivery } from '../../domain/deliveries/delivery.ts';
import type { AuditLog } from '../../ports/access.ts';
import type { Change, Commit } from '../../ports/changes.ts';

/** The same commit. A change that staff make is audited in its transaction. */
export function auditChanges(commit: Commit, audit: Pick<AuditLog, 'draft'>): Commit {
  return (change) => {
    const actor = change.events.map(({ data }) => data.actor).find(({ type }) => type === 'staff');
    if (actor === undefined) return commit(change);
    const entry = audit.draft(auditedIn(change), { type: 'staff', id: actor.id ?? null });
    return commit({ ...change, effects: [...change.effects, { kind: 'audit', entry }] });
  };
}

function auditedIn({ before, after, events }: Change): Audited {
  const reasons = events.flatMap(({ data }) => [data['override_reason'], data['reason']]);
  const reason = reasons.find((one): one is string => typeof one === 'string');
  const types = events.map(({ type }) => type);
  const changed = events.flatMap(({ data }) => data.changed ?? []);
  return {
    action: 'delivery.change',
    objectId: after.id,
    vendorId: after.vendorId,
    liveMode: after.liveMode,
    changes: {
      ...changesOf(before === null ? null : factsOf(before), factsOf(after)),
      ...changesOf(null, {
        events: types,
        ...(changed.length === 0 ? {} : { changed }),
        ...(reason === undefined ? {} : { reason }),
      }),
    },
  };
}

/**
 * The fields that an entry compares. The entry only names the others that changed: it is kept for ever, so it has no names
 * and places of people.
 */
function factsOf({ version, state, stage, courierId, fee, tip = 0 }: Delivery) {
  return { version, state, stage, courier_id: courierId, fee, tip };
}
