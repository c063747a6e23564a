import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openMongo } from '../../src/engines/mongo.ts';
import { AUDIT } from '../../src/models/audit-shapes.ts';
import { testEngines } from '../engines.ts';
import { QUIET } from '../engines/mongo-house.ts';
import { until } from '../until.ts';
import { call, connect, logIn } from './client.ts';
import { runSource } from './commands.ts';
import { startServer, type TestServer } from './servers.ts';

const engines = testEngines('operator');
let server: TestServer;

beforeAll(async () => {
  server = await startServer(engines);
});
afterAll(async () => {
  await server.stop();
});

function operate(args: readonly string[], env: Record<string, string> = {}): ReturnType<typeof runSource> {
  const { mongoUrl, redisUrl, keyPrefix } = engines;
  return runSource('operator', args, { MONGO_URL: mongoUrl, REDIS_URL: redisUrl, REDIS_PREFIX: keyPrefix, ...env });
}

test('[Z7] an operator makes the first vendor, staff and service token from the command line', async () => {
  const vendor = JSON.parse((await operate(['add-vendor', '--name', 'Corner Shop', '--live'])).out) as {
    api_key: string;
  };
  expect(vendor.api_key).toMatch(/^dsk_live_/);
  expect((await call(server.baseUrl, 'GET /deliveries', { token: vendor.api_key })).status).toBe(200);
  const account = { email: 'night.shift@example.org', password: 'a password of length' };
  const made = await operate(['add-staff', '--email', account.email, '--roles', 'dispatcher'], {
    STAFF_PASSWORD: account.password,
  });
  expect(made.code).toBe(0);
  const staff = await logIn(server.baseUrl, account);
  expect((await call(server.baseUrl, 'GET /deliveries', { token: staff })).status).toBe(200);
  const { token } = JSON.parse((await operate(['service-token', '--name', 'orders'])).out) as { token: string };
  expect((await call(server.baseUrl, 'GET /deliveries', { token })).status).toBe(200);
  const wrong = await operate(['add-staff', '--email', account.email, '--roles', 'king'], {
    STAFF_PASSWORD: account.password,
  });
  expect(wrong).toMatchObject({ code: 2, out: '' });
  expect(wrong.err).toContain('unknown: king');
});

test('[Z43] add-staff leaves a known account as it is; --reset replaces it and ends its sessions on the servers', async () => {
  const email = 'day.shift@example.org';
  const add = (password: string, roles: string, ...more: string[]) =>
    operate(['add-staff', '--email', email, '--roles', roles, ...more], { STAFF_PASSWORD: password });
  const unknown = await add('the first password', 'admin', '--reset');
  expect(unknown).toMatchObject({ code: 2, out: '', err: expect.stringContaining('has no account') as string });
  expect((await add('the first password', 'admin')).code).toBe(0);
  const known = await add('the second password', 'dispatcher');
  expect(known).toMatchObject({ code: 2, out: '' });
  expect(known.err.trim()).toBe(
    `${email} already has an account. Nothing was changed. Use --reset to set its password and roles and to end its sessions.`,
  );
  const token = await logIn(server.baseUrl, { email, password: 'the first password' });
  const desk = await connect(server.baseUrl, '/admin', { token });
  const reset = await add('the second password', 'dispatcher', '--reset');
  expect(JSON.parse(reset.out)).toMatchObject({ email, roles: ['dispatcher'], ended_sessions: 1 });
  await until(() => !desk.connected);
  expect((await call(server.baseUrl, 'GET /deliveries', { token })).status).toBe(401);
  await logIn(server.baseUrl, { email, password: 'the second password' });
});

test('[S99] schema shows the version and the migrations, and takes no arguments', async () => {
  const shown = await operate(['schema']);
  expect(shown).toMatchObject({ code: 0, err: '' });
  const {
    schema_version: version,
    version_of_release: newest,
    migrations,
  } = JSON.parse(shown.out) as {
    schema_version: number;
    version_of_release: number;
    migrations: { name: string; state: string; done_at: string }[];
  };
  expect(version).toBe(newest);
  expect(migrations).toHaveLength(newest);
  // The server of this test made the database.
  expect(new Set(migrations.map(({ state }) => state))).toEqual(new Set(['done']));
  expect(await operate(['schema', '--all'])).toMatchObject({ code: 2, out: '' });
});

test('[Z7] help prints the usage with code 0; an impossible command prints a sentence with code 2', async () => {
  const usage = 'npm run operator -- COMMAND';
  const hint = 'To see all options, use --help.\n';
  for (const args of [['--help'], ['-h'], ['add-vendor', '--help']]) {
    const asked = await operate(args);
    expect(asked).toMatchObject({ code: 0, err: '' });
    expect(asked.out.startsWith(usage)).toBe(true);
  }
  const away = { MONGO_URL: 'mongodb://127.0.0.1:1/none?serverSelectionTimeoutMS=100' };
  for (const [args, env, beginning] of [
    [[], {}, `The command is missing.\n${hint}`],
    [['constructor'], {}, `There is no command constructor.\n${hint}`],
    [['add-vendor'], {}, `--name is missing.\n${hint}`],
    [['add-vendor', '--nam', 'x'], {}, "Unknown option '--nam'"],
    [['service-token', '--name', 'x', '--hours', '25'], {}, '--hours must'],
    // Reported before any engine is contacted.
    [['service-token', '--hours', '2'], away, '--name is missing.'],
    [['add-vendor', '--name', 'x'], away, 'MongoDB does not answer: '],
    [['add-vendor', '--name', 'x'], { MONGO_URL: '', REDIS_URL: '' }, 'Set MONGO_URL and REDIS_URL. '],
  ] as const) {
    const told = await operate(args, env);
    expect(told).toMatchObject({ code: 2, out: '' });
    expect(told.err.slice(0, beginning.length)).toBe(beginning);
    expect(told.err.split('\n').length).toBeLessThanOrEqual(3);
  }
});

test('[Z67] a command with other secrets than the server does nothing and names them', async () => {
  const told = await operate(['add-vendor', '--name', 'Other Shop'], { PEPPER: 'x'.repeat(32) });
  expect(told).toMatchObject({ code: 2, out: '' });
  expect(told.err).toMatch(/^PEPPER: must be the same as on the server/);
});

test('[A92] verify-audit proves the log, names the operator, and exits with 1 after a row was changed', async () => {
  await operate(['add-vendor', '--name', 'Audited Shop']);
  const mongo = await openMongo(engines.mongoUrl, QUIET);
  await until(async () => (await mongo.collection(AUDIT).countDocuments({ due: true })) === 0);
  const sound = await operate(['verify-audit']);
  expect(sound.code).toBe(0);
  const { sequence, hash } = (JSON.parse(sound.out) as { head: { sequence: number; hash: string } }).head;
  expect((await operate(['verify-audit', '--head', `${sequence}:${hash}`])).code).toBe(0);
  expect((await operate(['verify-audit', '--head', 'x'])).code).toBe(2);
  const changed = await mongo
    .collection(AUDIT)
    .findOneAndUpdate({ action: 'vendor.add', 'actor.type': 'operator' }, { $set: { 'actor.id': 'nobody' } });
  await mongo.close();
  expect(changed?.actor.id).toEqual(expect.any(String));
  const bad = await operate(['verify-audit']);
  expect(bad.code).toBe(1);
  expect(JSON.parse(bad.out)).toMatchObject({ ok: false, why: 'The entry or its link was changed.' });
});

/** Runs a command that must succeed and returns what it prints. */
async function done(args: readonly string[], env: Record<string, string> = {}): Promise<Record<string, unknown>> {
  const told = await operate(args, env);
  expect(told).toMatchObject({ code: 0, err: '' });
  return JSON.parse(told.out) as Record<string, unknown>;
}

test('[H381] an operator adds and changes a location, sets its readiness and its zones, and the server follows', async () => {
  const { vendor_id, api_key: token } = await done(['add-vendor', '--name', 'Located Shop']);
  const place = ['--lat', '52.5206', '--lng', '13.4049', '--address', 'Main Street 1'];
  const contact = ['--contact-name', 'Ada', '--contact-phone', '+4915112345678', '--max-distance-m', '4000'];
  const made = await done(['add-location', '--vendor', String(vendor_id), '--name', 'Shop', ...place, ...contact]);
  const at = ['--location', String(made['id'])];
  const changed = await done(['change-location', ...at, '--name', 'Corner Shop', '--max-distance-m', '']);
  expect(changed).toMatchObject({ name: 'Corner Shop', max_distance_m: null, version: 2 });
  const body = { pickup: { location_id: made['id'] }, drop_off: [{ coordinates: { lat: 52.525, lng: 13.41 } }] };
  const quote = () => call(server.baseUrl, 'POST /express/quotes', { token: String(token), body });
  expect((await quote()).status).toBe(201);
  await done(['set-readiness', ...at, '--ready', 'no']);
  expect((await quote()).body).toMatchObject({ reason: 'location_not_ready' });
  await done(['set-readiness', ...at, '--ready', 'yes']);
  const file = path.join(await mkdtemp(path.join(tmpdir(), 'zone-')), 'zone.json');
  const ring = [
    [13, 52],
    [13.1, 52],
    [13.1, 52.1],
    [13, 52],
  ];
  await writeFile(file, JSON.stringify({ type: 'Polygon', coordinates: [ring] }));
  const zone = await done(['add-zone', ...at, '--name', 'Far away', '--geojson', file]);
  expect((await quote()).body).toMatchObject({ reason: 'drop_off_not_in_coverage' });
  expect(await done(['remove-zone', ...at, '--zone', String(zone['id'])])).toEqual({ removed: zone['id'] });
  expect((await quote()).status).toBe(201);
  const listed = await done(['list-locations', '--vendor', String(vendor_id)]);
  expect(listed).toMatchObject({ data: [{ id: made['id'], name: 'Corner Shop', ready: true }], has_more: false });
  expect(await actionsAbout(String(made['id']))).toEqual([
    'location.add',
    'location.update',
    'location.readiness',
    'location.readiness',
    'zone.add',
    'zone.remove',
  ]);
});

test('[H382] an operator lists staff, changes roles, resets a password and removes an account, which ends its sessions', async () => {
  const email = 'late.shift@example.org';
  const named = ['--email', email];
  const account = { STAFF_PASSWORD: 'the first password' };
  const { staff_id } = await done(['add-staff', ...named, '--roles', 'support'], account);
  const listed = (await done(['list-staff'])) as { data: { id: string }[] };
  expect(listed.data.find(({ id }) => id === staff_id)).toMatchObject({ email, roles: ['support'] });
  const before = await logIn(server.baseUrl, { email, password: 'the first password' });
  const roles = await done(['set-staff-roles', '--email', email.toUpperCase(), '--roles', 'dispatcher,finance']);
  expect(roles).toMatchObject({ id: staff_id, roles: ['dispatcher', 'finance'], ended_sessions: 1 });
  await until(async () => (await call(server.baseUrl, 'GET /deliveries', { token: before })).status === 401);
  await done(['reset-staff', ...named], { STAFF_PASSWORD: 'the second password' });
  const after = await logIn(server.baseUrl, { email, password: 'the second password' });
  expect(await done(['remove-staff', ...named])).toEqual({ removed: staff_id });
  await until(async () => (await call(server.baseUrl, 'GET /deliveries', { token: after })).status === 401);
  expect(await done(['remove-staff', ...named])).toEqual({ removed: staff_id });
  expect(await operate(['remove-staff', '--email', `not.${email}`])).toMatchObject({
    code: 2,
    out: '',
    err: `not.${email} has no account. Nothing was changed.\n`,
  });
  expect(await actionsAbout(String(staff_id))).toEqual(['staff.add', 'staff.roles', 'staff.reset', 'staff.remove']);
});

/** The actions of operators about an object in the audit log, oldest first. */
async function actionsAbout(objectId: string): Promise<string[]> {
  const mongo = await openMongo(engines.mongoUrl, QUIET);
  const rows = await mongo.collection(AUDIT).find({ objectId, 'actor.type': 'operator' }).sort({ at: 1 }).toArray();
  await mongo.close();
  return rows.map(({ action }) => action);
}

test('[J12] [J21] adjust-wallet books once per reference, a wallet is frozen, and verify-ledger finds no fault', async () => {
  const made = JSON.parse((await operate(['add-vendor', '--name', 'Corner Shop'])).out) as Record<string, string>;
  const { vendor_id: vendor = '', api_key: token = '' } = made;
  const before = (await done(['verify-ledger'])) as { entries: number; accounts: number };
  const adjust = (amount: string, reference: string) =>
    operate(['adjust-wallet', '--vendor', vendor, `--amount=${amount}`, '--reason', 'test', '--reference', reference]);
  for (const _try of [1, 2]) expect(JSON.parse((await adjust('12.50', 'one')).out)).toMatchObject({ available: 1250 });
  const odd = await adjust('12.5', 'two');
  expect(odd).toMatchObject({ code: 2, out: '', err: expect.stringContaining('exactly 2 decimals') as string });
  expect((await adjust('-12.51', 'two')).code).toBe(2);
  const { body } = await call(server.baseUrl, 'GET /wallets/balance', { token });
  expect(body).toMatchObject({ available: 1250, held: 0, owed: 0, pending: 0 });
  const frozen = (deed: string) => done([deed, '--vendor', vendor, '--reason', 'test']);
  expect(await frozen('freeze-wallet')).toMatchObject({ frozen: true, available: 1250 });
  expect((await call(server.baseUrl, 'GET /wallets/balance', { token })).body).toMatchObject({ frozen: true });
  expect(await frozen('unfreeze-wallet')).toMatchObject({ frozen: false });
  expect(await actionsAbout(vendor)).toEqual(['vendor.add', 'wallet.adjust', 'wallet.freeze', 'wallet.freeze']);
  const check = await operate(['verify-ledger']);
  expect(check.code).toBe(0);
  expect(JSON.parse(check.out)).toMatchObject({ ok: true, entries: before.entries + 1, accounts: before.accounts + 1 });
});

test('[Z35] a server that starts with other secrets than the one before it names them in its log', async () => {
  const other = await startServer(engines, { LOG_LEVEL: 'warn', PEPPER: 'x'.repeat(32) });
  expect(await other.stop()).toBe(0);
  const line = other
    .output()
    .split('\n')
    .find((one) => one.includes('differ from those of the server that started last'));
  expect(JSON.parse(line ?? '{}')).toMatchObject({ level: 40, secrets: ['PEPPER'] });
});
