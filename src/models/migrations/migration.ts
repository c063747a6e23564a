import type { mongo } from 'mongoose';
import type { Mongo } from '../../engines/mongo.ts';
import type { Clock } from '../../ports/process.ts';
import type { Settings } from '../../settings.ts';
import type { CollectionName } from '../collections.ts';

/** What a migration needs to compute its writes. */
export type Tools = {
  readonly mongo: Mongo;
  readonly clock: Clock;
  readonly settings: Pick<Settings, 'auth' | 'retention' | 'search'>;
};

/** A stored row. Only the type of its key is known. */
export type AnyRow = { readonly _id: string; readonly [field: string]: unknown };

/** One write of one row. */
export type Write = mongo.AnyBulkWriteOperation<AnyRow>;

/** A walk over every row of a collection, in the order of `_id`. */
export type Walk = {
  readonly name: CollectionName;
  /** The fields that tell whether a row is old; no others are read. */
  readonly fields: readonly string[];
  /**
   * Gives the writes that bring the old ones of these rows to the new shape. The filter of a write must match its row only
   * while it is still as it was read: other processes change rows meanwhile, and a write may be made twice.
   */
  readonly mend: (rows: readonly AnyRow[], tools: Tools) => readonly Write[] | Promise<readonly Write[]>;
};

/** An index, by its collection and name. */
export type NamedIndex = { readonly name: CollectionName; readonly index: string };

/** One change of the stored shape. Its version is its place in the table, counted from 1. */
export type Migration = {
  /** Names its progress in the database: a letter, then letters, digits and underscores. */
  readonly name: string;
  /** Indexes that are now made with other options under the same name. The start drops the old ones first. */
  readonly replaces: readonly NamedIndex[];
  /**
   * The walks that bring old rows to the new shape, in the background. Null in a release that no longer reads the old shape: it
   * starts only on a database in which an earlier release has finished this migration.
   */
  readonly walks: readonly Walk[] | null;
  /** Indexes that only the old shape needs. They are dropped when the migration is complete. */
  readonly drops: readonly NamedIndex[];
};
