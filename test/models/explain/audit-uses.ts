import { newId, type VendorId } from '../../../src/domain/ids.ts';
import type { AuditLog } from '../../../src/ports/access.ts';
import { turnPages, type Calls } from './calls.ts';

const LIMIT = 20;
const NOBODY = { actor: { type: 'system', id: null }, requestId: null, network: null } as const;
const AUDITED = {
  action: 'courier.onboard',
  objectId: newId('cou'),
  vendorId: null,
  liveMode: null,
  changes: {},
} as const;

/** Calls of every method of the audit log. */
export function auditCalls(audit: AuditLog, vendorId: VendorId, now: number): Calls<AuditLog> {
  return {
    within: () => audit.within(NOBODY, () => null),
    withinTry: () => audit.withinTry({ seed: 'x'.repeat(26) }, () => audit.isEdited()),
    draft: () => audit.draft(AUDITED),
    draftEdit: () => audit.draftEdit(AUDITED),
    isEdited: () => audit.isEdited(),
    record: () => audit.record(AUDITED),
    list: async () => {
      const filters = [{}, { vendorId, liveMode: true }, { actorId: 'stf' }, { objectId: 'del' }];
      for (const filter of [...filters, { action: AUDITED.action }, { from: now - 1000, to: now }]) {
        await turnPages((after) => audit.list(filter, { limit: LIMIT, after }));
      }
    },
    seal: () => audit.seal(LIMIT),
  };
}
