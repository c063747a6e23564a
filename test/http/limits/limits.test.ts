import { beforeAll, expect, test } from 'vitest';
import { newId } from '../../../src/domain/ids.ts';
import {
  aCreate,
  addCourier,
  addDelivery,
  addServer,
  addStaff,
  addVendor,
  call,
  openHouse,
  type Answer,
} from '../house.ts';
import { until } from '../../until.ts';

const house = await openHouse('limits', (settings) => ({
  ...settings,
  limits: {
    livePerS: 4,
    testPerS: 2,
    testReadsPerS: 5,
    quotesPerS: 3,
    locationsPerS: 1,
    locationsBurst: 2,
    webhookTestsPerMin: 3,
    invoicesPerMin: 4,
    payoutsPerMin: 3,
    proofsPerHour: 3,
    linkPerMin: 6,
  },
}));
const other = await addServer(house);
let vendor: Awaited<ReturnType<typeof addVendor>>;

beforeAll(async () => {
  vendor = await addVendor(house);
});

/** The answers to this many equal requests, sent at once to two servers. */
function askAtOnce(count: number, route: string, options: Parameters<typeof call>[2]): Promise<Answer[]> {
  const asks = Array.from({ length: count }, (_, index) => call(index % 2 === 0 ? house : other, route, options));
  return Promise.all(asks);
}
const countOf = (wanted: number, all: readonly Answer[]): number =>
  all.filter(({ status }) => status === wanted).length;

type Limit = { readonly name: string; readonly most: number; readonly spanS: number };

test('[H125] each kind of request has a limit of its own, and twice the rate may come at once', async () => {
  const courier = await addCourier(house);
  const finance = await addStaff(house, 'finance');
  const live = (await house.ctx.credentials.addVendorKey(vendor.id, true)).key;
  const fix = { lat: 52.52, lng: 13.405, accuracy: 8, recorded_at: new Date().toISOString() };
  const cases: [string, Limit, Parameters<typeof call>[2]][] = [
    ['GET /deliveries', { name: 'account', most: 8, spanS: 2 }, { token: live }],
    ['GET /deliveries', { name: 'reads', most: 10, spanS: 2 }, { token: vendor.key }],
    ['POST /deliveries', { name: 'account', most: 4, spanS: 2 }, { token: vendor.key, body: aCreate() }],
    ['POST /express/quotes', { name: 'quotes', most: 6, spanS: 2 }, { token: vendor.key, body: aCreate() }],
    [
      `PUT /couriers/${courier.id}/location`,
      { name: 'location', most: 2, spanS: 2 },
      { token: courier.token, body: fix },
    ],
    [`GET /billing/invoices/${newId('del')}`, { name: 'invoices', most: 4, spanS: 60 }, { token: vendor.key }],
    [`POST /webhooks/${newId('whk')}/test`, { name: 'webhook_tests', most: 3, spanS: 60 }, { token: vendor.key }],
    [`POST /payouts/${newId('pay')}/approve`, { name: 'payouts', most: 3, spanS: 60 }, { token: finance }],
    ['GET /t/unknown/state', { name: 'link', most: 6, spanS: 60 }, {}],
  ];
  for (const [route, { name, most, spanS }, options] of cases) {
    const since = performance.now();
    const all = await askAtOnce(8 * most, route, options);
    // Tokens come back while the requests run, so more than the burst may pass.
    const back = ((performance.now() - since) / 1000) * (most / spanS);
    const passed = all.length - countOf(429, all);
    expect(passed, route).toBeGreaterThanOrEqual(most);
    expect(passed, route).toBeLessThanOrEqual(Math.min(most + back, all.length - 1));
    expect([route, countOf(500, all)]).toEqual([route, 0]);
    const policies = new Set(all.map(({ headers }) => headers.get('ratelimit-policy')));
    expect([route, ...policies]).toEqual([route, `"${name}";q=${most};w=${spanS}`]);
  }
});

test('[H126] an answer shows the limit, and a refusal says when to try again', async () => {
  const { key } = await addVendor(house);
  const id = await addDelivery(house, key);
  const first = await call(house, `GET /deliveries/${id}`, { token: key });
  expect(first.headers.get('ratelimit-policy')).toBe('"reads";q=10;w=2');
  expect(first.headers.get('ratelimit')).toMatch(/^"reads";r=9;t=1$/);
  let refused: Answer | undefined;
  // Tokens come back while the requests run, and on a busy machine as fast as they are taken.
  await until(async () => {
    const answers = await askAtOnce(20, 'GET /deliveries', { token: key });
    refused = answers.find(({ status }) => status === 429);
    return refused !== undefined;
  });
  expect(refused?.body).toMatchObject({
    code: 'too_many_requests',
    reason: 'reads',
    retryable: true,
    metadata: { limit: 'reads', retry_after_s: 1 },
    detail: 'The limit `reads` allows 5 requests a second, and 10 at once. Send the request again in 1 s.',
  });
  expect(refused?.headers.get('retry-after')).toBe('1');
  expect(refused?.headers.get('ratelimit')).toMatch(/^"reads";r=0;t=1$/);
});

test('[H43] a recipient who opens their link too often sees a plain page that browsers may show', async () => {
  const token = 'opened-too-often-01234';
  const answers = await askAtOnce(40, `GET /t/${token}`, {});
  const refused = answers.find(({ status }) => status === 429);
  expect(refused?.text).toMatch(/class="stand-in"><h1>Too many requests<.*loads again by itself/u);
  const { headers } = refused ?? new Response();
  expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
  expect(headers.get('content-security-policy')).toContain("style-src 'self' 'unsafe-inline'");
  expect([headers.get('cache-control'), Number(headers.get('retry-after'))]).toEqual(['no-store', expect.any(Number)]);
  expect(Number(headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
  const logos = await askAtOnce(40, `GET /t/${token}/logo`, {});
  const noLogo = logos.find(({ status }) => status === 429);
  expect(noLogo?.headers.get('x-robots-tag')).toBe('noindex, nofollow');
});

test('[H481] the forms of proof of a courier have a limit of their own, over all deliveries', async () => {
  const courier = await addCourier(house);
  const prove = () => {
    const route = `POST /deliveries/${newId('del')}/stops/1/proof`;
    return call(house, route, { token: courier.token, form: new FormData() });
  };
  const answers = [await prove(), await prove(), await prove(), await prove()];
  expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 429]);
  const refused = answers.at(-1);
  expect(refused?.headers.get('ratelimit-policy')).toBe('"proofs";q=3;w=3600');
  expect(refused?.body).toMatchObject({ reason: 'proofs', metadata: { limit: 'proofs' } });
  const read = await call(house, `GET /couriers/${courier.id}/deliveries`, { token: courier.token });
  expect([read.status, read.headers.get('ratelimit')]).toEqual([200, '"account";r=7;t=1']);
});

test('[H127] services and the checks of supervisors have no limit', async () => {
  const token = await house.ctx.credentials.issueInternal('chat', 600);
  expect(countOf(200, await askAtOnce(30, 'GET /deliveries', { token }))).toBe(30);
  expect(countOf(200, await askAtOnce(30, 'GET /healthz', {}))).toBe(30);
});

test('[H420] further keys do not raise the rate of an account', async () => {
  const { id, key } = await addVendor(house);
  const others = await Promise.all(Array.from({ length: 5 }, () => house.ctx.credentials.addVendorKey(id, false)));
  const keys = [key, ...others.map((added) => added.key)];
  const startedAt = house.ctx.clock.real.elapsed();
  const asks = keys.flatMap((token) => Array.from({ length: 10 }, () => call(house, 'GET /deliveries', { token })));
  const answers = await Promise.all(asks);
  const passed = answers.filter(({ status }) => status === 200).length;
  const tookS = (house.ctx.clock.real.elapsed() - startedAt) / 1000;
  // Ten may come at once, and five more for each second that the requests take.
  expect([passed >= 10, passed <= 11 + 5 * tookS]).toEqual([true, true]);
  const live = (await house.ctx.credentials.addVendorKey(id, true)).key;
  const own = await call(house, 'GET /deliveries', { token: live });
  expect([own.status, own.headers.get('ratelimit')]).toEqual([200, '"account";r=7;t=1']);
});

test('[H420] a second login does not raise the rate of a courier', async () => {
  const courier = await addCourier(house);
  await call(house, 'POST /auth/otp', { body: { phone: courier.phone } });
  const login = { grant_type: 'otp', phone: courier.phone, code: '000000' };
  const second = String((await call(house, 'POST /auth/token', { body: login })).body['access_token']);
  const route = `GET /couriers/${courier.id}/deliveries`;
  expect((await call(house, route, { token: second })).headers.get('ratelimit')).toBe('"account";r=7;t=1');
  expect((await call(house, route, { token: courier.token })).headers.get('ratelimit')).toMatch(/^"account";r=[67];/);
  const startedAt = house.ctx.clock.real.elapsed();
  const tokens = Array.from({ length: 60 }, (_, index) => (index % 2 === 0 ? second : courier.token));
  const answers = await Promise.all(tokens.map((token) => call(house, route, { token })));
  const tookS = (house.ctx.clock.real.elapsed() - startedAt) / 1000;
  expect(answers.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(9 + 4 * tookS);
});
