import type { mongo } from 'mongoose';
import type { AuditEntry } from '../domain/audit.ts';
import type { FileEnd } from '../domain/files/file.ts';
import type { Mongo } from '../engines/mongo.ts';
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

/** Stores when files are removed, in the transaction of the options if they have one. */
export async function storeEnds(
  mongo: Mongo,
  ends: readonly FileEnd[],
  options: { readonly session?: mongo.ClientSession },
): Promise<void> {
  const rows = mongo.collection(FILES);
  for (const { id, endsAt } of ends) await rows.updateOne({ _id: id, ...STAYING }, { $set: { endsAt } }, options);
}
