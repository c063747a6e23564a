import type { mongo } from 'mongoose';
import type { Mongo } from '../../engines/mongo.ts';
import { kindOf } from '../../engines/shapes/shape.ts';
import { type FillRow, SETTINGS, type SchemaRow } from '../setting-shapes.ts';

export const NEW_FILL: FillRow = { pass: 1, walk: 0, after: null, found: 0, rows: 0, nextOn: null, doneOn: null };

export type SchemaMark = {
  /** Returns null if the database does not have a version. */
  read(): Promise<SchemaRow | null>;
  /** Raises the version, unless it is already as high. Stored progress is kept. */
  raise(version: number, fills: SchemaRow['fills']): Promise<void>;
  /** Returns a fence above all others; null if the database has another version. */
  takeOver(version: number): Promise<number | null>;
  /** Writes progress. Returns false if another process has taken over. */
  advance(fence: number, change: Advance, session?: mongo.ClientSession): Promise<boolean>;
};

/** New progress of one migration, and the number of rows changed since the last. */
export type Advance = { readonly name: string; readonly now: Partial<FillRow>; readonly changed: number };

export function createSchemaMark(mongo: Mongo): SchemaMark {
  const rows = mongo.collection(kindOf(SETTINGS, 'schema'));
  const _id = 'schema' as const;
  return {
    read: () => rows.findOne({ _id }),
    raise: async (version, fills) => {
      const kept = { $mergeObjects: [{ $literal: fills }, { $ifNull: ['$fills', {}] }] };
      const fence = { $add: [{ $ifNull: ['$fence', 0] }, 1] };
      const raised = { version: { $max: ['$version', version] }, fence, fills: kept };
      await rows.updateOne({ _id }, [{ $set: raised }], { upsert: true });
    },
    takeOver: async (version) => {
      const row = await rows.findOneAndUpdate({ _id, version }, { $inc: { fence: 1 } }, { returnDocument: 'after' });
      return row?.fence ?? null;
    },
    advance: async (fence, { name, now, changed }, session) => {
      const set = Object.fromEntries(Object.entries(now).map(([key, value]) => [`fills.${name}.${key}`, value]));
      const counted = { [`fills.${name}.found`]: changed, [`fills.${name}.rows`]: changed };
      const change = changed === 0 ? { $set: set } : { $set: set, $inc: counted };
      const { matchedCount } = await rows.updateOne({ _id, fence }, change, session === undefined ? {} : { session });
      return matchedCount === 1;
    },
  };
}
