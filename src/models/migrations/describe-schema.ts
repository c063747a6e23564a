import type { Mongo } from '../../engines/mongo.ts';
import type { Migration } from './migration.ts';
import { MIGRATIONS } from './migrations.ts';
import { createSchemaMark } from './schema-mark.ts';
import type { FillRow } from '../setting-shapes.ts';

/** The progress of a migration, for an operator. */
type Described = {
  readonly name: string;
  readonly state: 'not_begun' | 'open' | 'done';
  /** Rows changed so far. */
  readonly rows: number;
  readonly pass: number;
  /** The collection that the current pass reads, and the last row read; null between two passes. */
  readonly reads: string | null;
  readonly after: string | null;
  readonly next_pass_at: Date | null;
  readonly done_at: Date | null;
};

/** Describes the schema versions of the database and this release, and the progress of each migration. Only reads. */
export async function describeSchema(mongo: Mongo): Promise<object> {
  const row = await createSchemaMark(mongo).read();
  const migrations = MIGRATIONS.map((one) => describe(one, row?.fills[one.name]));
  return { schema_version: row?.version ?? 0, version_of_release: MIGRATIONS.length, migrations };
}

function describe({ name, walks }: Migration, fill: FillRow | undefined): Described {
  const { rows = 0, pass = 0, walk = 0, after = null, nextOn = null, doneOn = null } = fill ?? {};
  const state = fill === undefined ? 'not_begun' : doneOn === null ? 'open' : 'done';
  const reads = state === 'open' && nextOn === null ? (walks?.[walk]?.name ?? null) : null;
  return { name, state, rows, pass, reads, after, next_pass_at: doneOn === null ? nextOn : null, done_at: doneOn };
}
