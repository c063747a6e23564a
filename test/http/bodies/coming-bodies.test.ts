import { connect, type Socket } from 'node:net';
import { promisify } from 'node:util';
import { afterEach, expect, test } from 'vitest';
import type { Settings } from '../../../src/settings.ts';
import { until } from '../../until.ts';
import { addDelivery, addServer, addVendor, call, openHouse, type Answer } from '../house.ts';
import { wrongProblem } from '../routes.ts';

const DEADLINE_MS = 400;
const HEAD_MS = 300;
const PATIENT_MS = 60_000;
const PER_ADDRESS = 3;
const within =
  (headRealMs: number, bodyRealMs: number) =>
  (settings: Settings): Settings => ({
    ...settings,
    http: {
      ...settings.http,
      headRealMs,
      bodyRealMs,
      slowBodyRealMs: 100,
      bodiesPerAddress: PER_ADDRESS,
      // The test says in a header where a request comes from.
      trustedProxies: '127.0.0.1',
    },
  });
const house = await openHouse('coming_bodies', within(PATIENT_MS, DEADLINE_MS));
const hasty = await openHouse('coming_heads', within(HEAD_MS, PATIENT_MS));
/** It cuts off nothing that a test still needs, also on a machine that stands still for seconds. */
const patient = await openHouse('patient_bodies', within(PATIENT_MS, PATIENT_MS));

const open: Socket[] = [];
afterEach(() => {
  for (const socket of open.splice(0)) socket.destroy();
});

type Sent = { readonly socket: Socket; readonly text: () => string; readonly isClosed: () => boolean };

/** Sends a part of a request and keeps what comes back. */
async function send(text: string, { url }: { readonly url: string } = house): Promise<Sent> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  open.push(socket);
  let got = '';
  let isClosed = false;
  socket.on('data', (chunk: Buffer) => (got += chunk.toString()));
  socket.on('close', () => (isClosed = true));
  // A server that closes while we still send is what some tests ask for.
  socket.on('error', () => undefined);
  await new Promise<void>((resolve) => socket.write(text, () => resolve()));
  return { socket, text: () => got, isClosed: () => isClosed };
}

const head = (from: string, length: number, path = '/auth/otp'): string =>
  `POST ${path} HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: ${from}\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n\r\n`;

/** The answer in what a connection has received. */
function answerIn({ text }: Sent): Answer {
  const [top = '', body = ''] = text().split('\r\n\r\n');
  const [first = '', ...lines] = top.split('\r\n');
  const headers = new Headers(
    lines.map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1).trim()]),
  );
  // A body in chunks has the length of each before it.
  const json = body.slice(body.indexOf('{'), body.lastIndexOf('}') + 1);
  return { status: Number(first.split(' ')[1]), text: json, body: JSON.parse(json), headers };
}

const hasAnswer = (sent: Sent) => () => sent.text().includes('request_id');

test('[H65] a body that does not come in time is refused, and its connection is closed', async () => {
  const startedAt = performance.now();
  const slow = await send(`${head('192.0.2.1', 30)}{"phone":`);
  await until(hasAnswer(slow));
  expect(performance.now() - startedAt).toBeGreaterThanOrEqual(DEADLINE_MS - 5);
  const answer = answerIn(slow);
  expect([answer.status, answer.body['code'], answer.headers.get('connection')]).toEqual([408, 'slow_body', 'close']);
  expect(wrongProblem(answer)).toBeNull();
  await until(slow.isClosed);
});

test('[H65] a trickle of bytes does not move the deadline', async () => {
  const slow = await send(head('192.0.2.1', 2000));
  const stop = house.ctx.clock.real.every(20, () => slow.socket.writable && slow.socket.write(' '));
  await until(slow.isClosed);
  stop();
  expect(answerIn(slow).status).toBe(408);
});

test('[H65] a head that does not come in time ends its connection', async () => {
  const slow = await send('POST /auth/otp HTTP/1.1\r\nHost:', hasty);
  await until(slow.isClosed);
  expect(slow.text()).toMatch(/^HTTP\/1.1 408 /);
});

test('[H66] one address has so many bodies under way, and others are not touched by it', async () => {
  const waiting = await Promise.all(Array.from({ length: PER_ADDRESS }, () => send(head('192.0.2.1', 30), patient)));
  const more = await send(head('192.0.2.1', 30), patient);
  await until(hasAnswer(more));
  const refused = answerIn(more);
  expect([refused.status, refused.body['code'], refused.headers.get('retry-after')]).toEqual([
    429,
    'too_many_requests',
    '1',
  ]);
  expect(refused.body['detail']).toContain(`${PER_ADDRESS} slow bodies`);
  expect(wrongProblem(refused)).toBeNull();
  const other = await send(`${head('192.0.2.2', 2)}{}`, patient);
  await until(hasAnswer(other));
  expect(answerIn(other).status).toBe(400);
  for (const { socket } of waiting) socket.destroy();
  await until(async () => {
    const again = await send(`${head('192.0.2.1', 2)}{}`, patient);
    await until(hasAnswer(again));
    return answerIn(again).status === 400;
  });
});

test('[H66] a body that is still arriving after the answer is also cut off', async () => {
  const path = '/deliveries';
  const refused = await Promise.all(Array.from({ length: PER_ADDRESS + 1 }, () => send(head('192.0.2.3', 30, path))));
  await until(() => refused.every(({ isClosed }) => isClosed()));
  expect(refused.map((each) => answerIn(each).status)).toEqual([401, 401, 401, 401]);
});

test('[H66] whole bodies are not held up, however many come at a time', async () => {
  const { key } = await addVendor(house);
  const answers = await Promise.all(
    Array.from({ length: 40 }, () => call(house, 'POST /deliveries', { token: key, body: {} })),
  );
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([400]));
});

test('[H506] a request whose caller left before its body was read changes nothing, and its retry is made', async () => {
  const { key } = await addVendor(patient);
  const id = await addDelivery(patient, key);
  const { credentials } = patient.ctx;
  const [asked, left] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const authenticate: typeof credentials.authenticate = async (token) => {
    asked.resolve();
    await left.promise;
    return credentials.authenticate(token);
  };
  const slow = await addServer(patient, { credentials: { ...credentials, authenticate } });
  const body = { drop_off: [{ instructions: 'Ring twice' }] };
  const text = JSON.stringify(body);
  const { socket } = await send(
    `PATCH /deliveries/${id} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\nIdempotency-Key: of-one-request\r\n` +
      `Content-Type: application/json\r\nContent-Length: ${text.length}\r\n\r\n${text}`,
    slow,
  );
  await asked.promise;
  socket.destroy();
  await until(async () => (await promisify(slow.server.getConnections.bind(slow.server))()) === 0);
  left.resolve();
  const options = { token: key, body, headers: { 'Idempotency-Key': 'of-one-request' } };
  const retry = await call(patient, `PATCH /deliveries/${id}`, options);
  expect([retry.status, retry.body]).toMatchObject([200, { drop_off: [{ instructions: 'Ring twice' }], version: 2 }]);
});
