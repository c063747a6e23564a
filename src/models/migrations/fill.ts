import { hasCode, INDEX_NOT_FOUND, type Mongo } from '../../engines/mongo.ts';
import { transact } from '../../engines/transact.ts';
import type { Fills, Filled } from '../../ports/dispatch/due.ts';
import type { AnyRow, Migration, Tools, Walk, Write } from './migration.ts';
import { MIGRATIONS } from './migrations.ts';
import { createSchemaMark, NEW_FILL, type Advance, type SchemaMark } from './schema-mark.ts';
import type { FillRow } from '../setting-shapes.ts';

/** Most rows that are read and changed at a time. */
const BATCH = 250;
/**
 * Machine time between two passes. After the version is raised, servers of the previous release may store old rows for
 * a while. So the first pass is never the last one.
 */
const BETWEEN_MS = 3_600_000;

/** Thrown if another process has taken over, or this one has lost the lease. */
class Lost extends Error {}

/**
 * Brings the stored rows to the current shape, batch by batch. One transaction writes the rows of a batch and the
 * progress, and checks the fence. So a replaced process writes nothing more, and its successor continues where it
 * stopped.
 */
export function createFills(tools: Tools, migrations: readonly Migration[] = MIGRATIONS): Fills {
  const mark = createSchemaMark(tools.mongo);
  const open = async (): Promise<[Migration, FillRow][]> => {
    const row = await mark.read();
    return migrations
      .map((one): [Migration, FillRow] => [one, row?.fills[one.name] ?? NEW_FILL])
      .filter(([, { doneOn }]) => doneOn === null);
  };
  const isDue = ([, { nextOn }]: [Migration, FillRow]): boolean =>
    nextOn === null || nextOn.getTime() <= tools.clock.real.now();
  return {
    work: async (ownsLease) => {
      const due = (await open()).filter(isDue);
      if (due.length === 0) return [];
      // If the version belongs to another release, its servers do the work.
      const fence = await mark.takeOver(migrations.length);
      const filled: Filled[] = [];
      try {
        for (const [migration, progress] of due) {
          if (fence === null) break;
          filled.push(await runPass({ ...tools, mark, fence, ownsLease }, migration, progress));
        }
      } catch (error) {
        if (!(error instanceof Lost)) throw error;
      }
      return filled;
    },
  };
}

type Work = Tools & {
  readonly mark: SchemaMark;
  readonly fence: number;
  /** Says whether this process still owns the lease. */
  readonly ownsLease: () => boolean;
};

/** Continues the current pass of a migration to its end. */
async function runPass(work: Work, migration: Migration, progress: FillRow): Promise<Filled> {
  const { name, walks } = migration;
  let found = progress.found;
  const advance = async (now: Partial<FillRow>): Promise<void> => {
    if (!work.ownsLease() || !(await work.mark.advance(work.fence, { name, now, changed: 0 }))) throw new Lost();
  };
  for (const [index, walk] of (walks ?? []).entries()) {
    if (index < progress.walk) continue;
    let after = index === progress.walk ? progress.after : null;
    for (;;) {
      const rows = await readBatch(work, walk, after);
      const last = rows.at(-1);
      if (last === undefined) break;
      after = last._id;
      const writes = await walk.mend(rows, work);
      if (writes.length === 0) await advance({ walk: index, after });
      else found += await write(work, walk, writes, { name, now: { walk: index, after } });
    }
  }
  const at = work.clock.real.now();
  const isDone = progress.pass > 1 && found === 0;
  if (isDone) for (const index of migration.drops) await dropIndex(work.mongo, index);
  const next = { pass: progress.pass + 1, walk: 0, after: null, found: 0, nextOn: new Date(at + BETWEEN_MS) };
  await advance(isDone ? { doneOn: new Date(at) } : next);
  return { migration: name, rows: found, isDone };
}

function readBatch({ mongo, ownsLease }: Work, { name, fields }: Walk, after: string | null): Promise<AnyRow[]> {
  if (!ownsLease()) throw new Lost();
  const beyond = after === null ? {} : { _id: { $gt: after } };
  const projection = Object.fromEntries(fields.map((field) => [field, 1]));
  return mongo.db.collection<AnyRow>(name).find(beyond, { projection }).sort({ _id: 1 }).limit(BATCH).toArray();
}

/** Writes the rows, the progress and the number of changed rows, unless another process has taken over. */
function write(
  { mongo, clock, mark, fence, ownsLease }: Work,
  { name }: Walk,
  writes: readonly Write[],
  progress: Omit<Advance, 'changed'>,
): Promise<number> {
  return transact(mongo, clock, async (session) => {
    const { modifiedCount } = await mongo.db.collection<AnyRow>(name).bulkWrite([...writes], { session });
    const isMine = ownsLease() && (await mark.advance(fence, { ...progress, changed: modifiedCount }, session));
    if (!isMine) throw new Lost();
    return modifiedCount;
  });
}

async function dropIndex({ db }: Mongo, { name, index }: { name: string; index: string }): Promise<void> {
  try {
    await db.collection(name).dropIndex(index);
  } catch (error) {
    // A database that a later version created never had the index.
    if (!hasCode(error, INDEX_NOT_FOUND)) throw error;
  }
}
