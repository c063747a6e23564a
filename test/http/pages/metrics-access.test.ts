import { createServer, get } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import type { HttpContext } from '../../../src/http/http-context.ts';
import { createHttp } from '../../../src/http/server.ts';
import { call, openHouse, type House } from '../house.ts';
import { wrongProblem } from '../routes.ts';
import { openPort } from '../../open-port.ts';

const house = await openHouse('metrics_access');
const TOKEN = 'Zr8qkV2nTf0uYw5bXj7sLd9gHp3mCa6e';

/** The same server with another configuration, whose callers seem to come from this address. */
async function serve(over: Partial<HttpContext>, from = '127.0.0.1'): Promise<House> {
  const server = createServer(createHttp({ ...house.ctx, ...over }));
  server.on('connection', (socket) => Object.defineProperty(socket, 'remoteAddress', { value: from }));
  const url = await openPort(server);
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { ...house, url };
}

/** How `/metrics` is answered: the status, and the detail of a refusal. */
async function read(from: House, headers: Record<string, string> = {}, path = '/metrics'): Promise<unknown[]> {
  const answer = await call(from, `GET ${path}`, { headers });
  if (answer.status !== 200) expect(wrongProblem(answer)).toBeNull();
  return [answer.status, answer.body['code'] ?? answer.text, answer.headers.get('www-authenticate')];
}

/** The status of an answer to a request that names this host; `fetch` names its own. */
function statusFor(host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const asked = get(`${house.url}/metrics`, { headers: { host } }, (answer) => {
      answer.resume();
      resolve(answer.statusCode ?? 0);
    });
    asked.on('error', reject);
  });
}

const METRICS = [200, '# HELP a b\n', null];
const CLOSED = [403, 'forbidden', null];
const UNPROVEN = [401, 'unauthorized', 'Bearer'];

test.each([true, false])(
  '[H90] if a token is set, /metrics answers only callers who send it (development: %s)',
  async (isDevelopment) => {
    const guarded = await serve({ metricsToken: TOKEN, isDevelopment });
    expect(await read(guarded, { authorization: `Bearer ${TOKEN}` })).toEqual(METRICS);
    for (const path of ['/metrics', '/metrics/', '/METRICS', '/metrics?token=x']) {
      expect([path, await read(guarded, {}, path)]).toEqual([path, UNPROVEN]);
    }
    for (const authorization of [TOKEN, `Bearer ${TOKEN}x`, `Bearer ${TOKEN.slice(1)}`, `Basic ${TOKEN}`, 'Bearer ']) {
      expect([authorization, await read(guarded, { authorization })]).toEqual([authorization, UNPROVEN]);
    }
    for (const path of ['/healthz', '/readyz']) expect((await call(guarded, `GET ${path}`)).status).toBe(200);
  },
);

test('[H91] without a token /metrics answers only callers on the same machine, and the refusal names the variable', async () => {
  for (const address of ['127.0.0.1', '::1', '::ffff:127.0.0.1']) {
    expect([address, await read(await serve({ metricsToken: null }, address))]).toEqual([address, METRICS]);
  }
  for (const address of ['192.0.2.1', '10.0.0.1', '::ffff:192.0.2.1', '2001:db8::1', 'fe80::1']) {
    expect([address, await read(await serve({ metricsToken: null }, address))]).toEqual([address, CLOSED]);
  }
  const far = await call(await serve({ metricsToken: null }, '192.0.2.1'), 'GET /metrics');
  expect(far.body['detail']).toContain('`METRICS_TOKEN`');
  for (const path of ['/healthz', '/readyz']) {
    expect((await call(await serve({ metricsToken: null }, '192.0.2.1'), `GET ${path}`)).status).toBe(200);
  }
});

test('[H91] a caller who came through a proxy, or under the name of another host, is not on the same machine', async () => {
  for (const header of ['x-forwarded-for', 'x-forwarded-host', 'x-real-ip', 'forwarded', 'via']) {
    expect([header, await read(house, { [header]: '127.0.0.1' })]).toEqual([header, CLOSED]);
  }
  for (const [host, status] of [
    ['localhost:3000', 200],
    ['[::1]:3000', 200],
    ['rebound.example', 403],
    ['127.0.0.1.example', 403],
  ] as const) {
    expect([host, await statusFor(host)]).toEqual([host, status]);
  }
});

test('[H91] in production /metrics is closed to everybody while no token is set', async () => {
  const production = await serve({ metricsToken: null, isDevelopment: false });
  expect(await read(production)).toEqual(CLOSED);
  expect(await read(production, { authorization: 'Bearer ' })).toEqual(CLOSED);
  expect((await call(production, 'GET /metrics')).body['detail']).toContain('`METRICS_TOKEN`');
});
