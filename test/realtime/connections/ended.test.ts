import { generateKeyPairSync } from 'node:crypto';
import { expect, onTestFinished, test } from 'vitest';
import { setCourierState } from '../../../src/dispatch/couriers/onboard-courier.ts';
import { createBell } from '../../../src/engines/redis/bell.ts';
import { createAuditLog } from '../../../src/models/audit/audit-log.ts';
import { createCredentials } from '../../../src/models/access/credentials.ts';
import type { Credentials } from '../../../src/ports/access.ts';
import type { Context } from '../../../src/ports/context.ts';
import type { Bell } from '../../../src/ports/process.ts';
import { keptBell } from '../../kept-ports.ts';
import { connectFor } from '../../engines/redis-house.ts';
import { until } from '../../until.ts';
import { assign, bear, openSite, storeCourier, type Process } from '../house.ts';
import { VENDOR_KEYS } from '../../../src/models/access/credential-shapes.ts';

/** Long enough that no connection is closed by a look unless a test makes time pass. */
const LOOK_MS = 300_000;

const site = await openSite('ended', ({ sockets }) => void (sockets.credentialsRealMs = LOOK_MS));
const SECRETS = {
  tokenPrivateJwk: JSON.stringify(generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' })),
  pepper: 'a pepper for these tests, long enough',
};
const STAFF = { email: 'ada@example.org', password: 'correct horse battery', roles: ['dispatcher'] } as const;

/** A server process with real credentials; a deaf one hears nothing of what ends elsewhere. */
async function start(change: Partial<Context> = {}, isDeaf = false): Promise<Process & { credentials: Credentials }> {
  const redis = await connectFor(site.engines);
  const bell: Bell & { close?: () => void } = isDeaf ? keptBell() : createBell(redis, site.log, 'ended');
  onTestFinished(() => bell.close?.());
  const { mongo, couriers, clock, settings, log } = site;
  const credentials = createCredentials({
    mongo,
    audit: createAuditLog(mongo, clock),
    redis,
    secrets: SECRETS,
    couriers,
    clock,
    settings,
    sendOtp: () => Promise.resolve(),
    log,
    endings: bell,
  });
  const process = await site.start(() => ({ credentials, ...change }));
  onTestFinished(process.stop);
  return { ...process, credentials };
}

function logInAsStaff({ credentials }: { credentials: Credentials }, password: string = STAFF.password) {
  return credentials.grant({ type: 'password', email: STAFF.email, password }, '127.0.0.1');
}

const refused = (code: string): object => expect.objectContaining({ code });

test('[A40] a logout closes the connections of its session in every process, and no others', async () => {
  const [here, there] = [await start(), await start()];
  const courier = await storeCourier(site);
  const grant = { type: 'otp', phone: courier.phone, code: '000000' } as const;
  const tokens = await here.credentials.grant(grant, '127.0.0.1');
  await here.credentials.addStaff(STAFF);
  const staff = await logInAsStaff(here);
  const [phone, desk] = await Promise.all([
    site.join(there, '/courier', { token: tokens.accessToken }).ready(),
    site.join(there, '/admin', { token: staff.accessToken }).ready(),
  ]);
  await here.credentials.logout(await here.credentials.authenticate(tokens.accessToken));
  await until(() => !phone.socket.connected);
  expect(phone.closedBy).toBe('transport close');
  const again = site.join(there, '/courier', { token: tokens.accessToken });
  await until(() => again.refusedWith !== null);
  expect(again.refusedWith?.code).toBe('unauthorized');
  expect(desk.socket.connected).toBe(true);
});

test('[A41] a reset of the password ends every session of the account, in all processes at once', async () => {
  const [here, there] = [await start(), await start()];
  const account = { ...STAFF, email: 'bob@example.org' };
  await here.credentials.addStaff(account);
  const logIn = (password: string) =>
    there.credentials.grant({ type: 'password', email: account.email, password }, '127.0.0.1');
  const [first, second] = [await logIn(account.password), await logIn(account.password)];
  const desks = [first, second].map(({ accessToken }) => site.join(there, '/admin', { token: accessToken }));
  await Promise.all(desks.map((desk) => desk.ready()));
  expect(await here.credentials.addStaff({ ...account, password: 'somebody else’s', roles: ['admin'] })).toBeNull();
  const reset = await here.credentials.resetStaff({ ...account, password: 'another password', roles: ['support'] });
  expect(reset).toMatchObject({ staffId: first.staffId, endedSessions: 2 });
  await until(() => desks.every(({ socket }) => !socket.connected));
  for (const { accessToken, refreshToken } of [first, second]) {
    await expect(there.credentials.authenticate(accessToken)).rejects.toEqual(refused('unauthorized'));
    const refresh = there.credentials.grant({ type: 'refresh_token', refreshToken }, '127.0.0.1');
    await expect(refresh).rejects.toEqual(refused('unauthorized'));
  }
  await expect(logIn(account.password)).rejects.toEqual(refused('unauthorized'));
  const { accessToken } = await logIn('another password');
  expect(await there.credentials.authenticate(accessToken)).toMatchObject({ roles: ['support'] });
  expect(await here.credentials.resetStaff({ ...account, email: 'nobody@example.org' })).toBeNull();
});

test('[A42] a suspended courier is logged out everywhere and cannot log in, but keeps their deliveries', async () => {
  const [here, there] = [await start(), await start()];
  const courier = await storeCourier(site);
  const delivery = await assign(site, await bear(site), courier);
  const grant = { type: 'otp', phone: courier.phone, code: '000000' } as const;
  const tokens = await here.credentials.grant(grant, '127.0.0.1');
  const phone = await site.join(there, '/courier', { token: tokens.accessToken }).ready();
  await setCourierState(here.ctx, { courierId: courier.id, state: 'suspended' }, { type: 'system' });
  await until(() => !phone.socket.connected);
  const refresh = here.credentials.grant({ type: 'refresh_token', refreshToken: tokens.refreshToken }, '127.0.0.1');
  await expect(refresh).rejects.toEqual(refused('unauthorized'));
  await expect(here.credentials.grant(grant, '127.0.0.1')).rejects.toEqual(refused('courier_not_verified'));
  expect(await site.couriers.get(courier.id)).toMatchObject({ active: [delivery.id], availability: 'offline' });
  await setCourierState(here.ctx, { courierId: courier.id, state: 'active' }, { type: 'system' });
  expect(await here.credentials.grant(grant, '127.0.0.1')).toMatchObject({ courierId: courier.id });
});

test('[A43] a process that missed the end of a session or vendor key finds it by its own check', async () => {
  const looks: (() => void)[] = [];
  const real = { ...site.clock.real, every: everyOf(looks) };
  const deaf = await start({ clock: { ...site.clock, real } }, true);
  const here = await start();
  const courier = await storeCourier(site);
  const tokens = await here.credentials.grant({ type: 'otp', phone: courier.phone, code: '000000' }, '127.0.0.1');
  const { vendorId } = await bear(site);
  const [ended, kept] = [
    await deaf.credentials.addVendorKey(vendorId, false),
    await deaf.credentials.addVendorKey(vendorId, false),
  ];
  const clients = [
    site.join(deaf, '/courier', { token: tokens.accessToken }),
    site.join(deaf, '/vendor', { token: ended.key }),
    site.join(deaf, '/vendor', { token: kept.key }),
  ];
  await Promise.all(clients.map((client) => client.ready()));
  await here.credentials.logout(await here.credentials.authenticate(tokens.accessToken));
  await site.mongo.collection(VENDOR_KEYS).updateOne({ keyId: ended.id }, { $set: { revokedAt: 1 } });
  for (const look of looks) look();
  await until(() => clients.filter(({ socket }) => !socket.connected).length === 2);
  expect(clients.map(({ socket }) => socket.connected)).toEqual([false, false, true]);
});

/** Timers of the look are run by the test, all others by the machine. */
function everyOf(looks: (() => void)[]): Context['clock']['real']['every'] {
  return (ms, task) => {
    if (ms !== LOOK_MS) return site.clock.real.every(ms, task);
    looks.push(task);
    return () => undefined;
  };
}
