import { expect, test } from 'vitest';
import type { Courier } from '../../../src/domain/couriers/courier.ts';
import { SESSIONS } from '../../../src/models/access/credential-shapes.ts';
import { defaultSettings } from '../../../src/settings.ts';
import { aCourier } from '../../builders.ts';
import { preparedEngines } from '../../database.ts';
import { redisProxy } from '../../engines/redis-proxy.ts';
import { until } from '../../until.ts';
import { aDoor } from './credentials-house.ts';

const engines = await preparedEngines('login-rate');
const MOST = 3;
/** After the first logins, one of these spans goes by before each further one. */
const PACE_MS = 60_000 / MOST;
const defaults = defaultSettings();
const SETTINGS = { ...defaults, auth: { ...defaults.auth, loginsPerAccount: MOST } };
const TOO_MANY = { code: 'too_many_requests', told: { metadata: { retry_after_s: PACE_MS / 1000 } } };

test('[A113] correct logins to one account are limited, from all addresses together and however many come at once', async () => {
  const [courier, other] = [aCourier({ phone: '+4930700001' }), aCourier({ phone: '+4930700002' })];
  const live = aCourier({ phone: courier.phone, liveMode: true });
  const { credentials, mongo, sent } = await aDoor(engines, [courier, other, live], undefined, SETTINGS);
  let addresses = 0;
  const logIn = (phone: string, code = '000000') => {
    addresses += 1;
    return credentials.grant({ type: 'otp', phone, code }, `198.51.100.${addresses}`);
  };
  const logins = await Promise.allSettled(Array.from({ length: 20 }, () => logIn(courier.phone)));
  expect(logins.filter(({ status }) => status === 'fulfilled')).toHaveLength(MOST);
  await expect(logIn(courier.phone)).rejects.toMatchObject({ code: 'too_many_requests' });
  expect(await mongo.collection(SESSIONS).countDocuments({ 'holder.courierId': courier.id })).toBe(MOST);
  expect(await logIn(other.phone)).toMatchObject({ courierId: other.id });
  await credentials.requestOtp(live.phone, '198.51.100.99');
  await until(() => sent.length === 1);
  expect(await logIn(live.phone, sent[0]?.code)).toMatchObject({ courierId: live.id });
});

/** Without Redis the clock of the test counts. */
async function withoutRedis(known: readonly Courier[] = []) {
  const proxy = await redisProxy(engines.redisUrl);
  const door = await aDoor({ ...engines, redisUrl: proxy.url }, known, undefined, SETTINGS);
  proxy.cut();
  await until(() => !door.redis.isReady());
  return door;
}

test('[A113] a login that is refused uses up no code', async () => {
  const { phone } = aCourier({ phone: '+4930700003' });
  const { credentials, clock, sent } = await withoutRedis([aCourier({ phone, liveMode: true })]);
  const newCode = async (): Promise<string> => {
    const before = sent.length;
    await credentials.requestOtp(phone, '198.51.100.1');
    await until(() => sent.length > before);
    return sent.at(-1)?.code ?? '';
  };
  const logIn = (code: string) => credentials.grant({ type: 'otp', phone, code }, '198.51.100.1');
  for (let logins = 0; logins < MOST; logins += 1) await logIn(await newCode());
  const code = await newCode();
  await expect(logIn(code)).rejects.toMatchObject(TOO_MANY);
  await clock.advance(PACE_MS);
  await logIn(code);
});

test('[A113] wrong passwords use up no logins, and a login is possible again after a while, also without Redis', async () => {
  const { credentials, clock } = await withoutRedis();
  const staff = { email: 'ada@example.com', password: 'correct horse', roles: ['admin'] } as const;
  await credentials.addStaff(staff);
  const logIn = (password: string) =>
    credentials.grant({ type: 'password', email: staff.email, password }, '198.51.100.1');
  for (let tries = 0; tries <= MOST; tries += 1)
    await expect(logIn('wrong')).rejects.toMatchObject({ code: 'unauthorized' });
  for (let logins = 0; logins < MOST; logins += 1) await logIn(staff.password);
  await expect(logIn(staff.password)).rejects.toMatchObject(TOO_MANY);
  await clock.advance(PACE_MS);
  await logIn(staff.password);
  await expect(logIn(staff.password)).rejects.toMatchObject(TOO_MANY);
});
