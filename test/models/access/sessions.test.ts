import { expect, test } from 'vitest';
import { aCourier } from '../../builders.ts';
import { preparedEngines } from '../../database.ts';
import { until } from '../../until.ts';
import { createSessions } from '../../../src/models/access/sessions/sessions.ts';
import { defaultSettings } from '../../../src/settings.ts';
import { aDoor, SECRETS } from './credentials-house.ts';
import { redisProxy } from '../../engines/redis-proxy.ts';
import { SESSIONS } from '../../../src/models/access/credential-shapes.ts';
import { ODD } from '../../odd-rows.ts';
import { AUDIT } from '../../../src/models/audit-shapes.ts';
import { anEntry, anUnfitEntry, UNFIT } from '../audit/an-entry.ts';

const engines = await preparedEngines('sessions');
const refused = (code: string): object => expect.objectContaining({ code });

async function aLogin(at = engines) {
  const courier = aCourier();
  const door = await aDoor(at, [courier]);
  const tokens = await door.credentials.grant({ type: 'otp', phone: courier.phone, code: '000000' }, '127.0.0.1');
  const refresh = (refreshToken: string) =>
    door.credentials.grant({ type: 'refresh_token', refreshToken }, '127.0.0.1');
  return { ...door, courier, tokens, refresh };
}

test('[A12] a refresh token gives its successor, and a caller who lost the answer may retry for 3 min', async () => {
  const { tokens, refresh, clock, courier, credentials } = await aLogin();
  const next = await refresh(tokens.refreshToken);
  expect(next.refreshToken).not.toBe(tokens.refreshToken);
  expect(await credentials.authenticate(next.accessToken)).toMatchObject({ courierId: courier.id });
  await clock.advance(180_000);
  expect((await refresh(tokens.refreshToken)).refreshToken).toBe(next.refreshToken);
  expect((await refresh(next.refreshToken)).refreshToken).not.toBe(next.refreshToken);
});

test('[A12] parallel refreshes all get the same successor', async () => {
  const { tokens, refresh } = await aLogin();
  const all = await Promise.all(Array.from({ length: 10 }, () => refresh(tokens.refreshToken)));
  expect(new Set(all.map(({ refreshToken }) => refreshToken)).size).toBe(1);
});

test('[A13] a token that is used again later ends the whole family and its access tokens', async () => {
  const { tokens, refresh, clock, credentials } = await aLogin();
  const next = await refresh(tokens.refreshToken);
  await clock.advance(180_001);
  await expect(refresh(tokens.refreshToken)).rejects.toEqual(refused('unauthorized'));
  await expect(refresh(next.refreshToken)).rejects.toEqual(refused('unauthorized'));
  await expect(credentials.authenticate(next.accessToken)).rejects.toEqual(refused('unauthorized'));
});

test('[A13] a token that is two steps old ends the family at once', async () => {
  const { tokens, refresh } = await aLogin();
  const second = await refresh(tokens.refreshToken);
  const third = await refresh(second.refreshToken);
  await expect(refresh(tokens.refreshToken)).rejects.toEqual(refused('unauthorized'));
  await expect(refresh(third.refreshToken)).rejects.toEqual(refused('unauthorized'));
});

test('[A14] a refresh token that is invented, or was not used for 30 days, is refused', async () => {
  const { tokens, refresh, clock } = await aLogin();
  const [id, counter, mac = ''] = tokens.refreshToken.split('.');
  const forged = [`${id}.2.${mac}`, `${id}.${counter}.${'A'.repeat(43)}`, 'ses_', '', `${tokens.refreshToken}x`];
  for (const token of forged) await expect(refresh(token)).rejects.toEqual(refused('unauthorized'));
  await clock.advance(2_592_000_001);
  await expect(refresh(tokens.refreshToken)).rejects.toEqual(refused('unauthorized'));
});

test('[A15] a logout ends the session in every process', async () => {
  const { tokens, refresh, credentials, redis, mongo } = await aLogin();
  const elsewhere = await aDoor(engines);
  const caller = await credentials.authenticate(tokens.accessToken);
  await credentials.logout(caller);
  await expect(credentials.authenticate(tokens.accessToken)).rejects.toEqual(refused('unauthorized'));
  await expect(elsewhere.credentials.authenticate(tokens.accessToken)).rejects.toEqual(refused('unauthorized'));
  await expect(refresh(tokens.refreshToken)).rejects.toEqual(refused('unauthorized'));
  expect(redis.isReady() && (await mongo.isReady())).toBe(true);
});

test('[A16] without Redis the stored session decides, and a logout still counts when Redis is back', async () => {
  const proxy = await redisProxy(engines.redisUrl);
  const { tokens, credentials, redis, clock } = await aLogin({ ...engines, redisUrl: proxy.url });
  const elsewhere = await aDoor(engines, [], clock);
  proxy.cut();
  await until(() => !redis.isReady());
  const caller = await credentials.authenticate(tokens.accessToken);
  await credentials.logout(caller);
  await expect(credentials.authenticate(tokens.accessToken)).rejects.toEqual(refused('unauthorized'));
  proxy.heal();
  await until(() => redis.isReady());
  await expect(credentials.authenticate(tokens.accessToken)).rejects.toEqual(refused('unauthorized'));
  await expect(elsewhere.credentials.authenticate(tokens.accessToken)).rejects.toEqual(refused('unauthorized'));
});

test('[A44] a session that begins with the old password during a reset ends', async () => {
  const { credentials, mongo, redis, clock } = await aDoor(engines);
  const staff = { email: 'cleo@example.com', password: 'correct horse', roles: ['support'] } as const;
  await credentials.addStaff(staff);
  await credentials.resetStaff({ ...staff, password: 'another password' });
  // The old password was checked before the reset, and its session began after it.
  const settings = defaultSettings();
  const { pepper } = SECRETS;
  const sessions = createSessions({ mongo, redis, pepper, clock, settings, onEnd: () => undefined });
  const from = { device: null, network: '127.0.0.1' };
  const { id, refreshToken } = await sessions.begin({ type: 'staff', email: staff.email, resets: 0 }, from);
  const refresh = credentials.grant({ type: 'refresh_token', refreshToken }, '127.0.0.1');
  await expect(refresh).rejects.toEqual(refused('unauthorized'));
  expect(await sessions.listEnded([id])).toEqual([id]);
});

test('[A45] a session ends 90 days after its login, however often it is refreshed', async () => {
  const { tokens, refresh, clock } = await aLogin();
  const day = 86_400_000;
  let { refreshToken } = tokens;
  for (let days = 0; days < 80; days += 20) {
    await clock.advance(20 * day);
    ({ refreshToken } = await refresh(refreshToken));
  }
  await clock.advance(10 * day - 1);
  ({ refreshToken } = await refresh(refreshToken));
  await clock.advance(1);
  await expect(refresh(refreshToken)).rejects.toEqual(refused('unauthorized'));
});

test('[A45] a session that an older version stored ends 90 days after its next refresh', async () => {
  const { tokens, refresh, clock, courier, mongo } = await aLogin();
  const day = 86_400_000;
  await mongo.collection(SESSIONS).updateMany({ 'holder.courierId': courier.id }, { $unset: { mostOn: '' } }, ODD);
  let { refreshToken } = await refresh(tokens.refreshToken);
  for (let days = 0; days < 80; days += 20) {
    await clock.advance(20 * day);
    ({ refreshToken } = await refresh(refreshToken));
  }
  await clock.advance(10 * day);
  await expect(refresh(refreshToken)).rejects.toEqual(refused('unauthorized'));
});

test('[A46] a login above the most sessions of an account ends the oldest session', async () => {
  const { tokens, refresh, courier, credentials } = await aLogin();
  const logIn = () => credentials.grant({ type: 'otp', phone: courier.phone, code: '000000' }, '127.0.0.1');
  const others = [];
  for (let count = 1; count < defaultSettings().auth.mostSessions; count += 1) others.push(await logIn());
  const oldest = await refresh(tokens.refreshToken);
  await logIn();
  await expect(credentials.authenticate(oldest.accessToken)).rejects.toEqual(refused('unauthorized'));
  expect(await credentials.authenticate(others[0]?.accessToken ?? '')).toMatchObject({ courierId: courier.id });
});

test('[A109] sessions end together with the entry of who ended them, or not at all', async () => {
  const { tokens, courier, credentials, mongo } = await aLogin();
  const account = { courierId: courier.id };
  await expect(credentials.endSessionsOf(account, () => anUnfitEntry())).rejects.toThrow(UNFIT);
  expect(await credentials.authenticate(tokens.accessToken)).toMatchObject(account);
  const entry = anEntry();
  const counts: number[] = [];
  const end = () =>
    credentials.endSessionsOf(account, (ended) => {
      counts.push(ended);
      return entry;
    });
  expect([await end(), counts]).toEqual([1, [1]]);
  expect(await mongo.collection(AUDIT).countDocuments({ _id: entry.id })).toBe(1);
  await expect(credentials.authenticate(tokens.accessToken)).rejects.toEqual(refused('unauthorized'));
});

test('[A110] who ends the sessions of an account again finishes an end that a crash cut short', async () => {
  const { tokens, courier, credentials, mongo } = await aLogin();
  const doors = [credentials, (await aDoor(engines, [courier])).credentials];
  const isRefused = (door: typeof credentials) =>
    door.authenticate(tokens.accessToken).then(
      () => false,
      () => true,
    );
  // Each process remembers the caller for a while.
  for (const door of doors) expect(await isRefused(door)).toBe(false);
  // The process died after this write, before anybody heard of it.
  const after = { revokedAt: Date.now(), endsOn: new Date(Date.now() + 60_000) };
  await mongo.collection(SESSIONS).updateMany({ 'holder.courierId': courier.id }, { $set: after });
  for (const door of doors) expect(await isRefused(door)).toBe(false);
  expect(await credentials.endSessionsOf({ courierId: courier.id })).toBe(0);
  for (const door of doors) await until(() => isRefused(door));
});
