import { AsyncLocalStorage } from 'node:async_hooks';
import type { mongo } from 'mongoose';
import type { Audited, AuditEntry, AuditOrigin } from '../../domain/audit.ts';
import { newId } from '../../domain/ids.ts';
import type { Mongo } from '../../engines/mongo.ts';
import { acrossTenants } from '../../engines/tenants/tenants.ts';
import { pageOf, rowsAfter } from '../../engines/pages.ts';
import type { AuditFilter, AuditLog } from '../../ports/access.ts';
import type { Page, PageRequest } from '../../ports/pages.ts';
import type { Clock } from '../../ports/process.ts';
import { AUDIT, type AuditRow } from '../audit-shapes.ts';
import { storeEntries } from '../store-entries.ts';
import { sealAudit } from './seal-audit.ts';

const NEWEST_FIRST = { at: -1, _id: -1 } as const;

/** A failover must not take back what a retry has seen. */
const MAJORITY = { readConcern: { level: 'majority' } } as const;

/** The origin of work that no request began. */
const SYSTEM: AuditOrigin = { actor: { type: 'system', id: null }, requestId: null, network: null };

/** The stored audit log. Rows are only ever added; the chain over them is made apart, so that no writer waits for it. */
export function createAuditLog(mongo: Mongo, clock: Clock): AuditLog {
  const origins = new AsyncLocalStorage<AuditOrigin>();
  /** The id of the entry that the edit of a request has in each try. */
  const edits = new AsyncLocalStorage<AuditEntry['id']>();
  const draft = (audited: Audited, by: AuditOrigin['actor'] | null = null): AuditEntry => {
    const origin = origins.getStore() ?? SYSTEM;
    return { id: newId('aud'), at: clock.real.now(), ...origin, ...audited, ...(by === null ? {} : { actor: by }) };
  };
  return {
    within: (origin, work) => origins.run(origin, work),
    withinTry: ({ seed }, work) => edits.run(`aud_${seed}`, work),
    draft,
    draftEdit: (audited, by) => {
      const entry = draft(audited, by);
      return { ...entry, id: edits.getStore() ?? entry.id };
    },
    isEdited: async () => {
      const id = edits.getStore();
      if (id === undefined) return false;
      const rows = mongo.collection(AUDIT);
      return (await acrossTenants('own_edit', () => rows.findOne({ _id: id }, MAJORITY))) !== null;
    },
    record: (audited) => storeEntries(mongo, [draft(audited)], {}),
    list: (filter, page) => list(mongo, filter, page),
    seal: (limit) => sealAudit(mongo, clock, limit),
  };
}

async function list(
  mongo: Mongo,
  { actorId, action, objectId, vendorId, liveMode, from, to }: AuditFilter,
  { limit, after }: PageRequest,
): Promise<Page<AuditEntry>> {
  const wanted: mongo.Filter<AuditRow>[] = [{ at: { $gte: from ?? 0, $lt: to ?? Number.MAX_SAFE_INTEGER } }];
  if (actorId !== undefined) wanted.push({ 'actor.id': actorId });
  if (action !== undefined) wanted.push({ action });
  if (objectId !== undefined) wanted.push({ objectId });
  if (vendorId !== undefined) wanted.push({ vendorId });
  if (liveMode !== undefined) wanted.push({ liveMode: { $in: [liveMode, null] } });
  const rows = await mongo
    .collection(AUDIT)
    .find({ $and: [...wanted, rowsAfter(after, NEWEST_FIRST)] })
    .sort(NEWEST_FIRST)
    .limit(limit + 1)
    .toArray();
  const entries = rows.map(({ _id, due: _due, ...entry }): AuditEntry => ({ id: _id, ...entry }));
  return pageOf(entries, limit, ({ at, id }) => ({ at, id }));
}
