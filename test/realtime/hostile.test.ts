import { beforeEach, expect, test } from 'vitest';
import { fc, test as property } from '@fast-check/vitest';
import { z } from 'zod';
import { newId } from '../../src/domain/ids.ts';
import { PingBody } from '../../src/realtime/protocol.ts';
import { CENTER } from '../builders.ts';
import { until } from '../until.ts';
import { ANSWER_MS, type Client } from './client.ts';
import { bear, openSite, storeCourier, tokensOf } from './house.ts';

const site = await openSite('socket-hostile');
const tokens = tokensOf(site);
const process = await site.start();

// The clock stands still, so all messages of a test count in the same second, even on a slow machine.
beforeEach(() => site.clock.stand());

async function aPhone(): Promise<Client> {
  return site.join(process, '/courier', { token: tokens.courier(await storeCourier(site)) }).ready();
}

/** The server is well when another client is answered. */
async function expectWell(): Promise<void> {
  const phone = await aPhone();
  const fixes = [[1, site.clock.now(), CENTER.lat, CENTER.lng, 8, 5, 90]];
  expect(await phone.ask('ping', { fixes })).toMatchObject({ ok: true, seq: 1, accepted: 1 });
}

test('[H424] a value that the phone does not know, and a wrong one, cost no other fix', async () => {
  const phone = await aPhone();
  const now = site.clock.now();
  const at = (seq: number, ...more: unknown[]): unknown[] => [seq, now - 5000 + seq, CENTER.lat, CENTER.lng, ...more];
  const fixes = [at(1, null, null, null), at(2, 8, -1, -1), at(3, 8, 5000, 400), at(4, 8, 5, 90)];
  expect(await phone.ask('ping', { fixes })).toMatchObject({ ok: true, seq: 4, accepted: 4, dropped: 0 });
  const wrong = [
    [5, now - 900, null, null, 8, 5, 90],
    at(6, -1, 5, 90),
    at(7, 1e9, 5, 90),
    [8, -1e15, CENTER.lat, CENTER.lng, 8, 5, 90],
    [9, now - 800.5, CENTER.lat, CENTER.lng, 8, 5, 90],
  ];
  expect(await phone.ask('ping', { fixes: wrong })).toMatchObject({
    ok: true,
    seq: 9,
    accepted: 1,
    dropped: 4,
    reason: 'out_of_range',
  });
  for (const tuple of [at(10, 8, 5), at(10, 8, 5, '90'), [null, now, CENTER.lat, CENTER.lng, 8, 5, 90]]) {
    expect(await phone.ask('ping', { fixes: [tuple] })).toMatchObject({ problem: { code: 'invalid_params' } });
  }
});

test('[T12] bodies that match no schema are refused with the invalid field', async () => {
  const phone = await aPhone();
  expect(await phone.ask('ping', { fixes: [[1, 2, 'north', 0, 0, 0, 0]] })).toMatchObject({
    ok: false,
    problem: { code: 'invalid_params', status: 400, errors: [{ pointer: '/fixes/0/2' }] },
  });
  expect(await phone.ask('ping', undefined)).toMatchObject({ problem: { code: 'invalid_params' } });
  expect(await phone.ask('offer.accept', { offer_id: newId('del') })).toMatchObject({
    problem: { code: 'invalid_params' },
  });
  expect(await phone.ask('resync', { delivery_id: newId('del'), after: 0, more: 1 })).toMatchObject({
    problem: { code: 'unknown_field' },
  });
  for (const name of ['nonsense', 'error', 'watch', '__proto__', 'constructor', 'toString']) {
    expect(await phone.ask(name, {})).toMatchObject({ ok: false, problem: { code: 'route_not_found', status: 404 } });
  }
  await expectWell();
});

test('[T12] a message without an acknowledgement, or with more than one body, does no harm', async () => {
  const phone = await aPhone();
  for (const name of ['ping', 'auth', 'error', '']) phone.socket.emit(name, {}, [], null);
  phone.socket.emit('resync');
  expect(await phone.ask('ping', { fixes: [] })).toMatchObject({ ok: false });
  await expectWell();
});

test('[T12] a client that keeps sending garbage is disconnected', async () => {
  const phone = await aPhone();
  for (let i = 0; i < 30; i += 1) phone.socket.emit('ping', { fixes: 'garbage' });
  await until(() => phone.closedBy !== null);
  expect(phone.closedBy).toBe('transport close');
  await expectWell();
});

test('[T12] a flood is refused, and its client is disconnected if it continues', async () => {
  const phone = await aPhone();
  const delivery = await bear(site);
  const answers: unknown[] = [];
  const flood = (count: number): void => {
    for (let i = 0; i < count; i += 1) {
      phone.socket.emit(
        'resync',
        { delivery_id: delivery.id, after: 0 },
        (answer: unknown) => void answers.push(answer),
      );
    }
  };
  flood(300);
  await until(() => JSON.stringify(answers).includes('too_many_requests'));
  expect(phone.closedBy).toBeNull();
  flood(700);
  await until(() => phone.closedBy !== null);
  await expectWell();
});

test('[T12] a frame that is too large closes its own connection only', async () => {
  const [large, other] = [await aPhone(), await aPhone()];
  large.socket.emit('ping', { fixes: 'x'.repeat(site.settings.sockets.maxFrameBytes + 1) });
  await until(() => large.closedBy !== null);
  expect(other.socket.connected).toBe(true);
  await expectWell();
});

/** A client that speaks below Socket.IO. */
async function bare(): Promise<WebSocket> {
  const socket = new WebSocket(`${process.url.replace('http', 'ws')}/socket.io/?EIO=4&transport=websocket`);
  await new Promise((resolve) => socket.addEventListener('open', resolve));
  return socket;
}

test('[T12] no packet below Socket.IO crashes the server', async () => {
  const token = tokens.staff();
  const join = `40/admin,${JSON.stringify({ token })}`;
  const packets = [
    '4',
    '42',
    '42[',
    '42["error"]',
    '42/admin,["error",{}]',
    '49',
    '4{',
    '451-["x",{"_placeholder":true,"num":0}]',
  ];
  const more = [
    '43/admin,1[]',
    '43/admin,999999[{}]',
    '40/nowhere,',
    '40/admin,null',
    '41/admin,',
    '42/admin,[]',
    '42/admin,[1]',
    '42/admin,["connect"]',
    '2probe',
    '5',
    '6',
  ];
  for (const packet of [...packets, ...more]) {
    for (const before of [[], [join], [join, join], [join, `40/vendor,{"token":"x"}`]]) {
      const socket = await bare();
      for (const text of [...before, packet, packet]) socket.send(text);
      socket.send(new Uint8Array([0, 255, 1]));
      socket.close();
    }
  }
  await expectWell();
  expect(site.log.lines.filter(({ level }) => level === 'error')).toEqual([]);
});

property.prop(
  [
    fc.array(fc.jsonValue(), { maxLength: 3 }),
    fc.constantFrom('ping', 'offer.accept', 'delivery.fail', 'auth', 'resync'),
  ],
  { numRuns: 40 },
)('[T12] whatever is sent is answered with a problem, never with a fault of ours', async (bodies, name) => {
  const phone = await aPhone();
  const answer = (await phone.socket.timeout(ANSWER_MS).emitWithAck(name, ...bodies)) as {
    ok: boolean;
    problem?: { status: number };
  };
  expect(answer.ok).toBe(false);
  expect(answer.problem?.status).toBeLessThan(500);
  phone.socket.disconnect();
});

const compiled = z.compile(PingBody);
const number = fc.oneof(
  fc.integer(),
  fc.double(),
  fc.constantFrom(0, -0, 90, 90.0001, 180, -180, 360, NaN, Infinity, '1', null),
);
const tuple = fc.array(number, { minLength: 6, maxLength: 8 });
const near = fc.record({ fixes: fc.oneof(fc.array(tuple, { maxLength: 52 }), fc.jsonValue()) }, { requiredKeys: [] });

property.prop(
  [
    fc.oneof(
      near,
      fc.jsonValue(),
      near.map((body) => ({ ...body, more: 1 })),
    ),
  ],
  { numRuns: 2000 },
)('[T12] the compiled schema of a ping accepts and refuses the same as the plain one', (body) => {
  const [fast, plain] = [compiled.safeParse(body), PingBody.safeParse(body)];
  expect(fast.success).toBe(plain.success);
  expect(fast.data).toEqual(plain.data);
  expect(fast.error?.issues).toEqual(plain.error?.issues);
});
