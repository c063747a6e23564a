import { expect, test } from 'vitest';
import { openRedisPair } from '../../../load-tests/engines/redis-pair.ts';
import { newId } from '../../../src/domain/ids.ts';
import { createDeniedSessions } from '../../../src/models/access/sessions/denied-sessions.ts';
import { aCourier } from '../../builders.ts';
import { handClock } from '../../clock.ts';
import { testEngines } from '../../engines.ts';
import { connectFor } from '../../engines/redis-house.ts';
import { redisProxy } from '../../engines/redis-proxy.ts';
import { until } from '../../until.ts';
import { aDoor } from './credentials-house.ts';
import { aliveAt, openFor } from '../../engines/redis-topologies.ts';

const engines = testEngines('forgotten-sessions');

test('[A30] a logout still counts after an unclean failover of Redis has lost it', async () => {
  const pair = await openFor(openRedisPair);
  const at = { ...engines, redisUrl: pair.url };
  const courier = aCourier();
  const door = await aDoor(at, [courier]);
  const elsewhere = await aDoor(at, [], door.clock);
  const { accessToken } = await door.credentials.grant(
    { type: 'otp', phone: courier.phone, code: '000000' },
    '127.0.0.1',
  );
  await pair.partReplica();
  await door.credentials.logout(await door.credentials.authenticate(accessToken));
  await pair.promote();
  await expect(elsewhere.credentials.authenticate(accessToken)).rejects.toMatchObject({ code: 'unauthorized' });
  const later = await aDoor(at, [], door.clock);
  await expect(later.credentials.authenticate(accessToken)).rejects.toMatchObject({ code: 'unauthorized' });
  expect(await pair.primary().command('KEYS', '*denied*ses_*')).toEqual([]);
});

test('[A30] the list of ended sessions is used once it is as old as an access token gets, also after each loss', async () => {
  const pair = await openFor(openRedisPair);
  const redis = await aliveAt(pair.url);
  const [ended, running] = [newId('ses'), newId('ses')];
  const denied = createDeniedSessions(redis, handClock(), 1);
  const isBelieved = (): Promise<void> => until(async () => (await denied.stateOf(running)) === 'running', 10_000);
  await denied.add(ended);
  expect([await denied.stateOf(ended), await denied.stateOf(running)]).toEqual(['ended', 'unknown']);
  await isBelieved();
  await pair.primary().command('FLUSHALL');
  expect(await denied.stateOf(running)).toBe('unknown');
  await isBelieved();
  await pair.promote();
  // The old primary still answers until it follows the new one, and then the connections are made again.
  await until(async () => (await denied.stateOf(running).catch(() => null)) === 'unknown', 10_000);
  await isBelieved();
});

test('[A30] an end that only one process could not write to Redis counts elsewhere within a second, or when it stops', async () => {
  const proxy = await redisProxy(engines.redisUrl);
  const [redis, other] = [await connectFor({ ...engines, redisUrl: proxy.url }), await connectFor(engines)];
  const [clock, running] = [handClock(), newId('ses')];
  const denied = createDeniedSessions(redis, clock, 1);
  const elsewhere = createDeniedSessions(other, clock, 1);
  const addInVain = async (): Promise<void> => {
    await until(async () => (await elsewhere.stateOf(running)) === 'running');
    proxy.cut();
    await until(() => !redis.isReady());
    await denied.add(newId('ses'));
    // The process cannot report it yet either.
    await clock.advance(1000);
    proxy.heal();
    await until(() => redis.isReady());
    expect(await elsewhere.stateOf(running)).toBe('running');
  };
  await addInVain();
  await clock.advance(1000);
  await until(async () => (await elsewhere.stateOf(running)) === 'unknown');
  await addInVain();
  await denied.close();
  expect(await elsewhere.stateOf(running)).toBe('unknown');
});
