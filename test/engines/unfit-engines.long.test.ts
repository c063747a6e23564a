import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { isListening, LOOPBACK, onFreePort } from '../../load-tests/engines/ports.ts';
import { openRedisPair } from '../../load-tests/engines/redis-pair.ts';
import { createClock } from '../../src/clock.ts';
import { cacheDirOf } from '../../src/embedded/programs/cache.ts';
import { findMongod } from '../../src/embedded/programs/find-mongod.ts';
import { stopProcess } from '../../src/embedded/processes/processes.ts';
import { spawnEngine } from '../../src/embedded/processes/spawn-engine.ts';
import { openMongo } from '../../src/engines/mongo.ts';
import { EngineAway } from '../../src/engines/engine-away.ts';
import { connectRedis } from '../../src/engines/redis/redis.ts';
import { ENVIRONMENT } from '../environment.ts';
import { keptLog } from '../kept-ports.ts';
import { openMongoSet } from '../mongo-set.ts';
import { until } from '../until.ts';
import { startWorkClock } from '../work-clock.ts';
import { QUIET } from './mongo-house.ts';
import { openFor } from './redis-topologies.ts';

const set = await openMongoSet();

/** Why a process cannot start on this engine. An error with another class would be printed with its stack. */
async function refusalOf(connecting: Promise<{ close(): Promise<void> }>): Promise<string> {
  const error: unknown = await connecting.then(
    (open) => open.close(),
    (failed: unknown) => failed,
  );
  expect(error).toBeInstanceOf(EngineAway);
  return (error as Error).message;
}

/** A mongod that is not a replica set; ends with the test. */
async function startAlone(...more: readonly string[]): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), 'mongo-alone-'));
  const env = ENVIRONMENT;
  const { bin } = await findMongod({ env, cacheDir: cacheDirOf(env), say: () => undefined, bin: env['MONGOD_BIN'] });
  const common = [`--dbpath=${dir}`, `--bind_ip=${LOOPBACK}`, '--nounixsocket', '--quiet', ...more];
  const { port, engine } = await onFreePort((free) =>
    spawnEngine({
      name: 'MongoDB',
      bin,
      args: [...common, `--port=${free}`],
      cwd: dir,
      logFile: join(dir, 'mongod.log'),
      env,
    }),
  );
  onTestFinished(async () => {
    await stopProcess(engine.ref, 0);
    await rm(dir, { recursive: true, force: true });
  });
  await until(() => isListening(port));
  return `mongodb://${LOOPBACK}:${port}/alone`;
}

test('[R19] a MongoDB without a replica set is refused with a sentence before anything is written there', async () => {
  const url = await startAlone();
  expect(await refusalOf(openMongo(url, QUIET))).toMatch(/^MongoDB is not a replica set .* --replSet .* MONGO_URL/);
});

test('[R19] a MongoDB that wants a login refuses with a sentence that names the variable', async () => {
  const url = await startAlone('--auth');
  const withUser = url.replace('//', '//night:sesame@');
  expect(await refusalOf(openMongo(withUser, QUIET))).toBe(
    'MongoDB refuses the connection: Authentication failed. Check MONGO_URL.',
  );
});

test('[R19] an address that leads to a secondary alone is refused with a sentence', async () => {
  const hosts = /\/\/([^/]+)\//.exec(set.url)?.[1]?.split(',') ?? [];
  const primary = await set.waitForPrimary();
  const other = hosts[(primary + 1) % hosts.length];
  const url = `mongodb://${other}/any?directConnection=true`;
  expect(await refusalOf(openMongo(url, QUIET))).toMatch(/^MONGO_URL names a secondary .*replicaSet=NAME/);
});

test('[R23] a wrong name of the replica set is refused with a sentence that names it', async () => {
  const url = set.url.replace(/replicaSet=\w+/, 'replicaSet=other');
  expect(url).toContain('replicaSet=other');
  expect(await refusalOf(openMongo(url, QUIET))).toBe(
    'No server in MONGO_URL belongs to the replica set "other". Check its replicaSet.',
  );
});

test('[R23] an address with TLS of a Redis without TLS is refused within seconds, and the sentence says so', async () => {
  const pair = await openFor(openRedisPair);
  const workedMs = await startWorkClock();
  expect(
    await refusalOf(connectRedis(pair.url.replace('redis:', 'rediss:'), '', { log: keptLog(), clock: createClock() })),
  ).toBe(
    'Redis does not answer: connect ETIMEDOUT. Is it running where REDIS_URL says, and with TLS, as rediss:// requires?',
  );
  expect(workedMs()).toBeLessThan(15_000);
});

test('[R19] a Redis that wants a password, or is a replica, is refused with a sentence that names the variable', async () => {
  const pair = await openFor(openRedisPair);
  const replica = `redis://${LOOPBACK}:${pair.replica().port}`;
  expect(await refusalOf(connectRedis(replica, '', { log: keptLog(), clock: createClock() }))).toMatch(
    /^REDIS_URL names a replica/,
  );
  await pair.primary().command('CONFIG', 'SET', 'requirepass', 'sesame');
  expect(await refusalOf(connectRedis(pair.url, '', { log: keptLog(), clock: createClock() }))).toBe(
    'Redis refuses the connection: NOAUTH Authentication required. Check user and password in REDIS_URL.',
  );
});

test('[R20] a Redis that drops keys when its memory is full is reported at the start', async () => {
  const pair = await openFor(openRedisPair);
  const linesAt = async (maxmemory: number, policy: string): Promise<object[]> => {
    await pair.primary().command('CONFIG', 'SET', 'maxmemory', maxmemory, 'maxmemory-policy', policy);
    const log = keptLog();
    await (await connectRedis(pair.url, '', { log, clock: createClock() })).close();
    return log.lines;
  };
  expect(await linesAt(0, 'allkeys-lru')).toEqual([]);
  expect(await linesAt(100_000_000, 'noeviction')).toEqual([]);
  expect(await linesAt(100_000_000, 'volatile-ttl')).toMatchObject([
    {
      level: 'warn',
      fields: { policy: 'volatile-ttl' },
      message: expect.stringContaining('set its maxmemory-policy to noeviction'),
    },
  ]);
});
