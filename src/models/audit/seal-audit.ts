import { createHash } from 'node:crypto';
import { canonical } from '../../engines/canonical.ts';
import { isAny } from '../../engines/is-any.ts';
import { isDuplicateKey, type Mongo } from '../../engines/mongo.ts';
import { transact } from '../../engines/transact.ts';
import type { Clock } from '../../ports/process.ts';
import { AUDIT, AUDIT_CHAIN, type AuditRow, type LinkRow } from '../audit-shapes.ts';

/** The hash before the first link. */
export const START = '0'.repeat(64);

/**
 * Adds up to `limit` due entries to the chain, oldest first. Two processes may do so at once: the number of a link is
 * its key, so one of them adds nothing.
 * @returns the number of entries that were added
 */
export async function sealAudit(mongo: Mongo, clock: Clock, limit: number): Promise<number> {
  const entries = mongo.collection(AUDIT);
  const chain = mongo.collection(AUDIT_CHAIN);
  // Most looks find nothing, and need no transaction.
  if (!(await isAny(mongo, clock, AUDIT, { due: true }))) return 0;
  try {
    return await transact(mongo, clock, async (session) => {
      const due = await entries.find({ due: true }, { session }).sort({ _id: 1 }).limit(limit).toArray();
      if (due.length === 0) return 0;
      const [last] = await chain.find({}, { session }).sort({ _id: -1 }).limit(1).toArray();
      await chain.insertMany(linksAfter(last ?? null, due), { session });
      await entries.updateMany({ _id: { $in: due.map(({ _id }) => _id) } }, { $unset: { due: '' } }, { session });
      return due.length;
    });
  } catch (error) {
    // Another process has made these links.
    if (isDuplicateKey(error)) return 0;
    throw error;
  }
}

function linksAfter(last: LinkRow | null, due: readonly AuditRow[]): LinkRow[] {
  let [number, hash] = last === null ? [0, START] : [last._id, last.hash];
  return due.map((entry) => {
    number += 1;
    hash = hashAfter(hash, entry);
    return { _id: number, entryId: entry._id, hash };
  });
}

/** The hash of a link: of the hash before it and the entry, in a form that does not depend on the order of fields. */
export function hashAfter(before: string, { due: _due, ...entry }: AuditRow): string {
  return createHash('sha256')
    .update(`${before}\n${canonical(entry)}`)
    .digest('hex');
}
