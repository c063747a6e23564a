import { expect, onTestFinished, test } from 'vitest';
import { createLeases } from '../../src/engines/redis/leases.ts';
import { makeCollections } from '../../src/engines/collections.ts';
import { openMongo, type Mongo } from '../../src/engines/mongo.ts';
import { COLLECTIONS, SHAPES_VERSION } from '../../src/models/collections.ts';
import { createFills } from '../../src/models/migrations/fill.ts';
import { MIGRATIONS } from '../../src/models/migrations/migrations.ts';
import { createSchemaMark } from '../../src/models/migrations/schema-mark.ts';
import { openEngines } from '../../src/process/open-engines.ts';
import { prepareSchema } from '../../src/process/prepare-schema.ts';
import { StartError } from '../../src/process/start-error.ts';
import { testEngines, type TestEngines } from '../engines.ts';
import { CLOCK, QUIET, SETTINGS } from '../engines/mongo-house.ts';
import { connectFor } from '../engines/redis-house.ts';
import { keptLog } from '../kept-ports.ts';
import { ALONE, makeOldCollections, prepare, storeSample } from '../models/migrations/sample.ts';

const NEWEST = MIGRATIONS.length;
const RAISED = 'the schema version of the database was raised';
let databases = 0;

async function aDatabase(): Promise<TestEngines & { mongo: Mongo }> {
  databases += 1;
  const engines = testEngines(`schema-${databases}`);
  const mongo = await openMongo(engines.mongoUrl, QUIET);
  onTestFinished(async () => {
    await mongo.db.dropDatabase().catch(() => undefined);
    await mongo.close();
  });
  return { ...engines, mongo };
}

async function anOldDatabase(): Promise<TestEngines & { mongo: Mongo }> {
  const at = await aDatabase();
  await makeOldCollections(at.mongo);
  await storeSample(at.mongo);
  return at;
}

/** Starts the stored side of a server; gives the lines of its log. */
async function start(engines: TestEngines, processId: string): Promise<string[]> {
  const log = keptLog();
  const opened = await openEngines(engines, engines.keyPrefix, processId, log);
  onTestFinished(() => opened.close());
  return log.lines.map(({ message }) => message);
}

/** Every index that a collection should have stands as it should. */
async function expectIndexes({ db }: Mongo): Promise<void> {
  for (const { name, indexes } of COLLECTIONS) {
    const stored = await db.collection(name).indexes();
    for (const wanted of indexes) expect(stored).toContainEqual(expect.objectContaining(wanted));
  }
}

test('[S90] a new database has the newest version and nothing to migrate', async () => {
  const { mongo, ...engines } = await aDatabase();
  expect(await start(engines, 'one')).toEqual([RAISED]);
  const row = await createSchemaMark(mongo).read();
  expect(row?.version).toBe(NEWEST);
  expect(Object.values(row?.fills ?? {}).map(({ doneOn }) => doneOn !== null)).toEqual(MIGRATIONS.map(() => true));
  expect(await start(engines, 'two')).toEqual([]);
});

test('[S90] a database without a version has version 0: every migration is open, and its indexes are replaced', async () => {
  const { mongo, ...engines } = await anOldDatabase();
  expect(await start(engines, 'one')).toEqual([RAISED]);
  const row = await createSchemaMark(mongo).read();
  expect(row).toMatchObject({ version: NEWEST });
  expect(Object.keys(row?.fills ?? {})).toEqual(MIGRATIONS.map(({ name }) => name));
  expect(Object.values(row?.fills ?? {}).map(({ doneOn }) => doneOn)).toEqual(MIGRATIONS.map(() => null));
  await expectIndexes(mongo);
});

test('[S91] of processes that start at once one raises the version, and all find every index', async () => {
  const { mongo, ...engines } = await anOldDatabase();
  const lines = await Promise.all(['one', 'two', 'three', 'four'].map((id) => start(engines, id)));
  expect(lines.flat()).toEqual([RAISED]);
  expect(await createSchemaMark(mongo).read()).toMatchObject({ version: NEWEST, fence: 1 });
  await expectIndexes(mongo);
});

test('[S91] when a process is killed halfway, the next one waits for its lease and does the rest', async () => {
  const { mongo, ...engines } = await anOldDatabase();
  const leases = createLeases({ redis: await connectFor(engines), processId: 'killed', clock: CLOCK, log: QUIET });
  // A killed process releases nothing.
  const killed = { ...leases, release: () => Promise.resolve() };
  const makeAll = (): Promise<void> => Promise.reject(new Error('killed'));
  const half = prepareSchema({ mongo, leases: killed, clock: CLOCK, log: QUIET, makeAll });
  await expect(half).rejects.toThrow('killed');
  expect(await createSchemaMark(mongo).read()).toBeNull();
  expect(await start(engines, 'next')).toEqual([RAISED]);
  await expectIndexes(mongo);
});

test('[S91] a process that loses its lease halfway drops nothing more, and begins again with the lease', async () => {
  const { mongo, mongoUrl } = await anOldDatabase();
  const names = async () => (await mongo.db.collection('deliveries').indexes()).map(({ name }) => name);
  const old = await names();
  let taken = 0;
  let whenLost: unknown = null;
  const tryHold = async (): Promise<number> => {
    taken += 1;
    if (taken === 2) whenLost = await names();
    return taken;
  };
  // The process stalls once it has taken the lease and seen that it has it.
  let looks = 0;
  const elapsed = (): number => CLOCK.real.elapsed() + ((looks += 1) > 2 ? 3000 : 0);
  const clock = { ...CLOCK, real: { ...CLOCK.real, elapsed } };
  const leases = { ...ALONE, tryHold };
  await prepareSchema({
    mongo,
    leases,
    clock,
    log: QUIET,
    makeAll: () => makeCollections(mongoUrl, COLLECTIONS, SHAPES_VERSION),
  });
  expect(whenLost).toEqual(old);
  expect(await createSchemaMark(mongo).read()).toMatchObject({ version: NEWEST });
  await expectIndexes(mongo);
});

test('[S92] a release that finds a newer version does not start, and says what to do', async () => {
  const { mongo, ...engines } = await aDatabase();
  await start(engines, 'one');
  await createSchemaMark(mongo).raise(NEWEST + 1, {});
  const refused = start(engines, 'two');
  await expect(refused).rejects.toThrow(StartError);
  await expect(refused).rejects.toThrow(
    `This database has schema version ${NEWEST + 1}, but this release knows only versions up to ${NEWEST}. Start the release that used the database last, or a newer one.`,
  );
});

test('[S98] a release that no longer reads an old shape starts only when its migration is complete', async () => {
  const { mongo, mongoUrl } = await anOldDatabase();
  const tightened = MIGRATIONS.map((one, index) => (index === 0 ? { ...one, walks: null } : one));
  const refused = /^This release cannot read the rows that the migration date_closed_rows has not changed yet\. Start/;
  await expect(prepare(mongo, tightened)).rejects.toThrow(refused);
  expect(await createSchemaMark(mongo).read()).toBeNull();
  await prepare(mongo);
  await makeCollections(mongoUrl, COLLECTIONS, SHAPES_VERSION);
  await expect(prepare(mongo, tightened)).rejects.toThrow(refused);
  let now = CLOCK.real.now();
  const clock = { ...CLOCK, real: { ...CLOCK.real, now: () => now } };
  const fills = createFills({ mongo, clock, settings: SETTINGS });
  await fills.work(() => true);
  now += 3_600_000;
  await fills.work(() => true);
  await prepare(mongo, tightened);
  // A new database has no old rows.
  const { mongo: fresh } = await aDatabase();
  const log = QUIET;
  const makeAll = (): Promise<void> => Promise.resolve();
  await prepareSchema({ mongo: fresh, leases: ALONE, clock: CLOCK, log, makeAll }, tightened);
});
