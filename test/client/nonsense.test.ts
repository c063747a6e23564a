import { expect, onTestFinished, test, vi } from 'vitest';
import { createClient, type Client } from '../../packages/client/src/client.ts';
import { NoAnswer } from '../../packages/client/src/problems.ts';
import { createSession } from '../../packages/client/src/sessions.ts';
import { thisMoment } from '../../packages/client/src/sockets/moments.ts';
import { createPingQueue, type PingQueue } from '../../packages/client/src/sockets/ping-queue.ts';
import { createServiceClock } from '../../packages/client/src/sockets/service-clock.ts';
import { answering, watch } from './answers.ts';
import { until } from '../until.ts';
import { aCourier } from './courier-service.ts';
import { aVendorFeed } from './vendor-service.ts';

/** Bodies of successful answers that no service of ours gives, but a broken proxy or the login page of a network does. */
const NONSENSE = ['{}', '{"access_token":"a","refresh_token":"b"}'];

/** A queue of places whose messages are answered so. */
function aQueue(emitWithAck: () => Promise<unknown>, onDropped?: () => void): PingQueue {
  const connection = { socket: () => ({ timeout: () => ({ emitWithAck }) }), doubt: () => {}, watch };
  const clock = { at: () => 1, isRead: () => true, read: () => Promise.resolve(), hear: () => {}, forget: () => {} };
  const queue = createPingQueue(connection, clock, 1, onDropped);
  onTestFinished(() => queue.close());
  return queue;
}

const AT_ONCE = { baseUrl: 'https://a.example', retries: { firstMs: 1, mostMs: 1 } };

test.each(['', 'null', '"ok"', '[]', '<html>'])(
  '[H536] a success with the body `%s` is not one of the service, and leads to another try',
  async (body) => {
    const { fetch, asked } = answering({ body }, { body: { id: 'del_1' } });
    expect(await createClient({ ...AT_ONCE, fetch }).express.cancel('del_1')).toEqual({ id: 'del_1' });
    expect(new Set(asked.map(({ headers }) => headers.get('idempotency-key'))).size).toBe(1);
  },
);

test.each([{}, { data: null, has_more: false }, { data: [], has_more: true, next_cursor: null }, { data: [1] }])(
  '[H536] a page of a list such as %j leads to another try',
  async (body) => {
    const page = { body: { object: 'list', data: [1], has_more: false, next_cursor: null } };
    const { fetch, asked } = answering({ body }, page);
    expect(
      await createClient({ ...AT_ONCE, fetch })
        .webhooks.listEvents()
        .take(5),
    ).toEqual([1]);
    expect(asked).toHaveLength(2);
    const never = createClient({ ...AT_ONCE, fetch: answering({ body }).fetch }).webhooks.listEvents();
    await expect(never.firstPage()).rejects.toMatchObject({ name: 'NoAnswer', status: 200 });
  },
);

test.each([{}, { object: 'portal' }, { data: 'login' }])(
  '[H566] a list that has only one page takes no object such as %j for it',
  async (body) => {
    const page = { object: 'list', data: [1], has_more: false, next_cursor: null };
    const lists = (): Client => createClient({ ...AT_ONCE, fetch: answering({ body }, { body: page }).fetch });
    expect(await lists().dispatch.listCandidates({ delivery_id: 'del_1' })).toEqual(page);
    expect(await lists().auth.listSessions()).toEqual(page);
    expect(await lists().couriers.listDevices('cou_1')).toEqual(page);
    expect(await lists().couriers.listOffers('cou_1')).toEqual(page);
  },
);

test('[H551] a success without a body leads to another try, unless the operation has none', async () => {
  const [empty, page] = [{ status: 204 }, { body: { data: [1], has_more: false, next_cursor: null } }];
  const client = (...answers: object[]) => createClient({ ...AT_ONCE, fetch: answering(...answers).fetch });
  expect(await client(empty, { body: { id: 'del_1' } }).deliveries.get('del_1')).toEqual({ id: 'del_1' });
  expect(await client(empty, page).deliveries.list().take(5)).toEqual([1]);
  const renewal = client(empty).auth.createToken({ grant_type: 'refresh_token', refresh_token: 'old' });
  await expect(renewal).rejects.toMatchObject({ name: 'NoAnswer', status: 204 });
  expect(await client(empty).webhooks.remove('whk_1')).toBeUndefined();
});

test.each(NONSENSE)('[H509] a renewal that is answered by `%s` keeps the login', async (body) => {
  const renewed = { access_token: 'renewed', refresh_token: 'next', expires_in: 900 };
  const { fetch, asked } = answering({ body }, { body: renewed });
  const login = vi.fn<() => Promise<never>>();
  const kept = vi.fn<() => void>();
  const options = { baseUrl: 'https://a.example', refreshToken: 'old', fetch, onTokens: kept };
  const session = createSession(login, options);
  await expect(session.token()).rejects.toBeInstanceOf(NoAnswer);
  expect(kept).not.toHaveBeenCalled();
  expect(await session.token()).toBe('renewed');
  expect(login).not.toHaveBeenCalled();
  expect(asked.map((one) => one.body)).toEqual(Array(2).fill('{"grant_type":"refresh_token","refresh_token":"old"}'));
});

/** A clock that knows the time, stands, and has asked again and got this answer. */
async function clockAfter(body: unknown) {
  vi.stubGlobal('fetch', answering({ body: { now: 1_700_000_000_000, clock_scale: 0 } }, { body }).fetch);
  onTestFinished(() => void vi.unstubAllGlobals());
  const clock = createServiceClock('http://service');
  onTestFinished(() => clock.forget());
  await clock.read();
  await clock.read();
  return clock;
}

test.each(NONSENSE)('[H510] if the question for the time is answered by `%s`, the known time goes on', async (body) => {
  const clock = await clockAfter(body);
  clock.hear(NaN);
  expect([clock.at(thisMoment()), clock.isRead()]).toEqual([1_700_000_000_000, true]);
});

test.each([
  { now: 1e300, clock_scale: 1 },
  { now: -1, clock_scale: 1 },
  { now: 1_800_000_000_000, clock_scale: 1e9 },
  { now: 1_800_000_000_000, clock_scale: -1 },
])('[H537] a time of the service that no date can show is not taken: %j', async (body) => {
  const clock = await clockAfter(body);
  expect([clock.at(thisMoment()), clock.isRead()]).toEqual([1_700_000_000_000, true]);
});

test('[H510] an offer without a time changes no clock', () => {
  const clock = createServiceClock('http://service');
  clock.hear(NaN);
  expect(clock.at(thisMoment())).toBeGreaterThan(1_700_000_000_000);
});

test('[H510] places wait a minute at most, however long an answer demands', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const answer = { ok: true, accepted: 0, dropped: 1, slow_down_ms: 1e12 };
  const emitWithAck = vi.fn<() => Promise<unknown>>(() => Promise.resolve(answer));
  const queue = aQueue(emitWithAck);
  queue.add({ lat: 52, lng: 13 });
  await vi.advanceTimersByTimeAsync(59_000);
  expect(emitWithAck).toHaveBeenCalledTimes(1);
  await vi.advanceTimersByTimeAsync(1000);
  expect(emitWithAck).toHaveBeenCalledTimes(2);
});

test('[H511] an action whose answer says neither success nor a refusal is repeated', async () => {
  const answers = [{}, { ok: false, problem: {} }, { ok: true }];
  const { socket, actions } = await aCourier((_socket, reply) => reply(answers[actions.length - 1]));
  expect(await socket.act('offer.accept', { offer_id: 'off_1' })).toEqual({ ok: true });
  expect(actions).toHaveLength(answers.length);
});

test.each(['soon', -1, 0, NaN, 1e12, null])('[H510] a wait of %s for places begins no quick loop', async (waitMs) => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const emitWithAck = vi.fn<() => Promise<unknown>>(() =>
    Promise.resolve({ ok: true, accepted: 0, dropped: 1, slow_down_ms: waitMs }),
  );
  const queue = aQueue(emitWithAck);
  queue.add({ lat: 52, lng: 13 });
  await vi.advanceTimersByTimeAsync(1000);
  expect(emitWithAck.mock.calls.length).toBeLessThanOrEqual(11);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(emitWithAck.mock.calls.length).toBeGreaterThan(1);
});

test.each([null, 'x', {}, { ok: true }, { ok: true, accepted: 'all', dropped: 0 }, { ok: false, problem: null }])(
  '[H523] an answer to places that says nothing, such as %j, loses none of them',
  async (nonsense) => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const answers: unknown[] = [nonsense, { ok: true, accepted: 1, dropped: 0 }];
    const dropped = vi.fn<() => void>();
    const emitWithAck = vi.fn<() => Promise<unknown>>(() => Promise.resolve(answers.shift()));
    const queue = aQueue(emitWithAck, dropped);
    queue.add({ lat: 52, lng: 13 });
    await vi.advanceTimersByTimeAsync(3000);
    expect([emitWithAck.mock.calls.length, queue.waiting(), dropped.mock.calls.length]).toEqual([2, 0, 0]);
  },
);

/** Messages that no service of ours sends. */
const GARBAGE = [
  null,
  'x',
  [],
  {},
  { object: 'event', delivery_id: 'del_1', sequence: NaN, type: 'delivered', data: null },
  { object: 'event', delivery_id: 'del_1', sequence: 2, type: 'delivered' },
  { delivery_id: 'del_1', sequence: 1, delivery: null },
  { delivery_id: 'del_1', sequence: 'x', delivery: { status: 'searching' } },
  { items: null, offer_id: 1, expires_at: 'soon', server_time: 'now', within_ms: 'x', del_1: 'x' },
];

test('[H523] a message that the service does not write so reaches neither the app nor the marks, and ends nothing', async () => {
  const thrown = vi.fn<(error: unknown) => void>();
  process.on('uncaughtException', thrown);
  onTestFinished(() => void process.off('uncaughtException', thrown));
  const onPositions = vi.fn<() => void>();
  const { feed, service, seen } = await aVendorFeed({ onPositions });
  for (const name of ['snapshot', 'top', 'positions', 'delivered']) for (const one of GARBAGE) service.send(name, one);
  // A frame that wants no acknowledgement, and packets whose data Socket.IO reads without a look.
  service.send('positions', { at: 1, items: [] });
  service.show('del_2', 1);
  await until(() => seen.snapshots.length > 0);
  expect(seen).toEqual({
    events: [],
    snapshots: [expect.objectContaining({ delivery_id: 'del_2' })],
    states: ['joining', 'live'],
  });
  expect([feed.lastSeq(), onPositions.mock.calls.length]).toEqual([{ del_2: 1 }, 1]);
  service.refuseBarely();
  await until(() => seen.states.includes('lost'));
  expect(thrown).not.toHaveBeenCalled();
});

test('[H523] an event of a delivery without a readable beginning ends nothing in a feed that goes on', async () => {
  const thrown = vi.fn<(error: unknown) => void>();
  process.on('uncaughtException', thrown);
  onTestFinished(() => void process.off('uncaughtException', thrown));
  const { service, seen } = await aVendorFeed({ lastSeq: { del_1: 1 } });
  service.show('del_1', 1);
  const delivery = { created_at: { toString: 1, valueOf: 1 } };
  service.send('delivered', {
    object: 'event',
    type: 'delivered',
    delivery_id: 'del_3',
    sequence: 2,
    data: { delivery },
  });
  service.tell('del_1', 2, 'delivered');
  await until(() => seen.events.length > 0);
  expect([seen.events.length, seen.states]).toEqual([1, ['joining', 'live']]);
  expect(thrown).not.toHaveBeenCalled();
});

test('[H523] garbage ends no courier socket, and the offer after it arrives', async () => {
  const thrown = vi.fn<(error: unknown) => void>();
  process.on('uncaughtException', thrown);
  onTestFinished(() => void process.off('uncaughtException', thrown));
  const { send, counts } = await aCourier();
  for (const name of ['snapshot', 'top', 'offer.new', 'offer.withdrawn', 'courier.hint'])
    for (const one of GARBAGE) send(name, one);
  send('offer.new', { offer_id: 'off_1', server_time: '2020-01-01T00:00:00Z', expires_at: '2020-01-01T00:00:30Z' });
  await until(() => counts.length > 0);
  expect(counts).toHaveLength(1);
  expect(thrown).not.toHaveBeenCalled();
});

test('[H523] a client leaves a server that announces its stop without a time', async () => {
  const random = vi.spyOn(Math, 'random').mockReturnValue(0.001);
  onTestFinished(() => random.mockRestore());
  const { service, seen } = await aVendorFeed();
  service.send('drain', null);
  await until(() => seen.states.includes('lost'));
  expect(seen.states.slice(0, 3)).toEqual(['joining', 'live', 'lost']);
});
