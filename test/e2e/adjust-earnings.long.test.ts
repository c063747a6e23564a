import { afterAll, beforeAll, expect, test } from 'vitest';
import { testEngines } from '../engines.ts';
import { call } from './client.ts';
import { runSource } from './commands.ts';
import { startServer, type TestServer } from './servers.ts';

const engines = testEngines('adjust_earnings');
let server: TestServer;

beforeAll(async () => {
  server = await startServer(engines);
});
afterAll(async () => {
  await server.stop();
});

function operate(...args: readonly string[]): ReturnType<typeof runSource> {
  const { mongoUrl, redisUrl, keyPrefix } = engines;
  return runSource('operator', args, { MONGO_URL: mongoUrl, REDIS_URL: redisUrl, REDIS_PREFIX: keyPrefix });
}

test('[J384] adjust-earnings books once per reference, and the ledger adds up', async () => {
  const { token } = JSON.parse((await operate('service-token', '--name', 'payroll')).out) as { token: string };
  const body = { name: 'Ada', phone: '+4915210000001', vehicle_type: 'bicycle', live_mode: false };
  const { body: courier } = await call(server.baseUrl, 'POST /couriers/onboard', { token, body });
  const courier_id = String(courier['id']);
  const adjust = (amount: string, reference: string) => {
    const why = ['--reason', 'a long wait', '--reference', reference];
    return operate('adjust-earnings', '--courier', courier_id, '--currency', 'EUR', `--amount=${amount}`, ...why);
  };
  for (const _try of [1, 2])
    expect(JSON.parse((await adjust('12.50', 'one')).out)).toEqual({ courier_id, currency: 'EUR', available: 1250 });
  const more = await adjust('-12.51', 'two');
  expect(more).toMatchObject({ code: 2, out: '', err: expect.stringContaining('No money has moved') as string });
  const check = await operate('verify-ledger');
  expect([check.code, JSON.parse(check.out)]).toMatchObject([0, { ok: true }]);
});
