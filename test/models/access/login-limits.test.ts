import { expect, test } from 'vitest';
import { Refusal } from '../../../src/domain/refusals/refusals.ts';
import { createCodeRequests } from '../../../src/models/access/login/code-requests.ts';
import type { Credentials } from '../../../src/ports/access.ts';
import { defaultSettings } from '../../../src/settings.ts';
import { aCourier } from '../../builders.ts';
import { preparedEngines } from '../../database.ts';
import { keptLog } from '../../kept-ports.ts';
import { until } from '../../until.ts';
import { aDoor } from './credentials-house.ts';
import { ONE_TIME_CODES } from '../../../src/models/access/credential-shapes.ts';

const engines = await preparedEngines('login-limits');
const SETTINGS = defaultSettings();
const { pairTries, otpTries, messagesPerPhone, messagesPerAddress } = SETTINGS.auth;
/** Each try hashes a password, which is slow on purpose. */
const FEW_TRIES = 12;

/** The code of a refusal, or `ok`. */
async function outcome(promise: Promise<unknown>): Promise<string> {
  try {
    await promise;
    return 'ok';
  } catch (error) {
    if (error instanceof Refusal) return error.code;
    throw error;
  }
}

async function count(times: number, task: (index: number) => Promise<unknown>): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  const outcomes = await Promise.all(Array.from({ length: times }, (_, index) => outcome(task(index))));
  for (const each of outcomes) counts[each] = (counts[each] ?? 0) + 1;
  return counts;
}

let addresses = 0;
/** Makes an address that no other test uses. */
function anAddress(): string {
  addresses += 1;
  return `198.51.100.${addresses}`;
}

const OWNER = { email: 'owner@example.com', password: 'correct horse', roles: ['admin'] } as const;

async function aStaffDoor(limits: Partial<typeof SETTINGS.auth> = {}) {
  const door = await aDoor(engines, [], undefined, { ...SETTINGS, auth: { ...SETTINGS.auth, ...limits } });
  await door.credentials.addStaff(OWNER);
  return { ...door, logIn: logInAs(door.credentials) };
}

function logInAs(credentials: Credentials) {
  return (password: string, address: string, email: string = OWNER.email) =>
    credentials.grant({ type: 'password', email, password }, address);
}

test('[A7] wrong logins to one account from one address wait ever longer, and a correct one resets the count', async () => {
  const { logIn } = await aStaffDoor();
  const address = anAddress();
  // These come one after the other, because a try that a full queue refuses does not count.
  for (let tries = 0; tries < pairTries; tries += 1)
    expect(await outcome(logIn('wrong', address))).toBe('unauthorized');
  await expect(logIn(OWNER.password, address)).rejects.toMatchObject({
    code: 'too_many_requests',
    told: { metadata: { retry_after_s: 1 } },
  });
  await until(async () => (await outcome(logIn(OWNER.password, address))) === 'ok');
  for (let tries = 0; tries < pairTries; tries += 1)
    expect(await outcome(logIn('wrong', address))).toBe('unauthorized');
  expect(await outcome(logIn('wrong', address))).toBe('too_many_requests');
});

test('[A48] wrong codes of live and test mode are counted separately, so a login in one gives no tries in the other', async () => {
  const phone = '+4930111111';
  const { credentials } = await aDoor(engines, [aCourier({ phone }), aCourier({ phone, liveMode: true })]);
  const address = anAddress();
  const guess = (code: string) => outcome(credentials.grant({ type: 'otp', phone, code }, address));
  const outcomes: string[] = [];
  for (let round = 0; round < 4; round += 1) {
    for (let tries = 1; tries < pairTries; tries += 1) outcomes.push(await guess('123456'));
    expect(await guess('000000')).toBe('ok');
  }
  expect(outcomes.filter((each) => each === 'otp_invalid')).toHaveLength(pairTries);
  expect(outcomes.at(-1)).toBe('too_many_requests');
});

test('[A49] messages to a phone are limited, whatever logins succeed; test mode does not need any', async () => {
  const [phone, inTest] = ['+4930222222', '+4930222223'];
  const couriers = [aCourier({ phone }), aCourier({ phone, liveMode: true }), aCourier({ phone: inTest })];
  const { credentials, sent } = await aDoor(engines, couriers);
  const address = anAddress();
  for (let count = 1; count <= messagesPerPhone; count += 1) {
    await credentials.requestOtp(phone, address);
    await credentials.grant({ type: 'otp', phone, code: '000000' }, address);
    await until(() => sent.length === count);
  }
  await expect(credentials.requestOtp(phone, anAddress())).rejects.toMatchObject({
    code: 'too_many_requests',
    told: { metadata: { retry_after_s: 3600 / messagesPerPhone } },
  });
  for (let count = 0; count < 2 * messagesPerPhone; count += 1) await credentials.requestOtp(inTest, address);
  expect(sent.at(-1)?.code).toMatch(/^\d{6}$/);
  const { code = '' } = sent.at(-1) ?? {};
  expect(await outcome(credentials.grant({ type: 'otp', phone, code }, address))).toBe('ok');
});

test('[A49] messages requested from one address are limited, and only the log says so', async () => {
  const phones = Array.from({ length: messagesPerAddress + 3 }, (_, index) => `+4940${100_000 + index}`);
  const couriers = phones.map((phone) => aCourier({ phone, liveMode: true }));
  const { credentials, sent, log } = await aDoor(engines, couriers);
  const address = anAddress();
  for (const phone of phones) expect(await outcome(credentials.requestOtp(phone, address))).toBe('ok');
  await until(() => sent.length === messagesPerAddress && log.lines.length === 3);
  expect(log.lines[0]).toMatchObject({ level: 'warn', fields: { network: address } });
});

test('[A49] during a flood of requests four codes are made at once, and requests are refused as busy if too many wait', async () => {
  const settings = defaultSettings();
  let [making, most] = [0, 0];
  const make = async (): Promise<string> => {
    making += 1;
    most = Math.max(most, making);
    await new Promise((resolve) => setImmediate(resolve));
    making -= 1;
    return '123456';
  };
  const limits = { countRequest: () => Promise.resolve(), countMessage: () => Promise.resolve() };
  const couriers = { findByPhone: () => Promise.resolve(null) };
  const request = createCodeRequests(
    { couriers, codes: { make }, limits },
    { sendOtp: () => Promise.reject(new Error('nobody has these phones')), log: keptLog() },
  );
  const outcomes = await count(settings.auth.requestsPerAddress, (index) => request(`+4950${index}`, 'anywhere'));
  expect(outcomes['busy']).toBeGreaterThan(0);
  await until(() => making === 0);
  expect(most).toBe(4);
});

test('[A50] wrong logins from another address do not lock the owner out', async () => {
  const { logIn } = await aStaffDoor();
  await logIn(OWNER.password, anAddress());
  const attacker = anAddress();
  const wrong = await count(pairTries + 5, () => logIn('wrong', attacker));
  expect(wrong).toEqual({ unauthorized: pairTries, too_many_requests: 5 });
  expect(await outcome(logIn(OWNER.password, anAddress()))).toBe('ok');
});

test('[A112] strangers who guess a one-time code do not use up the tries of an address from which its owner has logged in', async () => {
  const { phone } = aCourier({ phone: '+4930121212' });
  const { credentials, sent } = await aDoor(engines, [aCourier({ phone, liveMode: true })]);
  const home = anAddress();
  const newCode = async (): Promise<string> => {
    const before = sent.length;
    await credentials.requestOtp(phone, home);
    await until(() => sent.length > before);
    return sent.at(-1)?.code ?? '';
  };
  const guess = (code: string, address: string) => outcome(credentials.grant({ type: 'otp', phone, code }, address));
  const wrong = async (address: () => string) => {
    for (let tries = 0; tries < otpTries; tries += 1) expect(await guess('not it', address())).toBe('otp_invalid');
  };
  expect(await guess(await newCode(), home)).toBe('ok');
  const code = await newCode();
  await wrong(anAddress);
  // Strangers have used up their own tries.
  expect(await guess(code, anAddress())).toBe('otp_invalid');
  expect(await guess(code, home)).toBe('ok');
  // An address that is known has no more tries than others.
  const next = await newCode();
  await wrong(() => home);
  expect(await guess(next, anAddress())).toBe('ok');
});

test('[A51] an address that guesses at many accounts must wait, except for accounts that have logged in from it', async () => {
  const { logIn } = await aStaffDoor({ addressTries: FEW_TRIES });
  const address = anAddress();
  await logIn(OWNER.password, address);
  let refused = 0;
  for (let index = 0; index < FEW_TRIES + 5; index += 1) {
    if ((await outcome(logIn('wrong', address, `nobody-${index}@example.com`))) === 'too_many_requests') refused += 1;
  }
  expect(refused).toBe(5);
  expect(await outcome(logIn(OWNER.password, address))).toBe('ok');
  expect(await outcome(logIn('wrong', anAddress(), 'nobody-0@example.com'))).toBe('unauthorized');
});

test('[A52] tries for an account guessed at from many addresses must wait, except from its owner’s address', async () => {
  const { logIn } = await aStaffDoor({ accountTries: FEW_TRIES });
  const home = anAddress();
  await logIn(OWNER.password, home);
  for (let index = 0; index < FEW_TRIES; index += 1) await outcome(logIn('wrong', `203.0.113.${index}`));
  expect(await outcome(logIn('wrong', anAddress()))).toBe('too_many_requests');
  expect(await outcome(logIn(OWNER.password, home))).toBe('ok');
});

test('[A53] a try that is refused as busy does not count', async () => {
  const { logIn } = await aStaffDoor();
  const address = anAddress();
  // These are more tries from one address than may wait for their turn.
  const accounts = 6;
  const email = (index: number) => `somebody-${index % accounts}@example.com`;
  const outcomes = await count(accounts * pairTries, (index) => logIn('wrong', address, email(index)));
  expect(outcomes['busy']).toBeGreaterThan(0);
  expect(outcomes['too_many_requests']).toBeUndefined();
  for (let index = 0; index < accounts; index += 1)
    expect(await outcome(logIn('wrong', address, email(index)))).toBe('unauthorized');
});

test('[A54] a request and a guess cost the same for an unknown phone as for a courier’s', async () => {
  const courier = aCourier({ liveMode: true, phone: '+4930333333' });
  const { credentials, mongo, sent } = await aDoor(engines, [courier]);
  const codes = mongo.collection(ONE_TIME_CODES);
  const costs: unknown[] = [];
  for (const phone of [courier.phone, '+4930444444']) {
    const address = anAddress();
    const before = await codes.countDocuments();
    await credentials.requestOtp(phone, address);
    await until(async () => (await codes.countDocuments()) === before + 1);
    await mongo.db.command({ profile: 2 });
    expect(await outcome(credentials.grant({ type: 'otp', phone, code: '123456' }, address))).toBe('otp_invalid');
    await mongo.db.command({ profile: 0 });
    const profile = mongo.db.collection('system.profile');
    const found = await profile.find({ ns: /one_time_codes|claims|couriers/ }).toArray();
    costs.push(
      found.map(({ ns, op, keysExamined, docsExamined, nMatched }) => ({
        ns,
        op,
        keysExamined,
        docsExamined,
        nMatched,
      })),
    );
    await profile.drop();
  }
  expect(costs[0]).toMatchObject([{ op: 'command', docsExamined: 1 }]);
  expect(costs[1]).toEqual(costs[0]);
  expect(sent.map(({ phone }) => phone)).toEqual([courier.phone]);
});
