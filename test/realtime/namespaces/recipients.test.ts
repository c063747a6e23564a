import { expect, test } from 'vitest';
import type { Delivery } from '../../../src/domain/deliveries/delivery.ts';
import { distanceM, offsetBy } from '../../../src/domain/geo/geo.ts';
import type { Stop } from '../../../src/domain/deliveries/stops/stop.ts';
import { aPosition, aStop, CENTER } from '../../builders.ts';
import { until } from '../../until.ts';
import type { Client } from '../client.ts';
import { advance, assign, bear, openSite, storeCourier, tokensOf } from '../house.ts';

const site = await openSite('socket-recipients');
const tokens = tokensOf(site);
const [a, b] = [await site.start(), await site.start()];

/** A delivery in transit to two drop-offs, with the pages of both recipients on two processes. */
async function twoDropOffs() {
  const courier = await storeCourier(site);
  const dropOffs = [aStop(1, { instructions: 'blue door' }), aStop(2, { instructions: 'red door' })];
  const held = await assign(site, await bear(site, { dropOffs }), courier);
  const delivery = await advance(site, held, 'in_transit', { state: 'in_transit', stage: 'en_route_to_drop_off' });
  const pages = [await pageOf(delivery, 1, a), await pageOf(delivery, 2, b)] as const;
  await until(() => pages.every((page) => page.shown(delivery.id) === delivery.sequence));
  return { courier, delivery, pages };
}

function pageOf(delivery: Delivery, stop: number, process: typeof a, auth: object = {}): Promise<Client> {
  return site.join(process, '/track', { token: tokens.recipient(delivery, stop), ...auth }).ready();
}

/** The courier ends one stop. */
function end(before: Delivery, stop: number, state: 'delivered' | 'failed', over: Partial<Delivery> = {}) {
  const ended: Partial<Stop> = { state, doneAt: site.clock.now(), reason: state === 'failed' ? 'unsafe' : null };
  const dropOffs = before.dropOffs.map((one) => (one.index === stop ? { ...one, ...ended } : one));
  const type = over.state === 'delivered' ? 'delivered' : state === 'failed' ? 'drop_off.failed' : 'drop_off.delivered';
  return advance(site, before, type, { dropOffs, ...over }, { stop });
}

/** A snapshot that is read while the next event is written stands for that event as well: so each is waited for. */
const shownTo = (pages: readonly Client[], { id, sequence }: Delivery): Promise<void> =>
  until(() => pages.every((page) => page.shown(id) === sequence));

const eventsOf = ({ heard }: Client, after: number) =>
  heard.flatMap(({ name, body }) =>
    body.object === 'event' && (body.sequence ?? 0) > after ? [[name, body.type, body.data]] : [],
  );

test('[T45] of an event at another stop a recipient gets the number alone, live, replayed and on resync', async () => {
  const { delivery: before, pages } = await twoDropOffs();
  const [first, second] = pages;
  const failed = await end(before, 1, 'failed');
  const through = before.sequence;
  await until(() => pages.every((page) => page.sequences(before.id).includes(failed.sequence)));
  expect(eventsOf(first, through)).toEqual([
    ['drop_off.failed', 'drop_off.failed', expect.objectContaining({ stop: 1, to: 'in_transit' })],
  ]);
  const bare = ['delivery.updated', 'delivery.updated', {}];
  expect(eventsOf(second, through)).toEqual([bare]);
  const replayed = await pageOf(before, 2, a, { last_seq: { [before.id]: through } });
  await until(() => replayed.sequences(before.id).length > 0);
  expect(eventsOf(replayed, through)).toEqual([bare]);
  const { events } = await second.ask('resync', { delivery_id: before.id, after: through });
  expect(events?.map(({ type, data }) => [type, data])).toEqual([['delivery.updated', {}]]);
  for (const page of [second, replayed]) {
    await until(() => page.shown(before.id) === failed.sequence);
    expect(JSON.stringify(page.heard)).not.toMatch(/blue|drop_off\.failed|unsafe/);
    expect(page.named('snapshot').at(-1)?.delivery).toMatchObject({ status: 'in_transit', stops_before: 0 });
  }
});

test('[T45] the end of the delivery is the end of those stops alone that ended so', async () => {
  const { delivery: before, pages } = await twoDropOffs();
  const [first, second] = pages;
  const failed = await end(before, 1, 'failed');
  await shownTo(pages, failed);
  const done = await end(failed, 2, 'delivered', { state: 'delivered', outcome: 'partial' });
  await until(() => pages.every((page) => page.sequences(before.id).includes(done.sequence)));
  expect(first.named('delivered')).toEqual([]);
  expect(second.named('delivered')).toMatchObject([{ data: { stop: 2, to: 'delivered' } }]);
  await until(() => pages.every((page) => page.shown(before.id) === done.sequence));
  const shown = pages.map((page) => page.named('snapshot').at(-1)?.delivery?.['status']);
  expect(shown).toEqual(['failed', 'delivered']);
});

test('[T45] a cancel is the end of those stops alone that were still open', async () => {
  const { delivery: before, pages } = await twoDropOffs();
  const [first, second] = pages;
  const served = await end(before, 1, 'delivered');
  await shownTo(pages, served);
  const dropOffs = served.dropOffs.map((one) => (one.index === 2 ? { ...one, state: 'canceled' as const } : one));
  const done = await advance(site, served, 'canceled', { state: 'canceled', dropOffs });
  await until(() => pages.every((page) => page.sequences(before.id).includes(done.sequence)));
  expect(eventsOf(first, served.sequence)).toEqual([['delivery.updated', 'delivery.updated', {}]]);
  expect(second.named('canceled')).toMatchObject([{ data: { to: 'canceled' } }]);
  await until(() => pages.every((page) => page.shown(before.id) === done.sequence));
  const shown = pages.map((page) => page.named('snapshot').at(-1)?.delivery?.['status']);
  expect(shown).toEqual(['delivered', 'canceled']);
});

test('[T45] the link of one recipient neither opens nor renews the connection of another', async () => {
  const { delivery, pages } = await twoDropOffs();
  const [first] = pages;
  expect(await first.ask('auth', { token: tokens.recipient(delivery, 2) })).toMatchObject({
    ok: false,
    problem: { code: 'forbidden' },
  });
  expect(await first.ask('auth', { token: tokens.recipient(delivery, 1) })).toMatchObject({ ok: true });
});

test('[T46] a recipient sees the courier only while their stop is next', async () => {
  const { courier, delivery: before, pages } = await twoDropOffs();
  const [first, second] = pages;
  let seq = 0;
  const move = (eastM: number): void => {
    seq += 1;
    const now = site.clock.now();
    const place = { seq, at: now, receivedAt: now, ...offsetBy(CENTER, eastM, 0) };
    a.ctx.positions.put(aPosition({ courierId: courier.id, ...place }));
  };
  const vendor = await site.join(b, '/vendor', { token: tokens.vendor(before) }).ready();
  move(100);
  await until(() => first.named('positions').length === 1 && vendor.named('positions').length > 0);
  expect(second.named('positions')).toEqual([]);
  await end(before, 1, 'delivered');
  // Where the courier is comes with the change; they need not move.
  await until(() => second.named('positions').length === 1);
  const told = vendor.named('positions').length;
  move(200);
  await until(() => second.named('positions').length === 2 && vendor.named('positions').length > told);
  // Answered after everything that went before, on the same connection.
  await first.ask('resync', { delivery_id: before.id, after: before.sequence + 1 });
  expect(first.named('positions')).toHaveLength(1);
});

test('[T46] if the courier visits another drop-off first, its recipient sees the courier', async () => {
  const { courier, delivery: before, pages } = await twoDropOffs();
  const dropOffs = [before.dropOffs[0]!, { ...before.dropOffs[1]!, state: 'arrived' as const, arrivedAt: 1 }];
  const arrived = await advance(site, before, 'courier.arrived_drop_off', { dropOffs }, { stop: 2 });
  await until(() => pages.every((page) => page.shown(before.id) === arrived.sequence));
  const now = site.clock.now();
  a.ctx.positions.put(aPosition({ courierId: courier.id, seq: 1, at: now, receivedAt: now }));
  await until(() => pages[1].named('positions').length === 1);
  await pages[0].ask('resync', { delivery_id: before.id, after: arrived.sequence });
  expect(pages[0].named('positions')).toEqual([]);
  expect(pages[0].named('snapshot').at(-1)?.delivery).toMatchObject({ stops_before: 1 });
});

test('[T62] near the drop-off of another recipient where the courier has been, the next recipient does not see them', async () => {
  const { courier, delivery: before, pages } = await twoDropOffs();
  const [, second] = pages;
  const [{ place: door } = { place: CENTER }] = before.dropOffs;
  const vendor = await site.join(b, '/vendor', { token: tokens.vendor(before) }).ready();
  let seq = 0;
  const moveAway = async (eastM: number): Promise<void> => {
    const told = vendor.named('positions').length;
    seq += 1;
    const now = site.clock.now();
    const place = { seq, at: now, receivedAt: now, ...offsetBy(door, eastM, 0) };
    a.ctx.positions.put(aPosition({ courierId: courier.id, ...place }));
    await until(() => vendor.named('positions').length > told);
  };
  await moveAway(0);
  const ended = await end(before, 1, 'delivered');
  await until(() => second.shown(before.id) === ended.sequence);
  await moveAway(150);
  const late = await pageOf(ended, 2, b);
  await moveAway(190);
  // Answered after everything that went before, on the same connection.
  for (const page of [second, late]) {
    await page.ask('resync', { delivery_id: before.id, after: ended.sequence });
    expect(page.named('positions')).toEqual([]);
  }
  await moveAway(230);
  await until(() => [second, late].every((page) => page.named('positions').length === 1));
  for (const page of [second, late]) {
    const shown = page.named('positions').flatMap(({ items }) => items ?? []);
    for (const [, , , lat, lng] of shown) expect(distanceM({ lat, lng }, door)).toBeGreaterThan(200);
  }
});

test('[T10] the connection of a recipient ends with their link, 2 h after their own stop', async () => {
  const { delivery: before, pages } = await twoDropOffs();
  const [first, second] = pages;
  await end(before, 1, 'delivered');
  await until(() => first.named('drop_off.delivered').length === 1 && first.named('snapshot').length > 1);
  site.clock.shift(site.settings.tracking.afterEndMs + 40_000);
  await until(() => first.closedBy !== null);
  expect(second.closedBy).toBeNull();
});
