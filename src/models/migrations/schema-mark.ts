import type { mongo } from 'mongoose';
import type { Mongo } from '../../engines/mongo.ts';

/** How far the walks of one migration have come. */
export type FillRow = {
  /** Counted from 1. Only a later pass than the first can be the last. */
  readonly pass: number;
  /** The walk of this pass, counted from 0, and the last row that it has read; null before the first. */
  readonly walk: number;
  readonly after: string | null;
  /** Rows that this pass has changed, and all passes together. */
  readonly found: number;
  readonly rows: number;
  /** When the next pass may begin, machine time; null while one is under way. */
  readonly nextOn: Date | null;
  /** When the migration was complete; null while it is open. */
  readonly doneOn: Date | null;
};

/** The version of everything that this database stores: one row. */
export type SchemaRow = {
  readonly _id: 'schema';
  readonly version: number;
  /** Rises with each process that begins to work on the stored data. Nobody else writes under an older number. */
  readonly fence: number;
  /** By the name of the migration. */
  readonly fills: Readonly<Record<string, FillRow>>;
};

export const NEW_FILL: FillRow = { pass: 1, walk: 0, after: null, found: 0, rows: 0, nextOn: null, doneOn: null };

export type SchemaMark = {
  /** Null in a database without a version. */
  read(): Promise<SchemaRow | null>;
  /** Raises the version, unless it is as high already. Progress that is stored is kept. */
  raise(version: number, fills: SchemaRow['fills']): Promise<void>;
  /** A fence above all others; null if the version is another one. */
  takeOver(version: number): Promise<number | null>;
  /** Writes progress; false if somebody else has taken over. */
  advance(fence: number, change: Advance, session?: mongo.ClientSession): Promise<boolean>;
};

/** Progress of one migration: what it is now, and how many rows were changed since. */
export type Advance = { readonly name: string; readonly now: Partial<FillRow>; readonly changed: number };

export function createSchemaMark(mongo: Mongo): SchemaMark {
  const rows = mongo.collection<SchemaRow>('settings');
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
