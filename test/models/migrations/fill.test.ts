import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { startFilling } from '../../../src/dispatch/due/fill-old-rows.ts';
import { describeSchema } from '../../../src/models/migrations/describe-schema.ts';
import { createFills } from '../../../src/models/migrations/fill.ts';
import type { AnyRow, Migration, Walk } from '../../../src/models/migrations/migration.ts';
import { MIGRATIONS } from '../../../src/models/migrations/migrations.ts';
import { createSchemaMark } from '../../../src/models/migrations/schema-mark.ts';
import { handClock } from '../../clock.ts';
import { openHouse, SETTINGS } from '../../engines/mongo-house.ts';
import { keptLog } from '../../kept-ports.ts';
import { until } from '../../until.ts';
import { ALONE, HOUR_MS, movedClock, prepare, storeSample } from './sample.ts';
import type { FillRow } from '../../../src/models/setting-shapes.ts';
import { ODD } from '../../odd-rows.ts';

const { mongo } = await openHouse('fill');
const clock = movedClock();
const mark = createSchemaMark(mongo);
const rows = mongo.db.collection<AnyRow>('quotes');
/** Enough rows for more than three batches. */
const MANY = 1000;
const always = (): boolean => true;

/** A migration that adds a field to rows of `quotes` that lack it. It calls `onBatch` before it writes a batch. */
function aMigration(onBatch: () => unknown = () => undefined, name = 'paint'): Migration {
  const walk: Walk = {
    name: 'quotes',
    fields: ['colour'],
    mend: async (batch) => {
      await onBatch();
      return batch
        .filter((row) => row['colour'] === undefined)
        .map(({ _id }) => ({
          updateOne: { filter: { _id, colour: { $exists: false } }, update: { $set: { colour: 'red' } } },
        }));
    },
  };
  return { name, replaces: [], walks: [walk], drops: [] };
}

const fillsOf = (...migrations: Migration[]) => createFills({ mongo, clock, settings: SETTINGS }, migrations);
const progress = async (name = 'paint'): Promise<FillRow | undefined> => (await mark.read())?.fills[name];
const painted = (): Promise<number> => rows.countDocuments({ colour: 'red' });

beforeEach(async () => {
  await mongo.db.collection('settings').deleteMany({});
  await rows.deleteMany({});
  const many = Array.from({ length: MANY }, (_, index) => ({ _id: `row ${String(index).padStart(4, '0')}` }));
  await rows.insertMany(many, ODD);
});

test('[S93] a process that stops halfway has written whole batches, and the next one continues after them', async () => {
  let batches = 0;
  await prepare(mongo, [aMigration()]);
  const killed = fillsOf(aMigration(() => (batches += 1) === 3 && Promise.reject(new Error('killed'))));
  await expect(killed.work(always)).rejects.toThrow('killed');
  const done = await painted();
  expect(done).toBeGreaterThan(0);
  expect(done).toBeLessThan(MANY);
  expect(await progress()).toMatchObject({ rows: done, found: done, pass: 1, nextOn: null });
  const reads: number[] = [];
  const next = fillsOf(aMigration(async () => reads.push(await painted())));
  expect(await next.work(always)).toEqual([{ migration: 'paint', rows: MANY, isDone: false }]);
  // The next process read no batch twice.
  expect(reads.length).toBeLessThan(4);
  expect(reads[0]).toBe(done);
  expect(await painted()).toBe(MANY);
});

test('[S94] a process that has lost its lease writes nothing more', async () => {
  let ownsLease = true;
  await prepare(mongo, [aMigration()]);
  let batches = 0;
  const losing = fillsOf(aMigration(() => (ownsLease = (batches += 1) < 2)));
  expect(await losing.work(() => ownsLease)).toEqual([]);
  const done = await painted();
  expect(done).toBeGreaterThan(0);
  expect(done).toBeLessThan(MANY);
  expect(await losing.work(() => ownsLease)).toEqual([]);
  expect(await painted()).toBe(done);
});

test('[S94] a process that stalls while another takes over writes neither its batch nor its progress', async () => {
  await prepare(mongo, [aMigration()]);
  const other = fillsOf(aMigration());
  let batches = 0;
  // It believes all the time that it owns the lease.
  const stalled = fillsOf(aMigration(() => ((batches += 1) === 2 ? other.work(always) : null)));
  expect(await stalled.work(always)).toEqual([]);
  expect(batches).toBe(2);
  expect(await painted()).toBe(MANY);
  expect(await progress()).toMatchObject({ rows: MANY, pass: 2 });
});

test('[S95] a migration is complete when a pass found nothing that began an hour after the last one', async () => {
  await prepare(mongo, [aMigration()]);
  const fills = fillsOf(aMigration());
  expect(await fills.work(always)).toEqual([{ migration: 'paint', rows: MANY, isDone: false }]);
  expect(await fills.work(always)).toEqual([]);
  clock.advance(HOUR_MS);
  expect(await fills.work(always)).toEqual([{ migration: 'paint', rows: 0, isDone: true }]);
  // No rows are read again.
  await rows.updateMany({}, { $unset: { colour: '' } });
  clock.advance(HOUR_MS);
  expect(await fills.work(always)).toEqual([]);
  expect(await painted()).toBe(0);
});

test('[S95] a first pass that finds nothing is not the last one', async () => {
  await rows.deleteMany({});
  await prepare(mongo, [aMigration()]);
  const fills = fillsOf(aMigration());
  expect(await fills.work(always)).toEqual([{ migration: 'paint', rows: 0, isDone: false }]);
  clock.advance(HOUR_MS);
  expect(await fills.work(always)).toEqual([{ migration: 'paint', rows: 0, isDone: true }]);
});

test('[S95] indexes that only the old shape needs are dropped when their migration is complete', async () => {
  await storeSample(mongo);
  await prepare(mongo);
  await mongo.db.collection('deliveries').createIndex({ phoneTails: 1 });
  const fills = createFills({ mongo, clock, settings: SETTINGS });
  const names = async () => (await mongo.db.collection('deliveries').indexes()).map(({ name }) => name);
  await fills.work(always);
  expect(await names()).toContain('phoneTails_1');
  clock.advance(HOUR_MS);
  expect((await fills.work(always)).every(({ isDone }) => isDone)).toBe(true);
  expect(await names()).not.toContain('phoneTails_1');
});

test('[S97] a later pass finds the rows that a server of the release before stores during the update', async () => {
  await prepare(mongo, [aMigration()]);
  const fills = fillsOf(aMigration());
  await fills.work(always);
  await rows.insertOne({ _id: 'row of an older server' }, ODD);
  clock.advance(HOUR_MS);
  expect(await fills.work(always)).toEqual([{ migration: 'paint', rows: 1, isDone: false }]);
  clock.advance(HOUR_MS);
  expect(await fills.work(always)).toEqual([{ migration: 'paint', rows: 0, isDone: true }]);
});

test('[S97] a server of the release before migrates no rows once the version is raised, not even within a batch', async () => {
  await prepare(mongo, [aMigration()]);
  const both = [aMigration(), aMigration(undefined, 'polish')];
  let batches = 0;
  const older = fillsOf(aMigration(() => ((batches += 1) === 2 ? prepare(mongo, both) : null)));
  expect(await older.work(always)).toEqual([]);
  const done = await painted();
  expect(done).toBeLessThan(MANY);
  expect(await older.work(always)).toEqual([]);
  expect(await painted()).toBe(done);
  // The newer release continues where the older one stopped.
  expect(await progress()).toMatchObject({ rows: done, pass: 1 });
  const filled = await fillsOf(...both).work(always);
  expect(filled).toMatchObject([{ migration: 'paint', rows: MANY }, { migration: 'polish' }]);
});

test('[S93] a server begins to migrate at its start, and logs how many rows changed and which migrations are complete', async () => {
  await prepare(mongo, [aMigration()]);
  const log = keptLog();
  const hand = handClock();
  const filling = startFilling({ clock: hand, leases: ALONE, log, fills: fillsOf(aMigration()) });
  onTestFinished(() => filling.stop());
  await until(() => log.lines.length > 0);
  clock.advance(HOUR_MS);
  await until(async () => {
    await hand.advance(60_000);
    return log.lines.length > 1;
  });
  expect(log.lines).toMatchObject([{ fields: { migration: 'paint', rows: MANY } }, { fields: { migration: 'paint' } }]);
});

test('[S99] an operator sees the version and the progress of each migration', async () => {
  const states = async () => {
    const { migrations, ...versions } = (await describeSchema(mongo)) as { migrations: { state: string }[] };
    return { ...versions, states: [...new Set(migrations.map(({ state }) => state))] };
  };
  const newest = MIGRATIONS.length;
  expect(await states()).toEqual({ schema_version: 0, version_of_release: newest, states: ['not_begun'] });
  await prepare(mongo);
  expect(await states()).toEqual({ schema_version: newest, version_of_release: newest, states: ['open'] });
  expect(await describeSchema(mongo)).toMatchObject({
    migrations: expect.arrayContaining([expect.objectContaining({ reads: 'quotes', rows: 0, pass: 1 })]) as unknown[],
  });
  const fills = createFills({ mongo, clock, settings: SETTINGS });
  await fills.work(always);
  expect(await describeSchema(mongo)).toMatchObject({
    migrations: expect.arrayContaining([expect.objectContaining({ reads: null, rows: MANY, pass: 2 })]) as unknown[],
  });
  clock.advance(HOUR_MS);
  await fills.work(always);
  expect(await states()).toMatchObject({ states: ['done'] });
});
