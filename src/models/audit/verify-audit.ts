import type { Mongo } from '../../engines/mongo.ts';
import { AUDIT, AUDIT_CHAIN, type AuditRow, type LinkRow } from '../audit-shapes.ts';
import { hashAfter, START } from './seal-audit.ts';

/** The newest link of the chain: its number (0 for an empty chain) and its hash. */
export type AuditHead = { readonly sequence: number; readonly hash: string };

/** The result of a check of the whole log. `sequence` is the number of the first bad link; null for a stray entry. */
export type AuditCheck =
  | { readonly ok: true; readonly head: AuditHead }
  | { readonly ok: false; readonly sequence: number | null; readonly entryId: string | null; readonly why: string };

/** Rows in one read. */
const BATCH = 1000;

/**
 * Computes the chain again and compares every link. Then it looks for entries that no link has.
 * @param known a head that was noted earlier, which the chain must still contain; null for none
 */
export async function verifyAudit(mongo: Mongo, known: AuditHead | null = null): Promise<AuditCheck> {
  let head: AuditHead = { sequence: 0, hash: START };
  for (let links = await linksAfter(mongo, 0); links.length > 0; links = await linksAfter(mongo, head.sequence)) {
    const entries = await entriesOf(mongo, links);
    for (const link of links) {
      const why = judge(link, entries.get(link.entryId) ?? null, head, known);
      const sequence = head.sequence + 1;
      if (why !== null) return { ok: false, sequence, entryId: link.entryId, why };
      head = { sequence, hash: link.hash };
    }
  }
  if (known !== null && known.sequence > head.sequence)
    return { ok: false, sequence: head.sequence + 1, entryId: null, why: 'The end of the chain is missing.' };
  const stray = await findStray(mongo);
  if (stray === null) return { ok: true, head };
  return { ok: false, sequence: null, entryId: stray, why: 'No link of the chain has this entry.' };
}

/** Why a link is bad; null if it is sound. */
function judge(link: LinkRow, entry: AuditRow | null, before: AuditHead, known: AuditHead | null): string | null {
  if (link._id !== before.sequence + 1) return 'This link of the chain is missing.';
  if (entry === null) return 'The entry of this link is missing.';
  if (hashAfter(before.hash, entry) !== link.hash) return 'The entry or its link was changed.';
  const isOther = known !== null && known.sequence === link._id && known.hash !== link.hash;
  return isOther ? 'The chain differs from the noted head.' : null;
}

function linksAfter(mongo: Mongo, sequence: number): Promise<LinkRow[]> {
  return mongo
    .collection(AUDIT_CHAIN)
    .find({ _id: { $gt: sequence } })
    .sort({ _id: 1 })
    .limit(BATCH)
    .toArray();
}

async function entriesOf(mongo: Mongo, links: readonly LinkRow[]): Promise<ReadonlyMap<string, AuditRow>> {
  const ids = links.map(({ entryId }) => entryId);
  const found = await mongo
    .collection(AUDIT)
    .find({ _id: { $in: ids } })
    .toArray();
  return new Map(found.map((entry) => [entry._id, entry]));
}

/** The first entry that is not due and that no link has; null if there is none. */
async function findStray(mongo: Mongo): Promise<string | null> {
  const entries = mongo.collection(AUDIT);
  const chain = mongo.collection(AUDIT_CHAIN);
  for (let after = ''; ;) {
    const page = await entries
      .find({ _id: { $gt: after as AuditRow['_id'] } }, { projection: { due: 1 } })
      .sort({ _id: 1 })
      .limit(BATCH)
      .toArray();
    const ids = page.filter(({ due }) => due !== true).map(({ _id }) => _id);
    const linked = await chain.find({ entryId: { $in: ids } }, { projection: { entryId: 1 } }).toArray();
    const known = new Set(linked.map(({ entryId }) => entryId));
    const stray = ids.find((id) => !known.has(id));
    if (stray !== undefined) return stray;
    const last = page.at(-1);
    if (last === undefined) return null;
    after = last._id;
  }
}
