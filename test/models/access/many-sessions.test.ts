import { expect, test } from 'vitest';
import { newId, type SessionId } from '../../../src/domain/ids.ts';
import type { Mongo } from '../../../src/engines/mongo.ts';
import { SESSIONS, type Holder, type SessionRow } from '../../../src/models/access/credential-shapes.ts';
import { createSessions } from '../../../src/models/access/sessions/sessions.ts';
import { defaultSettings } from '../../../src/settings.ts';
import { aCourier } from '../../builders.ts';
import { preparedEngines } from '../../database.ts';
import { captureCommands, explain, type Cost } from '../explain/captured.ts';
import { aDoor, SECRETS } from './credentials-house.ts';

const engines = await preparedEngines('many-sessions');
const monitored = `${engines.mongoUrl}${engines.mongoUrl.includes('?') ? '&' : '?'}monitorCommands=true`;
const settings = defaultSettings();
/** More than two pages. */
const MANY = 1100;
const FROM = { device: null, network: '198.51.100.1' };

/** Stores sessions of a holder that ended at this instant, or live ones if it is null. Returns their ids, oldest first. */
async function storeMany(mongo: Mongo, holder: Holder, revokedAt: number | null, count = MANY): Promise<SessionId[]> {
  const inAnHour = new Date(Date.now() + 3_600_000);
  const times = { rotatedAt: Date.now(), revokedAt, mostOn: inAnHour, endsOn: inAnHour };
  const rows = Array.from({ length: count }, (): SessionRow => ({ _id: newId('ses'), holder, counter: 1, ...times }));
  await mongo.collection(SESSIONS).insertMany(rows);
  return rows.map(({ _id }) => _id).toSorted();
}

/** Sessions on their own, and all those whose end they told, page by page. */
async function aRegistry() {
  const { mongo, redis, clock } = await aDoor(engines);
  const told: (readonly SessionId[])[] = [];
  const onEnd = (ids: readonly SessionId[]) => void told.push(ids);
  return { mongo, told, sessions: createSessions({ mongo, redis, clock, settings, onEnd, pepper: SECRETS.pepper }) };
}

test('[A114] a login and a list read none of the ended sessions of their account', async () => {
  const courier = aCourier();
  const { credentials, mongo } = await aDoor({ ...engines, mongoUrl: monitored }, [courier]);
  const staff = { email: 'ada@example.com', password: 'correct horse', roles: ['admin'] } as const;
  await credentials.addStaff(staff);
  await storeMany(mongo, { type: 'courier', courierId: courier.id, liveMode: false }, Date.now());
  await storeMany(mongo, { type: 'staff', email: staff.email, resets: 0 }, Date.now());
  const capture = captureCommands(mongo);
  await credentials.grant({ type: 'otp', phone: courier.phone, code: '000000' }, FROM.network);
  await credentials.grant({ type: 'password', ...staff }, FROM.network);
  for (const account of [{ courierId: courier.id }, { email: staff.email }])
    expect(await credentials.listSessions(account)).toHaveLength(1);
  const costs: Cost[] = [];
  for (const command of capture.taken()) costs.push(...(await explain(mongo, command)));
  const own = costs.filter(({ collection }) => collection === SESSIONS.name);
  expect(own.length).toBeGreaterThanOrEqual(4);
  expect(own.filter(({ docs }) => docs > 1)).toEqual([]);
});

test('[A114] the end of all sessions of an account is told in pages, and none is left out', async () => {
  const { mongo, sessions, told } = await aRegistry();
  const holder = { type: 'courier', courierId: aCourier().id, liveMode: false } as const;
  const [at, before] = [Date.now(), Date.now() - 60_000];
  const ended = [...(await storeMany(mongo, holder, before)), ...(await storeMany(mongo, holder, at))];
  const live = [await sessions.begin(holder, FROM), await sessions.begin(holder, FROM)].map(({ id }) => id);
  expect(await sessions.endAllOf(holder)).toBe(live.length);
  expect(told.flat().toSorted()).toEqual([...ended, ...live].toSorted());
  expect(Math.max(...told.map((ids) => ids.length))).toBeLessThanOrEqual(500);
  expect(await sessions.listEnded(live)).toEqual(live);
});

test('[A46] a login ends all sessions above the most, however many there are', async () => {
  const { mongo, sessions, told } = await aRegistry();
  const holder = { type: 'staff', email: 'bob@example.com', resets: 0 } as const;
  const live = await storeMany(mongo, holder, null);
  await sessions.begin(holder, FROM);
  const kept = settings.auth.mostSessions - 1;
  expect(told.flat().toSorted()).toEqual(live.slice(0, -kept));
  expect(await sessions.listEnded(live)).toHaveLength(MANY - kept);
});
