import type { mongo } from 'mongoose';
import type { Mongo } from '../../engines/mongo.ts';
import type { Clock } from '../../ports/process.ts';
import type { Settings } from '../../settings.ts';

/** The tools that a migration needs to compute its writes. */
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
  readonly name: string;
  /** The fields that show whether a row is old. Only these are read. */
  readonly fields: readonly string[];
  /**
   * Returns the writes that bring old rows to the new shape. The filter of a write must match its row only while the
   * row is unchanged since the read. Other processes change rows meanwhile, and a write may be made twice.
   */
  readonly mend: (rows: readonly AnyRow[], tools: Tools) => readonly Write[] | Promise<readonly Write[]>;
};

/** An index, identified by its collection and name. */
export type NamedIndex = { readonly name: string; readonly index: string };

/** One change of the stored shape. Its version is its position in the table, counted from 1. */
export type Migration = {
  /** The name of its progress in the database: a letter, then letters, digits and underscores. */
  readonly name: string;
  /** Indexes that now have other options under the same name. The start drops the old ones first. */
  readonly replaces: readonly NamedIndex[];
  /**
   * The walks that bring old rows to the new shape, in the background. Null in a release that no longer reads the old
   * shape. Such a release starts only on a database in which an earlier release has finished this migration.
   */
  readonly walks: readonly Walk[] | null;
  /** Indexes that only the old shape needs. They are dropped once the migration is complete. */
  readonly drops: readonly NamedIndex[];
};
