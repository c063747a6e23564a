import { expect, onTestFinished, test } from 'vitest';
import { COLLECTIONS } from '../../src/models/collections.ts';
import { connectMongo } from '../../src/models/connect-mongo.ts';
import { testEngines } from '../engines.ts';
import { until } from '../until.ts';
import { QUIET } from './mongo-house.ts';

const { mongoUrl } = testEngines('mongo');

test('[S24] processes that start at once all find every collection with its indexes', async () => {
  const all = await Promise.all([1, 2, 3].map(() => connectMongo(mongoUrl, QUIET)));
  const [mongo, ...others] = all;
  if (mongo === undefined) throw new Error('three of them');
  onTestFinished(async () => {
    // The engine ends with the run, so a slow drop must not fail a test.
    await mongo.db.dropDatabase().catch(() => undefined);
    for (const one of all) await one.close();
  });
  for (const other of others) expect(await other.isReady()).toBe(true);
  const again = await connectMongo(mongoUrl, QUIET);
  all.push(again);
  const names = await again.db.listCollections().toArray();
  expect(names.map(({ name }) => name).toSorted()).toEqual(COLLECTIONS.map(({ name }) => name).toSorted());
  for (const { name, indexes } of COLLECTIONS) {
    const made = await again.db.collection(name).indexes();
    const keys = [{ _id: 1 }, ...indexes.map(({ key }) => key)];
    expect({ name, keys: made.map(({ key }) => key) }).toEqual({ name, keys });
  }
});

test('[S24] a connection that is closed, or finds no server, is not ready', async () => {
  const mongo = await connectMongo(mongoUrl, QUIET);
  expect(await mongo.isReady()).toBe(true);
  await mongo.close();
  await until(async () => !(await mongo.isReady()));
  const nobody = 'mongodb://127.0.0.1:1/none?serverSelectionTimeoutMS=100';
  await expect(connectMongo(nobody, QUIET)).rejects.toThrow(/^MongoDB does not answer: .*ECONNREFUSED/);
});

test('[S25] only _id is unique in a collection that is sharded', () => {
  const broken = COLLECTIONS.filter(
    ({ shardKey, indexes }) => shardKey !== null && indexes.some(({ unique }) => unique),
  );
  expect(broken).toEqual([]);
  expect(COLLECTIONS.length).toBeGreaterThan(10);
});
