import { renameSync } from 'node:fs';
import { join } from 'node:path';
import mongoose from 'mongoose';
import { expect, onTestFinished, test } from 'vitest';
import { isRunning } from '../../src/embedded/processes/processes.ts';
import { until } from '../until.ts';
import { startWorkClock } from '../work-clock.ts';
import { askRedis, companionsOf, refusal, runningServer, serverProcess, start, temporaryDir } from './house.ts';

async function collectionAt(mongoUrl: string) {
  const connection = await mongoose.createConnection(mongoUrl, { serverSelectionTimeoutMS: 3_000 }).asPromise();
  onTestFinished(() => connection.close());
  return { connection, things: connection.collection<{ _id: number }>('things') };
}

test('[E1] a start provides a MongoDB with transactions and a Redis in under 10 s', async () => {
  const workedMs = await startWorkClock();
  const { mongoUrl, redisUrl, timings } = await start({ dataDir: temporaryDir() });
  expect(workedMs()).toBeLessThan(10_000);
  const { connection, things } = await collectionAt(mongoUrl);
  await connection.transaction(async (session) => void (await things.insertOne({ _id: 1 }, { session })));
  expect(await things.countDocuments()).toBe(1);
  expect(await askRedis(redisUrl, (redis) => redis.ping())).toBe('PONG');
  for (const { foundMs, readyMs, via, version } of [timings.mongo, timings.redis]) {
    expect(readyMs).toBeGreaterThan(0);
    expect(foundMs).toBeLessThanOrEqual(readyMs);
    expect(via).not.toBe('');
    expect(version).toMatch(/^\d+\.\d+\.\d+$/);
  }
});

test('[E2] a restart keeps the data and accepts writes, also in a directory that was moved', async () => {
  const [before, after] = ['before', 'after'].map((name) => join(temporaryDir(), name)) as [string, string];
  const first = await start({ dataDir: before });
  await (await collectionAt(first.mongoUrl)).things.insertOne({ _id: 7 });
  await askRedis(first.redisUrl, (redis) => redis.set('seen', 'yes'));
  await first.stop();
  renameSync(before, after);
  const second = await start({ dataDir: after });
  expect(second.mongoUrl).not.toBe(first.mongoUrl);
  const { things } = await collectionAt(second.mongoUrl);
  await things.insertOne({ _id: 8 });
  expect(await things.distinct('_id')).toEqual([7, 8]);
  expect(await askRedis(second.redisUrl, (redis) => redis.get('seen'))).toBe('yes');
});

test('[E3] a start is refused with one sentence while another server uses the directory', async () => {
  const dataDir = temporaryDir();
  const { child } = await runningServer(dataDir);
  const sentence = await refusal({ dataDir });
  expect(sentence).toBe(
    `Another server (process ${child.pid}) already uses the data directory ${dataDir}. ` +
      `Stop it first, or set DATA_DIR to another directory.`,
  );
  expect(companionsOf(dataDir).every(isRunning)).toBe(true);
});

test('[E3] exactly one of two servers on an abandoned directory wins', async () => {
  const dataDir = temporaryDir();
  const dead = await runningServer(dataDir);
  dead.child.kill('SIGKILL');
  // A new server that came before this end would still find a running server.
  await until(() => dead.child.signalCode !== null);
  const heirs = [serverProcess(dataDir), serverProcess(dataDir)];
  await until(() => heirs.every((heir) => heir.printed().includes('\n')));
  const printed = heirs.map((heir) => heir.printed());
  expect(printed.filter((text) => text.includes('redisUrl'))).toHaveLength(1);
  expect(printed.filter((text) => text.startsWith('Another server'))).toHaveLength(1);
});
