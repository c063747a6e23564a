import type { Mongo } from '../../engines/mongo.ts';
import type { Migration } from './migration.ts';
import { MIGRATIONS } from './migrations.ts';
import { createSchemaMark, type FillRow } from './schema-mark.ts';

/** How far a migration is, for an operator. */
type Described = {
  readonly name: string;
  readonly state: 'not_begun' | 'open' | 'done';
  /** Rows that were changed so far. */
  readonly rows: number;
  readonly pass: number;
  /** What the present pass reads, and the last row that it has read; null between two passes. */
  readonly reads: string | null;
  readonly after: string | null;
  readonly next_pass_at: Date | null;
  readonly done_at: Date | null;
};

/** The schema version of the database, the one of this release, and what is open between them. Changes nothing. */
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
