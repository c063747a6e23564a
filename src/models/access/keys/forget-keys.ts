import type { mongo as engine } from 'mongoose';
import type { ApiKey } from '../../../ports/access.ts';
import type { KeyRow } from '../credential-shapes.ts';
import { aliveAt } from './key-rows.ts';

/** The newest keys of a vendor and mode, whose rows stay although they have ended. */
const MOST_KEPT = 1000;
/** Most rows that are deleted at a time. There are more only if an earlier version kept them. */
const BATCH = 100;
const NEWEST_FIRST = { createdAt: -1, keyId: -1 } as const;
const OLDEST_FIRST = { createdAt: 1, keyId: 1 } as const;

/**
 * Deletes rows of keys that have ended and are older than the newest 1,000 of their vendor and mode. Otherwise a program
 * that makes keys without end would fill the database. A new key is not refused instead: the vendor may need it now.
 */
export async function forgetOldKeys(
  rows: engine.Collection<KeyRow>,
  { vendorId, liveMode }: Pick<ApiKey, 'vendorId' | 'liveMode'>,
  at: number,
  session: engine.ClientSession,
): Promise<void> {
  const owned = { vendorId, liveMode };
  // Only the index is read.
  const projection = { _id: 0, createdAt: 1 } as const;
  const last = await rows.findOne(owned, { session, projection, sort: NEWEST_FIRST, skip: MOST_KEPT - 1 });
  if (last === null) return;
  const old = await rows
    .find({ ...owned, createdAt: { $lt: last.createdAt }, $nor: [aliveAt(at)] }, { session, projection: { _id: 1 } })
    .sort(OLDEST_FIRST)
    .limit(BATCH)
    .toArray();
  if (old.length > 0) await rows.deleteMany({ _id: { $in: old.map(({ _id }) => _id) } }, { session });
}
