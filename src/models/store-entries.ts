import type { mongo } from 'mongoose';
import type { AuditEntry } from '../domain/audit.ts';
import type { FileEnd } from '../domain/files/file.ts';
import type { FileId } from '../domain/ids.ts';
import type { Mongo } from '../engines/mongo.ts';
import { transact } from '../engines/transact.ts';
import type { Clock } from '../ports/process.ts';
import { AUDIT, type AuditRow } from './audit-shapes.ts';
import { FILES, STAYING } from './files/file-shapes.ts';

/** Stores entries, in the transaction of the options if they have one. */
export async function storeEntries(
  mongo: Mongo,
  entries: readonly AuditEntry[],
  options: mongo.BulkWriteOptions,
): Promise<void> {
  const rows = entries.map(({ id, ...entry }): AuditRow => ({ _id: id, ...entry, due: true }));
  await mongo.collection(AUDIT).insertMany(rows, options);
}

/** The transaction of a write; empty if the write needs none. */
export type Within = { readonly session?: mongo.ClientSession };

/**
 * Runs a write and stores its entry, both or neither. A write without an entry needs no transaction.
 * @param run returns null or false if it has written nothing, which leaves no entry
 */
export function storeWith<T>(
  on: Mongo,
  clock: Clock,
  entry: AuditEntry | null,
  run: (within: Within) => Promise<T>,
): Promise<T> {
  if (entry === null) return run({});
  return transact(on, clock, async (session) => {
    const written = await run({ session });
    if (written !== null && written !== false) await storeEntries(on, [entry], { session });
    return written;
  });
}

/**
 * Stores when all of these files are removed, in the transaction of the options if they have one. Returns false if one
 * of them is gone, or is being removed. That one stays as it is.
 */
export async function keepFiles(
  mongo: Mongo,
  ids: readonly FileId[],
  endsAt: number | null,
  options: Within,
): Promise<boolean> {
  const staying = { _id: { $in: [...ids] }, ...STAYING };
  const { matchedCount } = await mongo.collection(FILES).updateMany(staying, { $set: { endsAt } }, options);
  return matchedCount === new Set(ids).size;
}

/** Stores when files are removed, in the transaction of the options if they have one. */
export async function storeEnds(mongo: Mongo, ends: readonly FileEnd[], options: Within): Promise<void> {
  const rows = mongo.collection(FILES);
  for (const { id, endsAt } of ends) await rows.updateOne({ _id: id, ...STAYING }, { $set: { endsAt } }, options);
}
