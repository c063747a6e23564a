import { expect, test } from 'vitest';
import { NAMESPACES, type Namespace } from '../../../src/realtime/protocol.ts';
import { Refusal } from '../../../src/domain/refusals/refusals.ts';
import { cardOf } from '../../../src/domain/couriers/courier.ts';
import { newId } from '../../../src/domain/ids.ts';
import { viewCellOf } from '../../../src/domain/geo/geo.ts';
import { CENTER } from '../../builders.ts';
import { until } from '../../until.ts';
import { advance, assign, bear, openSite, storeCourier, tokensOf } from '../house.ts';
import { ALARMS } from '../../../src/models/due/alarm-shape.ts';

const site = await openSite('socket-connections', ({ sockets }) => {
  sockets.mostPerProcess = 40;
});
const tokens = tokensOf(site);
const process = await site.start();

async function refusalFor(namespace: Namespace | '/', auth: object): Promise<object | null> {
  const client = site.join(process, namespace, auth);
  await until(() => client.refusedWith !== null);
  expect(client.socket.connected).toBe(false);
  return client.refusedWith;
}

test('[T9] a handshake without a valid token is refused with the problem', async () => {
  for (const namespace of NAMESPACES) {
    expect(await refusalFor(namespace, {})).toMatchObject({
      code: 'unauthorized',
      status: 401,
      request_id: expect.any(String),
    });
    const code = namespace === '/track' ? 'tracking_link_not_found' : 'unauthorized';
    expect(await refusalFor(namespace, { token: 'nonsense' })).toMatchObject({ code });
    expect(await refusalFor(namespace, { token: 7 })).toMatchObject({ code: 'unauthorized' });
  }
  const token = tokens.staff();
  expect(await refusalFor('/admin', { token, last_seq: { nonsense: 1 } })).toMatchObject({ code: 'invalid_params' });
});

test('[T9] a token opens its own namespace only, and the root none', async () => {
  const courier = await storeCourier(site);
  const delivery = await bear(site);
  const all: Record<Namespace, string> = {
    '/courier': tokens.courier(courier),
    '/vendor': tokens.vendor(delivery),
    '/track': tokens.recipient(delivery),
    '/admin': tokens.staff(),
  };
  for (const [own, token] of Object.entries(all)) {
    expect(await refusalFor('/', { token })).toMatchObject({ code: 'unauthorized' });
    for (const namespace of NAMESPACES) {
      if (namespace === own) await site.join(process, namespace, { token }).ready();
      else expect(await refusalFor(namespace, { token })).toMatchObject({ status: expect.any(Number) });
    }
  }
  const internal = { type: 'internal', service: 'chat', expiresAt: site.clock.now() + 60_000 } as const;
  expect(await refusalFor('/admin', { token: site.credentials.give(internal) })).toMatchObject({ code: 'forbidden' });
});

test('[T9] an expired token is refused', async () => {
  const courier = await storeCourier(site);
  const token = tokens.courier(courier, { expiresAt: site.clock.now() - 1 });
  expect(await refusalFor('/courier', { token })).toMatchObject({ code: 'token_expired', status: 401 });
});

test('[T9] if the server cannot check a token, it closes the connection so that the client reconnects', async () => {
  const broken = await site.start(({ credentials }) => ({
    credentials: { ...credentials, authenticate: () => Promise.reject(new Refusal('busy')) },
  }));
  const client = site.join(broken, '/admin', { token: tokens.staff() });
  const closed: string[] = [];
  client.socket.io.on('close', (reason: string) => void closed.push(reason));
  await until(() => closed.length > 0);
  expect(client.refusedWith).toBeNull();
  expect(closed).toEqual(['transport close']);
});

test('[T10] a connection ends 30 s after its token, unless auth renewed it for the same subject', async () => {
  site.clock.stand();
  const [courier, late, later] = [await storeCourier(site), await storeCourier(site), await storeCourier(site)];
  const joinFor = (who: typeof courier, lifeMs: number) =>
    site.join(process, '/courier', { token: tokens.courier(who, { expiresAt: site.clock.now() + lifeMs }) }).ready();
  const [renewed, first, second] = [
    await joinFor(courier, 60_000),
    await joinFor(late, 40_000),
    await joinFor(later, 60_000),
  ];
  const foreign = await renewed.ask('auth', { token: tokens.courier(later) });
  expect(foreign).toMatchObject({ ok: false, problem: { code: 'forbidden' } });
  const wrong = await renewed.ask('auth', { token: 'nonsense' });
  expect(wrong).toMatchObject({ ok: false, problem: { code: 'unauthorized' } });
  const answer = await renewed.ask('auth', { token: tokens.courier(courier) });
  expect(answer).toMatchObject({ ok: true });
  expect(answer['expires_in']).toBeGreaterThan(3_500);

  // Both tokens have ended, but only the first one's half minute is over.
  site.clock.shift(75_000);
  await until(() => first.closedBy !== null);
  expect(first.closedBy).toBe('transport close');
  expect(second.socket.connected).toBe(true);
  site.clock.shift(20_000);
  await until(() => second.closedBy !== null);
  expect(renewed.socket.connected).toBe(true);
});

test("[T10] a recipient's connection ends with the link, which ends sooner once the delivery has ended", async () => {
  const courier = await storeCourier(site);
  let delivery = await assign(site, await bear(site), courier);
  const recipient = await site.join(process, '/track', { token: tokens.recipient(delivery) }).ready();
  const ended = {
    state: 'delivered',
    courier: cardOf(courier),
    times: { ...delivery.times, deliveredAt: site.clock.now() },
  } as const;
  delivery = await advance(site, delivery, 'delivered', ended);
  await until(() => recipient.named('delivered').length === 1 && recipient.named('snapshot').length > 1);
  site.clock.shift(site.settings.tracking.afterEndMs + 40_000);
  await until(() => recipient.closedBy !== null);
  expect(await refusalFor('/track', { token: tokens.recipient(delivery) })).toMatchObject({
    code: 'tracking_link_expired',
    status: 410,
  });
});

test('[T14] only dispatchers can assign deliveries, with the same use case as HTTP', async () => {
  const courier = await storeCourier(site);
  const delivery = await bear(site);
  const support = await site.join(process, '/admin', { token: tokens.staff(['support']) }).ready();
  const dispatcher = await site.join(process, '/admin', { token: tokens.staff() }).ready();
  const body = { delivery_id: delivery.id, courier_id: courier.id };
  expect(await support.ask('assign', body)).toMatchObject({ ok: false, problem: { code: 'forbidden', status: 403 } });
  expect(await dispatcher.ask('assign', body)).toEqual({
    ok: true,
    delivery_id: delivery.id,
    status: 'assigned',
    sequence: 2,
  });
  expect(await dispatcher.ask('unassign', { ...body, reason: 'wrong courier' })).toMatchObject({
    ok: true,
    status: 'searching',
  });
  expect(await dispatcher.ask('watch', { cells: ['87' + '0'.repeat(13)] })).toMatchObject({
    ok: false,
    problem: { code: 'impossible_value' },
  });
});

test('[T21] if many alarms are open, a dispatcher who joins receives the newest', async () => {
  const since = site.clock.now();
  const rows = site.mongo.collection(ALARMS);
  const many = Array.from({ length: 1100 }, (_, age) => {
    const id = newId('alm');
    const about = { kind: 'late' as const, deliveryId: newId('del'), courierId: null, cell: viewCellOf(CENTER) };
    return { _id: id, id, ...about, since: since - age, clearedAt: null, detail: '' };
  });
  await rows.insertMany(many);
  const admin = await site.join(process, '/admin', { token: tokens.staff() }).ready();
  await until(() => admin.named('alarm').length === 1000);
  expect(admin.named('alarm').map(({ id }) => id)).toEqual(many.slice(0, 1000).map(({ id }) => id));
  await rows.deleteMany({});
});

test('[T21] dispatchers receive every alarm, and all open alarms on joining', async () => {
  const other = await site.start();
  const alarm = {
    id: newId('alm'),
    kind: 'search_too_long',
    deliveryId: newId('del'),
    courierId: null,
    cell: viewCellOf(CENTER),
    since: site.clock.now(),
    clearedAt: null,
    detail: 'Searching for 11 minutes',
  } as const;
  await site.alarms.raise(alarm);
  const admin = await site.join(process, '/admin', { token: tokens.staff() }).ready();
  await until(() => admin.named('alarm').length === 1);
  expect(admin.named('alarm')[0]).toMatchObject({
    id: alarm.id,
    kind: 'search_too_long',
    delivery_id: alarm.deliveryId,
  });
  other.ctx.notices.alarm({ ...alarm, clearedAt: site.clock.now() });
  await until(() => admin.named('alarm').length === 2);
  expect(admin.named('alarm')[1]).toMatchObject({ id: alarm.id, cleared: true });
});

test('[T6] the beacon contains the newest numbers of deliveries that changed lately', async () => {
  const quick = await openBeacon();
  const delivery = await advance(site, await bear(site));
  const vendor = await site.join(quick, '/vendor', { token: tokens.vendor(delivery) }).ready();
  await until(() => vendor.named('top').length > 0);
  expect(vendor.named('top')[0]).toEqual({ [delivery.id]: 2 });
  const foreign = await bear(site);
  // One frame may be under way already; what the next one tells is told after the birth.
  const told = vendor.named('top').length;
  await until(() => vendor.named('top').length > told + 1);
  expect(JSON.stringify(vendor.named('top'))).not.toContain(foreign.id);
});

function openBeacon() {
  return site.start(({ settings }) => ({
    settings: { ...settings, sockets: { ...settings.sockets, beaconRealMs: 50 } },
  }));
}

test('[T24] a process accepts connections up to its limit, and more after some have closed', async () => {
  const full = await site.start();
  const joinOne = () => site.join(full, '/admin', { token: tokens.staff() });
  const clients = Array.from({ length: 40 }, joinOne);
  await until(() => clients.every(({ socket }) => socket.connected));
  const failed: string[] = [];
  const extra = joinOne();
  extra.socket.on('connect_error', (error) => void failed.push(error.message));
  await until(() => failed.length > 0);
  clients[0]?.socket.disconnect();
  await until(() => full.io.engine.clientsCount < 40);
  expect((await joinOne().ready()).socket.connected).toBe(true);
});
