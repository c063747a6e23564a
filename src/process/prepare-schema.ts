import { hasCode, NAMESPACE_NOT_FOUND, type Mongo } from '../engines/mongo.ts';
import { COLLECTIONS } from '../models/collections.ts';
import type { Migration, NamedIndex } from '../models/migrations/migration.ts';
import { MIGRATIONS } from '../models/migrations/migrations.ts';
import { createSchemaMark, NEW_FILL, type SchemaMark } from '../models/migrations/schema-mark.ts';
import type { Context } from '../ports/context.ts';
import { runLed } from '../work/hold-lease.ts';
import { StartError } from './start-error.ts';
import type { SchemaRow } from '../models/setting-shapes.ts';

type Needs = Pick<Context, 'clock' | 'leases' | 'log'> & {
  readonly mongo: Mongo;
  /** Makes every collection and index that is missing. */
  readonly makeAll: () => Promise<void>;
};

/**
 * Brings the database to the schema version of this release: the quick part of each migration, before the server is ready.
 * If several processes start at once, one does it and the others wait. Every step may be repeated, so another process
 * can continue after a kill.
 * @throws StartError if a newer release has used the database, or if an earlier one must complete a migration first
 */
export async function prepareSchema(needs: Needs, migrations: readonly Migration[] = MIGRATIONS): Promise<void> {
  const mark = createSchemaMark(needs.mongo);
  const row = await mark.read();
  if (row !== null) refuseUnread(row, migrations);
  if (openOnes(row, migrations).length === 0) return needs.makeAll();
  const raise = (ownsLease: () => boolean): Promise<boolean> => raiseVersion(needs, mark, migrations, ownsLease);
  while (!(await runLed(needs, 'schema', raise)));
}

/** False if the lease was lost before the end. */
async function raiseVersion(
  { mongo, makeAll, clock, log }: Needs,
  mark: SchemaMark,
  migrations: readonly Migration[],
  ownsLease: () => boolean,
): Promise<boolean> {
  const row = await mark.read();
  const isNew = row === null && (await isEmpty(mongo));
  const open = openOnes(row, migrations);
  if (!isNew) refuseUnread(row, migrations);
  for (const index of open.flatMap(({ replaces }) => replaces)) {
    if (!ownsLease()) return false;
    await dropReplaced(mongo, index);
  }
  await makeAll();
  if (open.length === 0) return true;
  // There is nothing to change in a new database.
  const fill = isNew ? { ...NEW_FILL, doneOn: new Date(clock.real.now()) } : NEW_FILL;
  await mark.raise(migrations.length, Object.fromEntries(open.map(({ name }) => [name, fill])));
  log.info({ from: row?.version ?? 0, to: migrations.length }, 'the schema version of the database was raised');
  return true;
}

/** The migrations that the database has not begun. A database without a version has begun none. */
function openOnes(row: SchemaRow | null, migrations: readonly Migration[]): readonly Migration[] {
  const version = row?.version ?? 0;
  if (version <= migrations.length) return migrations.slice(version);
  throw new StartError(
    `This database has schema version ${version}, but this release knows only versions up to ${migrations.length}. ` +
      'Start the release that used the database last, or a newer one.',
  );
}

/** Refuses a database that may still hold old rows which this release cannot read. */
function refuseUnread(row: SchemaRow | null, migrations: readonly Migration[]): void {
  const unread = migrations.find(({ name, walks }) => walks === null && (row?.fills[name]?.doneOn ?? null) === null);
  if (unread === undefined) return;
  throw new StartError(
    `This release cannot read the rows that the migration ${unread.name} has not changed yet. Start the release before ` +
      'this one, wait until "npm run operator -- schema" shows the migration as done, then start this release again.',
  );
}

/** Says whether no server has used this database yet. */
async function isEmpty({ db }: Mongo): Promise<boolean> {
  return !(await db.listCollections({ name: 'deliveries' }).hasNext());
}

/** Drops an index that differs from the one of the collection, so that it can be created again under its name. */
async function dropReplaced({ db }: Mongo, { name, index }: NamedIndex): Promise<void> {
  const stored = (await listIndexes(db.collection(name))).find((one) => one['name'] === index);
  if (stored === undefined) return;
  const { indexes = [] } = COLLECTIONS.find((of) => of.name === name) ?? {};
  if (!indexes.some((wanted) => looksOf({ ...wanted }) === looksOf(stored))) await db.collection(name).dropIndex(index);
}

async function listIndexes(rows: ReturnType<Mongo['db']['collection']>): Promise<Record<string, unknown>[]> {
  try {
    return await rows.indexes();
  } catch (error) {
    if (hasCode(error, NAMESPACE_NOT_FOUND)) return [];
    throw error;
  }
}

/** The key and the options of an index, as text to compare. */
function looksOf({
  key,
  unique = false,
  sparse = false,
  partialFilterExpression = null,
}: Record<string, unknown>): string {
  return JSON.stringify([key, unique, sparse, partialFilterExpression]);
}
