import { SignJWT, importJWK, type JWK } from 'jose';
import { expect, test } from 'vitest';
import { newId } from '../../../src/domain/ids.ts';
import type { Mongo } from '../../../src/engines/mongo.ts';
import { aCourier } from '../../builders.ts';
import { preparedEngines } from '../../database.ts';
import { until } from '../../until.ts';
import { captureCommands } from '../explain/captured.ts';
import { NOBODY } from '../../../src/models/access/staff/staff-accounts.ts';
import { aDoor, SECRETS } from './credentials-house.ts';
import { redisProxy } from '../../engines/redis-proxy.ts';
import { ONE_TIME_CODES, STAFF, VENDOR_KEYS } from '../../../src/models/access/credential-shapes.ts';

const engines = await preparedEngines('credentials');
const monitored = (url: string): string => `${url}${url.includes('?') ? '&' : '?'}monitorCommands=true`;
const refused = (code: string): object => expect.objectContaining({ code });

/** Counts the answers to reads of keys: a clock that moves on before the answer would make its renewal an old one. */
function countAnswers({ connection, db }: Mongo): () => number {
  let answers = 0;
  connection.getClient().on('commandSucceeded', ({ commandName, reply }) => {
    const { cursor } = reply as { cursor?: { ns: string } };
    if (commandName === 'find' && cursor?.ns === `${db.databaseName}.${VENDOR_KEYS.name}`) answers += 1;
  });
  return () => answers;
}

test('[A1] a vendor key identifies its vendor and mode, and only its hash is stored', async () => {
  const { credentials, mongo } = await aDoor(engines);
  const vendorId = newId('ven');
  const { id, key } = await credentials.addVendorKey(vendorId, false);
  expect(key).toMatch(/^dsk_test_[0-9A-Za-z]{38}$/);
  expect(await credentials.authenticate(key)).toMatchObject({ type: 'vendor', vendorId, liveMode: false, keyId: id });
  const live = await credentials.addVendorKey(vendorId, true);
  expect(live.key).toMatch(/^dsk_live_/);
  const rows = await mongo.collection(VENDOR_KEYS).find().toArray();
  expect(JSON.stringify(rows)).not.toContain(key.slice(9));
  expect(rows.find(({ keyId }) => keyId === id)).toMatchObject({ prefix: 'dsk_test', last4: key.slice(-4) });
});

test('[A2] a key with a wrong checksum is refused without reading the database', async () => {
  const { credentials, mongo } = await aDoor(engines);
  const { key } = await credentials.addVendorKey(newId('ven'), false);
  const wrong = `${key.slice(0, 12)}${key[12] === 'a' ? 'b' : 'a'}${key.slice(13)}`;
  await mongo.close();
  await expect(credentials.authenticate(wrong)).rejects.toEqual(refused('unauthorized'));
  await expect(credentials.authenticate('dsk_live_short')).rejects.toEqual(refused('unauthorized'));
});

test('[A3] a revoked key stops working within ten seconds', async () => {
  const { credentials, mongo, clock } = await aDoor(engines);
  const { id, key } = await credentials.addVendorKey(newId('ven'), false);
  await credentials.authenticate(key);
  await mongo.collection(VENDOR_KEYS).updateOne({ keyId: id }, { $set: { revokedAt: clock.now() } });
  await clock.advance(10_000);
  await expect(credentials.authenticate(key)).rejects.toEqual(refused('unauthorized'));
});

test('[A111] while a vendor calls, the key is not read again with each call, and stops working when it has ended', async () => {
  const { credentials, mongo, clock } = await aDoor({ ...engines, mongoUrl: monitored(engines.mongoUrl) });
  const { id, key } = await credentials.addVendorKey(newId('ven'), false);
  const capture = captureCommands(mongo);
  const answered = countAnswers(mongo);
  for (let call = 1; call <= 10; call += 1) {
    await credentials.authenticate(key);
    await until(() => answered() === call);
    await clock.advance(2_000);
  }
  const finds = capture.taken().filter(({ find }) => find === VENDOR_KEYS.name);
  const renewals = finds.filter(({ filter }) => 'keyId' in (filter as object)).length;
  const reads = finds.length - renewals;
  expect({ reads, renewals }).toEqual({ reads: 1, renewals: 9 });
  await mongo.collection(VENDOR_KEYS).updateOne({ keyId: id }, { $set: { revokedAt: clock.now() } });
  for (let call = 11; call <= 13; call += 1) {
    await credentials.authenticate(key).catch(() => undefined);
    await clock.advance(2_000);
  }
  await expect(credentials.authenticate(key)).rejects.toEqual(refused('unauthorized'));
});

test('[A4] the code of a test-mode courier is 000000, and the code of a live courier never is', async () => {
  const [inTest, live] = [aCourier(), aCourier({ liveMode: true })];
  const { credentials } = await aDoor(engines, [inTest, live]);
  const tokens = await credentials.grant({ type: 'otp', phone: inTest.phone, code: '000000' }, '127.0.0.1');
  expect(tokens).toMatchObject({ courierId: inTest.id, staffId: null, expiresIn: 900 });
  expect(await credentials.authenticate(tokens.accessToken)).toMatchObject({
    type: 'courier',
    courierId: inTest.id,
    liveMode: false,
  });
  const asLive = credentials.grant({ type: 'otp', phone: live.phone, code: '000000' }, '127.0.0.1');
  await expect(asLive).rejects.toEqual(refused('otp_invalid'));
});

test('[A5] a live code is sent, works once and is stored only as a hash', async () => {
  const courier = aCourier({ liveMode: true });
  const { credentials, sent, mongo } = await aDoor(engines, [courier]);
  await credentials.requestOtp(courier.phone, '127.0.0.1');
  await until(() => sent.length === 1);
  const { code = '', phone = '' } = sent[0] ?? {};
  expect(code).toMatch(/^\d{6}$/);
  expect(phone).toBe(courier.phone);
  const rows = await mongo.collection(ONE_TIME_CODES).find().toArray();
  expect(JSON.stringify(rows)).not.toContain(courier.phone);
  const tries = [1, 2, 3].map(() => credentials.grant({ type: 'otp', phone, code }, '127.0.0.1'));
  const won = (await Promise.allSettled(tries)).filter(({ status }) => status === 'fulfilled');
  expect(won).toHaveLength(1);
});

test('[A5] a live code expires after ten minutes', async () => {
  const courier = aCourier({ liveMode: true });
  const { credentials, sent, clock } = await aDoor(engines, [courier]);
  await credentials.requestOtp(courier.phone, '127.0.0.1');
  await until(() => sent.length === 1);
  await clock.advance(600_001);
  const late = credentials.grant({ type: 'otp', phone: courier.phone, code: sent[0]?.code ?? '' }, '127.0.0.1');
  await expect(late).rejects.toEqual(refused('otp_invalid'));
});

test('[A6] an unknown phone gets the same answer as a known one, and nothing is sent', async () => {
  const { credentials, sent } = await aDoor(engines);
  expect(await credentials.requestOtp('+49309999999', '127.0.0.1')).toBeUndefined();
  const guess = credentials.grant({ type: 'otp', phone: '+49309999999', code: '000000' }, '127.0.0.1');
  await expect(guess).rejects.toEqual(refused('otp_invalid'));
  expect(sent).toEqual([]);
});

test('[A7] five of many concurrent wrong logins are checked; correct logins do not count among them', async () => {
  const courier = aCourier();
  const { credentials, clock } = await aDoor(engines, [courier], undefined);
  const wrong = () => credentials.grant({ type: 'otp', phone: courier.phone, code: '123456' }, '127.0.0.1');
  const codes = (await Promise.allSettled(Array.from({ length: 20 }, wrong))).map((result) =>
    result.status === 'rejected' ? (result.reason as { code: string }).code : 'ok',
  );
  expect(codes.filter((code) => code === 'otp_invalid')).toHaveLength(5);
  expect(codes.filter((code) => code === 'too_many_requests')).toHaveLength(15);
  const other = aCourier();
  const { credentials: others } = await aDoor(engines, [other], clock);
  for (let i = 0; i < 8; i += 1) await others.grant({ type: 'otp', phone: other.phone, code: '000000' }, '127.0.0.1');
});

test('[A8] without Redis each process counts the tries, so logins are never unlimited', async () => {
  const proxy = await redisProxy(engines.redisUrl);
  const courier = aCourier();
  const { credentials, redis, clock } = await aDoor({ ...engines, redisUrl: proxy.url }, [courier]);
  proxy.cut();
  await until(() => !redis.isReady());
  const wrong = () => credentials.grant({ type: 'otp', phone: courier.phone, code: '123456' }, '127.0.0.1');
  for (let i = 0; i < 5; i += 1) await expect(wrong()).rejects.toEqual(refused('otp_invalid'));
  await expect(wrong()).rejects.toEqual(refused('too_many_requests'));
  await clock.advance(15 * 60_000);
  await expect(wrong()).rejects.toEqual(refused('otp_invalid'));
});

test('[A9] staff log in with e-mail, in any case, and password, and get their roles', async () => {
  const { credentials, mongo } = await aDoor(engines);
  const staff = { email: 'Ada@Example.com', password: 'correct horse', roles: ['dispatcher', 'admin'] } as const;
  const id = await credentials.addStaff(staff);
  expect(await credentials.addStaff({ ...staff, email: 'ADA@example.com', password: 'another one' })).toBeNull();
  const tokens = await credentials.grant(
    { type: 'password', email: 'ada@example.COM', password: 'correct horse' },
    '127.0.0.1',
  );
  expect(tokens.staffId).toBe(id);
  expect(await credentials.authenticate(tokens.accessToken)).toMatchObject({
    type: 'staff',
    staffId: id,
    roles: ['dispatcher', 'admin'],
  });
  const row = await mongo.collection(STAFF).findOne({ _id: 'ada@example.com' });
  expect(row?.passwordHash).toMatch(/^\$argon2id\$/);
});

test('[A9] a wrong password and an unknown e-mail get the same answer, after the same work', async () => {
  const { credentials, mongo } = await aDoor(engines);
  await credentials.addStaff({ email: 'bob@example.com', password: 'right', roles: ['support'] });
  for (const email of ['bob@example.com', 'nobody@example.com']) {
    const wrong = credentials.grant({ type: 'password', email, password: 'wrong' }, '127.0.0.1');
    await expect(wrong).rejects.toEqual(refused('unauthorized'));
  }
  const row = await mongo.collection(STAFF).findOne({ _id: 'bob@example.com' });
  // Before its salt, a hash names the algorithm and its costs.
  const workOf = (hash: string | undefined) => hash?.split('$').slice(0, 4);
  expect(workOf(row?.passwordHash)).toEqual(workOf(NOBODY));
});

test('[A10] an access token is valid for 15 minutes, and is then refused as expired', async () => {
  const { credentials, clock } = await aDoor(engines);
  const token = await credentials.issueInternal('billing', 900);
  const caller = await credentials.authenticate(token);
  expect(caller).toMatchObject({ type: 'internal', service: 'billing' });
  await clock.advance(900_001);
  await expect(credentials.authenticate(token)).rejects.toEqual(refused('token_expired'));
});

test('[A11] a token made with another algorithm, key, issuer or audience is refused', async () => {
  const { credentials, clock } = await aDoor(engines);
  const { d: _, ...publicJwk } = JSON.parse(SECRETS.tokenPrivateJwk) as JWK;
  const nowS = Math.floor(clock.now() / 1000);
  const made = (issuer: string, audience: string) =>
    new SignJWT({ sub: 'billing' })
      .setIssuer(issuer)
      .setAudience(audience)
      .setIssuedAt(nowS)
      .setExpirationTime(nowS + 60);
  const right = await importJWK(JSON.parse(SECRETS.tokenPrivateJwk) as JWK, 'EdDSA');
  const unsigned = `${Buffer.from('{"alg":"none"}').toString('base64url')}.${Buffer.from(
    JSON.stringify({ iss: 'dispatch', aud: 'internal', sub: 'billing', exp: nowS + 60 }),
  ).toString('base64url')}.`;
  const forged = [
    unsigned,
    await made('dispatch', 'internal')
      .setProtectedHeader({ alg: 'HS256' })
      .sign(Buffer.from(publicJwk.x ?? '', 'base64url')),
    await made('elsewhere', 'internal').setProtectedHeader({ alg: 'EdDSA' }).sign(right),
    await made('dispatch', 'elsewhere').setProtectedHeader({ alg: 'EdDSA' }).sign(right),
    await made('dispatch', 'console').setProtectedHeader({ alg: 'EdDSA' }).sign(right),
    'garbage',
    '',
  ];
  for (const token of forged) await expect(credentials.authenticate(token)).rejects.toEqual(refused('unauthorized'));
});
