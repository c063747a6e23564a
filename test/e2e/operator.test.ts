import { spawn } from 'node:child_process';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { testEngines } from '../engines.ts';
import { ENVIRONMENT } from '../environment.ts';
import { call, logIn } from './client.ts';
import { startServer, type TestServer } from './servers.ts';

const OPERATOR = path.resolve(import.meta.dirname, '..', '..', 'src', 'operator.ts');
const engines = testEngines('operator');
let server: TestServer;

beforeAll(async () => {
  server = await startServer(engines);
});
afterAll(async () => {
  await server.stop();
});

function operate(
  args: readonly string[],
  env: Record<string, string> = {},
): Promise<{ code: number | null; out: string; err: string }> {
  const child = spawn(process.execPath, [OPERATOR, ...args], {
    env: {
      PATH: ENVIRONMENT['PATH'],
      MONGO_URL: engines.mongoUrl,
      REDIS_URL: engines.redisUrl,
      REDIS_PREFIX: engines.keyPrefix,
      ...env,
    },
  });
  const told = { out: '', err: '' };
  child.stdout.on('data', (chunk: Buffer) => (told.out += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (told.err += chunk.toString()));
  return new Promise((resolve) => child.once('close', (code) => resolve({ code, ...told })));
}

test(
  '[Z7] an operator makes the first vendor, staff and service token from the command line',
  { timeout: 60_000 },
  async () => {
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
    expect(wrong).toMatchObject({ code: 1, out: '' });
    expect(wrong.err).toContain('No such role: king');
  },
);
