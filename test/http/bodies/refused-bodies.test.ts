import { createServer } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import { createHttp } from '../../../src/http/server.ts';
import { handClock } from '../../clock.ts';
import { until } from '../../until.ts';
import { aCreate, addVendor, call, openHouse, type Answer } from '../house.ts';
import { wrongProblem } from '../routes.ts';
import { openPort } from '../../open-port.ts';

const KIB = 1024;
const house = await openHouse('refused_bodies', (settings) => ({
  ...settings,
  http: {
    ...settings.http,
    refusedBytes: 10 * KIB,
    refusedBytesPerS: KIB,
    refusedPauseRealMs: 5000,
    // The test says in a header where a request comes from.
    trustedProxies: '127.0.0.1',
  },
}));

/** A server whose machine time is moved by hand, and a vendor's key. */
async function start() {
  const { clock } = house.ctx;
  const hand = handClock();
  const pauses: number[] = [];
  const sleep = (ms: number): Promise<void> => {
    pauses.push(ms);
    return hand.real.sleep(ms);
  };
  const server = createServer(createHttp({ ...house.ctx, clock: { ...clock, real: { ...hand.real, sleep } } }));
  const url = await openPort(server);
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const here = { ...house, url };
  const { key } = await addVendor(house);
  const send = (raw: string, from = '192.0.2.1', token: string | undefined = key): Promise<Answer> =>
    call(here, 'POST /deliveries', { token, raw, headers: { 'x-forwarded-for': from } });
  return { here, key, send, pauses, hand };
}

const WRONG = '{"no_such_field":1}';
const wrongOf = (bytes: number): string => `{"no_such_field":"${'x'.repeat(bytes - 20)}"}`;

test('[H92] refused bodies are answered at once until there are many; then each waits longer, up to the longest pause', async () => {
  const { send, pauses, hand } = await start();
  for (let sent = 0; sent < 10; sent += 1) expect((await send(WRONG)).status).toBe(400);
  expect(pauses).toEqual([]);
  const later: Answer[] = [];
  for (const wanted of [1000, 2000, 3000, 4000, 5000, 5000, 5000]) {
    const count = pauses.length;
    void send(WRONG).then((answer) => later.push(answer));
    await until(() => pauses.length > count);
    expect(pauses.at(-1)).toBe(wanted);
  }
  expect(later).toEqual([]);
  await hand.advance(5000);
  await until(() => later.length === 7);
  for (const answer of later) {
    expect([answer.status, answer.headers.get('connection')]).toEqual([400, 'close']);
    expect(wrongProblem(answer)).toBeNull();
  }
});

test('[H92] the count of refused bodies decreases over time, and no sender waits longer than the longest pause', async () => {
  const { send, pauses, hand } = await start();
  const answers: Answer[] = [];
  const late = async (raw: string): Promise<void> => {
    const count = pauses.length;
    void send(raw).then((answer) => answers.push(answer));
    await until(() => pauses.length > count);
  };
  expect((await send(wrongOf(10 * KIB))).status).toBe(400);
  for (let sent = 0; sent < 8; sent += 1) await late(wrongOf(200 * KIB));
  expect(pauses).toEqual(Array(8).fill(5000));
  await hand.advance(5000);
  await until(() => answers.length === 8);
  await late(WRONG);
  expect(pauses.at(-1)).toBe(1000);
  await hand.advance(2000);
  await until(() => answers.length === 9);
  expect((await send(WRONG)).status).toBe(400);
  expect(pauses).toHaveLength(9);
});

test('[H92] a large body counts by its size, also when it is too large to be read or sprawls', async () => {
  const { send, pauses, hand } = await start();
  expect((await send(wrongOf(9 * KIB))).status).toBe(400);
  expect((await send('{"custom":')).status).toBe(400);
  const answers: Answer[] = [];
  for (const raw of [`[${'1,'.repeat(6000)}1]`, `{"custom":"${'x'.repeat(300_000)}"}`]) {
    void send(raw).then((answer) => answers.push(answer));
  }
  await until(() => pauses.length === 2);
  expect(pauses).toEqual([5000, 5000]);
  await hand.advance(5000);
  await until(() => answers.length === 2);
  expect(answers.map(({ body }) => body['code'])).toEqual(['payload_too_large', 'payload_too_large']);
});

test('[H92] no other sender waits: another address, another credential, or a sender of valid bodies', async () => {
  const { send, pauses, hand } = await start();
  expect((await send(wrongOf(10 * KIB))).status).toBe(400);
  const late = send(WRONG);
  await until(() => pauses.length === 1);
  expect((await send(WRONG, '192.0.2.2')).status).toBe(400);
  expect((await send(WRONG, '192.0.2.1', (await addVendor(house)).key)).status).toBe(400);
  expect((await send(JSON.stringify(aCreate()))).status).toBe(201);
  expect(pauses).toHaveLength(1);
  await hand.advance(1000);
  expect((await late).status).toBe(400);
});

test('[H93] a limited number of refusals of one account and address wait, and further bodies are not read', async () => {
  const { send, pauses, hand } = await start();
  expect((await send(wrongOf(10 * KIB))).status).toBe(400);
  const late = Array.from({ length: 32 }, () => send(WRONG));
  await until(() => pauses.length === 32);
  const more = await send(JSON.stringify(aCreate()));
  expect(more.body).toMatchObject({ status: 429, code: 'too_many_requests', metadata: { retry_after_s: 5 } });
  expect([more.headers.get('connection'), more.headers.get('retry-after')]).toEqual(['close', '5']);
  expect(wrongProblem(more)).toBeNull();
  expect((await send(JSON.stringify(aCreate()), '192.0.2.2')).status).toBe(201);
  await hand.advance(5000);
  for (const answer of await Promise.all(late)) expect(answer.status).toBe(400);
  expect((await send(JSON.stringify(aCreate()))).status).toBe(201);
});

test('[H93] a caller who disconnects while their refusals wait gets no further places', async () => {
  const { here, key, send, pauses, hand } = await start();
  expect((await send(wrongOf(10 * KIB))).status).toBe(400);
  const leave = new AbortController();
  const headers = {
    authorization: `Bearer ${key}`,
    'content-type': 'application/json',
    'x-forwarded-for': '192.0.2.1',
  };
  const gone = Array.from({ length: 32 }, () =>
    fetch(`${here.url}/deliveries`, { method: 'POST', headers, body: WRONG, signal: leave.signal }),
  );
  await until(() => pauses.length === 32);
  leave.abort();
  expect(new Set((await Promise.allSettled(gone)).map(({ status }) => status))).toEqual(new Set(['rejected']));
  expect((await send(WRONG)).status).toBe(429);
  await hand.advance(5000);
  expect((await send(JSON.stringify(aCreate()))).status).toBe(201);
});
