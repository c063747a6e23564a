import { expect, test } from 'vitest';
import { openRedisPair } from '../../../load-tests/engines/redis-pair.ts';
import { newId, type SessionId } from '../../../src/domain/ids.ts';
import { createDeniedSessions } from '../../../src/models/access/sessions/denied-sessions.ts';
import { aCourier } from '../../builders.ts';
import { handClock } from '../../clock.ts';
import { preparedEngines } from '../../database.ts';
import { connectFor } from '../../engines/redis-house.ts';
import { redisProxy } from '../../engines/redis-proxy.ts';
import { until } from '../../until.ts';
import { aDoor } from './credentials-house.ts';
import { aliveAt, openFor } from '../../engines/redis-topologies.ts';

const engines = await preparedEngines('forgotten-sessions');
/**
 * Lives of access tokens: writers have the long one, so that no entry ends during a test, however slow the machine is.
 * Readers have the short one, so that they soon believe the list.
 */
const [LONG_S, SHORT_S] = [900, 1];

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
  const denied = createDeniedSessions(redis, handClock(), SHORT_S);
  const isBelieved = (): Promise<void> => until(async () => (await denied.stateOf(running)) === 'running');
  await createDeniedSessions(redis, handClock(), LONG_S).add(ended);
  expect([await denied.stateOf(ended), await denied.stateOf(running)]).toEqual(['ended', 'unknown']);
  await isBelieved();
  await pair.primary().command('FLUSHALL');
  expect(await denied.stateOf(running)).toBe('unknown');
  await isBelieved();
  await pair.promote();
  // The old primary still answers until it follows the new one, and then the connections are made again.
  await until(async () => (await denied.stateOf(running).catch(() => null)) === 'unknown');
  await isBelieved();
});

test('[A30] an end that only one process could not write to Redis counts elsewhere within a second, or when it stops', async () => {
  const proxy = await redisProxy(engines.redisUrl);
  const [redis, other] = [await connectFor({ ...engines, redisUrl: proxy.url }), await connectFor(engines)];
  const [clock, running] = [handClock(), newId('ses')];
  const denied = createDeniedSessions(redis, clock, LONG_S);
  const elsewhere = createDeniedSessions(other, clock, SHORT_S);
  const addInVain = async (times = 1): Promise<SessionId> => {
    const ended = Array.from({ length: times }, () => newId('ses'));
    await until(async () => (await elsewhere.stateOf(running)) === 'running');
    proxy.cut();
    await until(() => !redis.isReady());
    await Promise.all(ended.map((id) => denied.add(id)));
    // The process cannot write them yet either.
    await clock.advance(1000);
    proxy.heal();
    await until(() => redis.isReady());
    expect(await elsewhere.stateOf(ended[0] ?? running)).toBe('running');
    return ended[0] ?? running;
  };
  const first = await addInVain();
  await clock.advance(1000);
  await until(async () => (await elsewhere.stateOf(first)) === 'ended');
  expect(await elsewhere.stateOf(running)).toBe('running');
  const one = await addInVain(1001);
  await clock.advance(1000);
  await until(async () => (await elsewhere.stateOf(one)) === 'unknown');
  const last = await addInVain();
  await denied.close();
  expect(await elsewhere.stateOf(last)).toBe('ended');
});
