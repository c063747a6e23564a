import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { Redis } from 'ioredis';
import { expect, onTestFinished, test } from 'vitest';
import { Refusal } from '../../src/domain/refusals/refusals.ts';
import { MONGODB, refuseAway } from '../../src/engines/away.ts';
import { Outage, quietDuring } from '../../src/engines/outage.ts';
import { REDIS } from '../../src/engines/redis/redis-away.ts';
import { handClock } from '../clock.ts';
import { testEngines } from '../engines.ts';
import { keptLog } from '../kept-ports.ts';
import { redisProxy } from './redis-proxy.ts';

const LOST = Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' });

function startLog() {
  const [kept, clock] = [keptLog(), handClock()];
  const outage = new Outage(MONGODB, { log: kept, clock });
  return {
    kept,
    clock,
    outage,
    log: quietDuring(outage, kept),
    messages: () => kept.lines.map(({ message }) => message),
  };
}

test('[R21] an outage has one line when it starts, one every ten minutes, and one when it is over', async () => {
  const { kept, clock, outage } = startLog();
  outage.lose('primary', 'no primary');
  outage.lose('writes', 'no majority');
  await clock.advance(601_000);
  outage.regain('primary');
  await clock.advance(100_000);
  outage.regain('writes');
  await clock.advance(600_000);
  expect(kept.lines).toEqual([
    { level: 'warn', fields: { cause: 'no primary' }, message: 'MongoDB is away' },
    { level: 'warn', fields: { cause: 'no majority', lastedS: 600 }, message: 'MongoDB is still away' },
    { level: 'warn', fields: { lastedS: 701 }, message: 'MongoDB is back' },
  ]);
});

test('[R21] a connection that closes on purpose is no outage', async () => {
  const { kept, clock, outage } = startLog();
  outage.close();
  outage.lose('primary', 'closed');
  await clock.advance(600_000);
  outage.regain('primary');
  expect(kept.lines).toEqual([]);
});

test('[R22] an outage silences errors that come from it, until 15 s after its end, and no others', async () => {
  const busy: unknown = await refuseAway(Promise.reject(LOST)).catch((error: unknown) => error);
  const { clock, outage, log, messages } = startLog();
  const tryAll = (when: string): void => {
    log.error({ error: LOST }, `lost ${when}`);
    log.warn({ err: busy }, `busy ${when}`);
    log.error({ error: new TypeError('undefined is not a function') }, `a mistake ${when}`);
    log.info({ error: LOST }, `a note ${when}`);
  };
  outage.lose('primary', 'no primary');
  tryAll('in it');
  expect([LOST, busy, new TypeError()].map((error) => log.covers(error))).toEqual([true, true, false]);
  outage.regain('primary');
  await clock.advance(14_999);
  tryAll('after it');
  await clock.advance(1);
  log.error({ error: LOST }, 'lost later');
  await clock.advance(5000);
  expect(messages()).toEqual([
    'MongoDB is away',
    'a mistake in it',
    'a note in it',
    'MongoDB is back',
    'a mistake after it',
    'a note after it',
    'lost later',
  ]);
});

test('[R24] a line about a lost connection waits 5 s for the outage that it may come from', async () => {
  const { clock, outage, log, messages } = startLog();
  log.error({ error: LOST }, 'lost before it');
  await clock.advance(4999);
  outage.lose('primary', 'no primary');
  await clock.advance(5000);
  expect(messages()).toEqual(['MongoDB is away']);
});

test('[R24] a line that waited is written if no outage is noticed, or if the process ends', async () => {
  const { kept, clock, outage, log, messages } = startLog();
  for (let number = 1; number <= 101; number += 1) log.error({ error: LOST }, `lost ${number}`);
  expect(messages()).toEqual(['lost 101']);
  await clock.advance(5000);
  expect(messages()).toHaveLength(101);
  expect(kept.lines.at(-1)?.fields).toMatchObject({ waitedMs: 5000 });
  log.error({ error: LOST }, 'lost at the end');
  outage.close();
  expect(messages().at(-1)).toBe('lost at the end');
});

test('[R24] a line that both engines may cause waits once', async () => {
  const { kept, clock, log, messages } = startLog();
  const redis = new Outage(REDIS, { log: kept, clock });
  const both = quietDuring(redis, log);
  const busy = new Refusal('busy');
  both.error({ error: busy }, 'busy');
  await clock.advance(5000);
  expect(messages()).toEqual(['busy']);
});

/** A process that logs an error and ends by another one. */
const FATAL = `
  import { createClock } from './src/clock.ts';
  import { createLog } from './src/log.ts';
  import { MONGODB } from './src/engines/away.ts';
  import { Outage, quietDuring } from './src/engines/outage.ts';
  import { REDIS } from './src/engines/redis/redis-away.ts';
  const [clock, own] = [createClock(), createLog('info')];
  const ofRedis = quietDuring(new Outage(REDIS, { log: own, clock }), own);
  const log = quietDuring(new Outage(MONGODB, { log: own, clock }), ofRedis);
  log.error({ error: Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET', syscall: 'read' }) }, 'lost');
  process.on('uncaughtException', () => process.exit(1));
  throw new TypeError('fatal');
`;

test('[R24] a line that waits is written if a fatal error ends the process', async () => {
  const given = ['--input-type=module', '--eval', FATAL];
  const child = spawn(process.execPath, given, { stdio: ['ignore', 'ignore', 'pipe'] });
  expect(await text(child.stderr)).toMatch(/"error":"Error: read ECONNRESET","waitedMs":\d+,"msg":"lost"/);
});

test('[R24] the errors of a Redis that is cut, hangs or takes no writes mean that it is away', async () => {
  const proxy = await redisProxy(testEngines('away').redisUrl);
  const client = new Redis(proxy.url, { lazyConnect: true, enableOfflineQueue: false, commandTimeout: 100 });
  client.on('error', () => undefined);
  onTestFinished(() => client.disconnect());
  await client.connect();
  const failure = (): Promise<unknown> => client.get('any').catch((error: unknown) => error);
  proxy.hang();
  const hanging = await failure();
  proxy.cut();
  const closed = new Promise((resolve) => client.once('close', resolve));
  await closed;
  const cut = await failure();
  const refused = new Error('READONLY You can not write against a read only replica.');
  const wrong = new Error("ERR wrong number of arguments for 'hget' command");
  expect([hanging, cut, refused, wrong].map((error) => REDIS.isAway(error))).toEqual([true, true, true, false]);
});
