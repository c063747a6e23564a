import type { mongo } from 'mongoose';
import type { AuditEntry } from '../domain/audit.ts';
import type { Mongo } from '../engines/mongo.ts';
import { AUDIT, type AuditRow } from './audit-shapes.ts';

/** Stores entries, in the transaction of the options if they have one. */
export async function storeEntries(
  mongo: Mongo,
  entries: readonly AuditEntry[],
  options: mongo.BulkWriteOptions,
): Promise<void> {
  const rows = entries.map(({ id, ...entry }): AuditRow => ({ _id: id, ...entry, due: true }));
  await mongo.collection(AUDIT).insertMany(rows, options);
}
