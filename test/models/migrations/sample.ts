/**
 * The rows that a server of commit ad730f6 (schema version 0) stored in a short time. There are a completed delivery,
 * one with three drop-offs and an open search, two canceled ones, and their related rows. Each line is one collection
 * with its indexes, or one row.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { mongo as mongodb, type mongo } from 'mongoose';
import type { Mongo } from '../../../src/engines/mongo.ts';
import type { AnyRow, Migration } from '../../../src/models/migrations/migration.ts';
import { MIGRATIONS } from '../../../src/models/migrations/migrations.ts';
import { prepareSchema } from '../../../src/process/prepare-schema.ts';
import type { Clock } from '../../../src/ports/process.ts';
import { CLOCK, QUIET } from '../../engines/mongo-house.ts';
import { ODD } from '../../odd-rows.ts';

type Line = { readonly collection: string } & (
  | { readonly indexes: mongo.IndexDescription[] }
  | { readonly row: AnyRow }
);

const FILE = path.join(import.meta.dirname, 'samples', 'version-0.jsonl');
const LINES = readFileSync(FILE, 'utf8')
  .trim()
  .split('\n')
  .map((line) => mongodb.BSON.EJSON.parse(line) as Line);

/** Creates the collections and indexes of version 0. */
export async function makeOldCollections({ db }: Mongo): Promise<void> {
  for (const line of LINES) {
    if (!('indexes' in line)) continue;
    await db.createCollection(line.collection);
    if (line.indexes.length > 0) await db.collection(line.collection).createIndexes(line.indexes);
  }
}

/** The rows of version 0 in one collection. */
export function oldRows(name: string): readonly AnyRow[] {
  return LINES.flatMap((line) => ('row' in line && line.collection === name ? [line.row] : []));
}

/** Replaces all rows by the rows of version 0. */
export async function storeSample(mongo: Mongo): Promise<void> {
  const names = new Set(LINES.map(({ collection }) => collection));
  for (const name of names) {
    await mongo.db.collection(name).deleteMany({});
    if (oldRows(name).length > 0) await mongo.db.collection<AnyRow>(name).insertMany([...oldRows(name)], ODD);
  }
}

/** The leases of a process without others. */
export const ALONE = { tryHold: () => Promise.resolve(1), release: () => Promise.resolve() };

/** Raises the version of a database that already has its collections. */
export function prepare(mongo: Mongo, migrations: readonly Migration[] = MIGRATIONS): Promise<void> {
  const makeAll = (): Promise<void> => Promise.resolve();
  return prepareSchema({ mongo, leases: ALONE, clock: CLOCK, log: QUIET, makeAll }, migrations);
}

/** A real clock whose machine time can be moved forward. */
export function movedClock(): Clock & { advance(ms: number): void } {
  let movedMs = 0;
  return {
    ...CLOCK,
    real: { ...CLOCK.real, now: () => CLOCK.real.now() + movedMs },
    advance: (ms) => void (movedMs += ms),
  };
}

export const HOUR_MS = 3_600_000;
