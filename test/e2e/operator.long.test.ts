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
  for (const args of [['--help'], ['-h'], ['add-vendor', '--help']]) {
    const asked = await operate(args);
    expect(asked).toMatchObject({ code: 0, err: '' });
    expect(asked.out.startsWith(usage)).toBe(true);
  }
  const away = { MONGO_URL: 'mongodb://127.0.0.1:1/none?serverSelectionTimeoutMS=100' };
  for (const [args, env, beginning] of [
    [[], {}, `The command is missing.\n\n${usage}`],
    [['constructor'], {}, `There is no command constructor.\n\n${usage}`],
    [['add-vendor'], {}, `--name is missing.\n\n${usage}`],
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
    expect(told.err).not.toMatch(/\n +at /);
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
