import { expect, onTestFinished, test } from 'vitest';
import { EngineAway } from '../../src/engines/engine-away.ts';
import { openMongo } from '../../src/engines/mongo.ts';
import { COLLECTIONS } from '../../src/models/collections.ts';
import { connectMongo } from '../../src/models/connect-mongo.ts';
import { testEngines } from '../engines.ts';
import { until } from '../until.ts';
import { startWorkClock } from '../work-clock.ts';
import { QUIET } from './mongo-house.ts';
import { redisProxy } from './redis-proxy.ts';

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

test('[R19] an invalid address of MongoDB is refused with a sentence that does not repeat it', async () => {
  for (const url of [
    'mongo://night:sesame@host/x',
    'mongodb://night:sesame@',
    'mongodb://night:sesame@h/x?colour=red',
  ]) {
    const refusal = await openMongo(url, QUIET).catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(EngineAway);
    expect((refusal as Error).message).toMatch(/^MONGO_URL is not a valid address .*mongodb\+srv:/);
    expect((refusal as Error).message).not.toContain('sesame');
  }
});

test('[S104] while the primary hangs, a check of readiness ends within a second, and checks at once share a command', async () => {
  const proxy = await redisProxy(mongoUrl);
  const url = new URL(mongoUrl);
  url.host = new URL(proxy.url).host;
  url.search = 'directConnection=true';
  const mongo = await connectMongo(url.href, QUIET);
  onTestFinished(() => mongo.close());
  const check = () => Promise.all(Array.from({ length: 50 }, () => mongo.isReady()));
  expect(new Set(await check())).toEqual(new Set([true]));
  let taken = 0;
  mongo.connection.getClient().on('connectionCheckedOut', () => (taken += 1));
  proxy.hang();
  const workedMs = await startWorkClock();
  expect(new Set(await check())).toEqual(new Set([false]));
  expect(workedMs()).toBeLessThan(2_000);
  expect(taken).toBe(1);
  // The check does not keep a connection, so the next one is as quick.
  expect(await mongo.isReady()).toBe(false);
  expect(workedMs()).toBeLessThan(4_000);
  proxy.heal();
  await until(() => mongo.isReady());
});

test('[S25] only _id is unique in a collection that is sharded', () => {
  const broken = COLLECTIONS.filter(
    ({ shardKey, indexes }) => shardKey !== null && indexes.some(({ unique }) => unique),
  );
  expect(broken).toEqual([]);
  expect(COLLECTIONS.length).toBeGreaterThan(10);
});
