import { readFileSync, statSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import { testEngines } from '../engines.ts';
import { ENVIRONMENT } from '../environment.ts';
import { call } from './client.ts';
import { runSource } from './commands.ts';
import { startServer, type TestServer } from './servers.ts';

const given = testEngines('own-engines');

async function start(env: Record<string, string>): Promise<TestServer> {
  const server = await startServer(given, env);
  onTestFinished(async () => void (await server.stop()));
  return server;
}

function addressesOf({ demoFile }: TestServer): { mongo_url?: string; redis_url?: string } {
  return JSON.parse(readFileSync(demoFile, 'utf8')) as { mongo_url?: string; redis_url?: string };
}

test('[Z19] the operator works on the engines that the demo’s file names', async () => {
  const programs = ['MONGOD_BIN', 'REDIS_BIN'].map((name) => [name, ENVIRONMENT[name] ?? '']);
  const server = await start({ MONGO_URL: '', REDIS_URL: '', ...Object.fromEntries(programs) });
  const { mongo_url: mongoUrl = '', redis_url: redisUrl = '' } = addressesOf(server);
  expect(statSync(server.demoFile).mode & 0o777).toBe(0o600);
  const args = ['add-vendor', '--name', 'Corner Shop'];
  const unaided = await runSource('operator', args);
  expect(unaided.err).toContain('mongo_url and redis_url in demo.json of its data folder');
  const made = await runSource('operator', args, { MONGO_URL: mongoUrl, REDIS_URL: redisUrl });
  expect(made).toMatchObject({ code: 0, err: '' });
  const { api_key: token } = JSON.parse(made.out) as { api_key: string };
  expect((await call(server.baseUrl, 'GET /deliveries', { token })).status).toBe(200);
});

test('[Z19] the file names no engines that were given to the server', async () => {
  const server = await start({ REDIS_PREFIX: given.keyPrefix });
  expect(Object.keys(addressesOf(server))).toEqual([
    'base_url',
    'console_url',
    'center',
    'vendor',
    'couriers',
    'staff',
  ]);
});

test('[Z20] a server whose engine does not answer ends with one sentence that says which', async () => {
  const { mongoUrl, redisUrl } = given;
  const nobody = {
    MONGO_URL: 'mongodb://127.0.0.1:1/none?serverSelectionTimeoutMS=100',
    REDIS_URL: 'redis://127.0.0.1:1',
  };
  const log = { LOG_LEVEL: 'silent', PORT: '0' };
  for (const [env, beginning] of [
    [{ ...nobody, REDIS_URL: redisUrl }, 'MongoDB does not answer: '],
    [{ ...nobody, MONGO_URL: mongoUrl }, 'Redis does not answer: '],
  ] as const) {
    const { code, out, err } = await runSource('main', [], { ...env, ...log });
    expect([code, out]).toEqual([1, '']);
    expect(err.slice(0, beginning.length)).toBe(beginning);
    expect(err.trim()).not.toContain('\n');
  }
});
