import { expect, test } from 'vitest';
import { viewCellOf, offsetBy } from '../../../src/domain/geo/geo.ts';
import type { Courier } from '../../../src/domain/couriers/courier.ts';
import { aPosition, CENTER } from '../../builders.ts';
import { until } from '../../until.ts';
import type { Body } from '../client.ts';
import { advance, assign, bear, openSite, storeCourier, tokensOf, type Process } from '../house.ts';

const site = await openSite('socket-positions', ({ positions }) => {
  positions.ackRealMs = 60_000;
});
const tokens = tokensOf(site);
const [a, b] = [await site.start(), await site.start()];

let seq = 0;

/** The courier has moved: somewhere east of the center. */
function move({ ctx }: Process, { id }: Courier, eastM = seq): void {
  seq += 1;
  const now = site.clock.now();
  ctx.positions.put(aPosition({ courierId: id, seq, at: now, receivedAt: now, ...offsetBy(CENTER, eastM, 0) }));
}

function itemsOf(frames: Body[]): NonNullable<Body['items']> {
  return frames.flatMap(({ items }) => items ?? []);
}

async function heldBy(courier: Courier) {
  return assign(site, await bear(site), courier);
}

test('[T16] one frame contains all couriers who moved in a tick, with the newest position of each', async () => {
  const couriers = await Promise.all(Array.from({ length: 20 }, () => storeCourier(site)));
  const admin = await site.join(a, '/admin', { token: tokens.staff() }).ready();
  await admin.ask('watch', { cells: [viewCellOf(CENTER)] });
  // A frame for a courier who moved before shows that the connection watches.
  const earlier = await storeCourier(site);
  move(a, earlier, 0);
  await until(() => admin.named('positions').length > 0);
  // The server may still read who was present, so the earlier courier may come again, in any frame.
  const framesOfTick = () =>
    admin
      .named('positions')
      .map((frame) => itemsOf([frame]).filter(([id]) => id !== earlier.id))
      .filter((items) => items.length > 0);
  for (const round of [0, 1, 2]) for (const courier of couriers) move(a, courier, round);
  await until(() => framesOfTick().flat().length >= couriers.length);
  const [items = [], ...more] = framesOfTick();
  expect(more).toEqual([]);
  expect(items).toHaveLength(couriers.length);
  expect(new Set(items.map(([id]) => id))).toEqual(new Set(couriers.map(({ id }) => id)));
  for (const item of items) expect(item[4]).toBeCloseTo(offsetBy(CENTER, 2, 0).lng, 9);
});

test('[T17] a reader that acknowledges late gets one frame with the newest positions', async () => {
  const couriers = [await storeCourier(site), await storeCourier(site)];
  const [held, other] = [await heldBy(couriers[0] as Courier), await heldBy(couriers[1] as Courier)];
  const stalled = await site.join(a, '/vendor', { token: tokens.vendor(held) }).ready();
  const quick = await site.join(a, '/vendor', { token: tokens.vendor(held) }).ready();
  const unacknowledged: (() => void)[] = [];
  stalled.acks = false;
  stalled.socket.on('positions', (_frame: unknown, ack: () => void) => void unacknowledged.push(ack));
  for (let round = 1; round <= 10; round += 1) {
    move(a, couriers[0] as Courier, round * 10);
    move(a, couriers[1] as Courier, round * 10);
    await until(() => quick.named('positions').length >= round);
  }
  expect(stalled.named('positions')).toHaveLength(1);
  unacknowledged[0]?.();
  await until(() => stalled.named('positions').length === 2);
  const [resumed] = itemsOf(stalled.named('positions').slice(1));
  expect(resumed?.[1]).toBe(held.id);
  expect(resumed?.[4]).toBeCloseTo(offsetBy(CENTER, 100, 0).lng, 9);
  expect(JSON.stringify(stalled.heard)).not.toContain(other.id);
});

test('[T17] the server keeps nothing for a silent reader, which gets the current positions when it acknowledges', async () => {
  const courier = await storeCourier(site);
  const held = await heldBy(courier);
  const reader = await site.join(a, '/vendor', { token: tokens.vendor(held) }).ready();
  const acks: (() => void)[] = [];
  reader.acks = false;
  reader.socket.on('positions', (_frame: unknown, ack: () => void) => void acks.push(ack));
  move(a, courier, 10);
  await until(() => acks.length === 1);
  site.clock.shift(61_000);
  await until(() => a.realtime.stats().positions.stale === 1);
  move(a, courier, 50);
  await until(() => a.ctx.positions.last(courier.id)?.lng === offsetBy(CENTER, 50, 0).lng);
  acks[0]?.();
  await until(() => acks.length === 2);
  expect(itemsOf(reader.named('positions')).at(-1)?.[4]).toBeCloseTo(offsetBy(CENTER, 50, 0).lng, 9);
  expect(a.realtime.stats().positions.stale).toBe(0);
});

test('[T18] a recipient sees the courier only from pickup to the end, at once, coarsely and without an id', async () => {
  const courier = await storeCourier(site);
  let delivery = await heldBy(courier);
  const recipient = await site.join(b, '/track', { token: tokens.recipient(delivery) }).ready();
  const vendor = await site.join(b, '/vendor', { token: tokens.vendor(delivery) }).ready();
  move(a, courier, 33.333);
  await until(() => vendor.named('positions').length > 0);
  expect(recipient.named('positions')).toEqual([]);

  delivery = await advance(site, delivery, 'picked_up', { state: 'picked_up' });
  await until(() => recipient.named('positions').length === 1);
  const place = offsetBy(CENTER, 33.333, 0);
  const [first] = itemsOf(recipient.named('positions'));
  expect(first?.slice(0, 2)).toEqual([null, delivery.id]);
  expect(first?.slice(3, 5)).toEqual([52.52, Math.round(place.lng * 10_000) / 10_000]);

  const late = await site.join(a, '/track', { token: tokens.recipient(delivery) }).ready();
  await until(() => late.named('positions').length === 1);

  const frames = recipient.named('positions').length;
  await until(() => recipient.shown(delivery.id) === delivery.sequence);
  delivery = await advance(site, delivery, 'delivered', { state: 'delivered', courierId: courier.id });
  await until(() => recipient.named('delivered').length === 1);
  const [admin] = [await site.join(b, '/admin', { token: tokens.staff() }).ready()];
  await admin.ask('watch', { cells: [viewCellOf(CENTER)] });
  move(a, courier, 900);
  const isThere = (lng: number): boolean => Math.abs(lng - offsetBy(CENTER, 900, 0).lng) < 1e-9;
  await until(() => itemsOf(admin.named('positions')).some(([id, , , , lng]) => id === courier.id && isThere(lng)));
  expect(recipient.named('positions')).toHaveLength(frames);
});

test('[T18] positions that wait for a slow recipient when the delivery ends are never sent', async () => {
  const courier = await storeCourier(site);
  let delivery = await advance(site, await heldBy(courier), 'picked_up', { state: 'picked_up' });
  move(a, courier, 10);
  const acks: (() => void)[] = [];
  const recipient = site.join(a, '/track', { token: tokens.recipient(delivery) });
  recipient.acks = false;
  recipient.socket.on('positions', (_frame: unknown, ack: () => void) => void acks.push(ack));
  const vendor = await site.join(a, '/vendor', { token: tokens.vendor(delivery) }).ready();
  await until(() => acks.length === 1 && recipient.shown(delivery.id) === delivery.sequence);
  move(a, courier, 20);
  const isSeen = (lng: number): boolean => Math.abs(lng - offsetBy(CENTER, 20, 0).lng) < 1e-9;
  await until(() => itemsOf(vendor.named('positions')).some(([, , , , lng]) => isSeen(lng)));
  delivery = await advance(site, delivery, 'delivered', { state: 'delivered' });
  await until(() => recipient.named('delivered').length === 1);
  acks[0]?.();
  // Answered after the acknowledgement, on the same connection.
  await recipient.ask('resync', { delivery_id: delivery.id, after: delivery.sequence });
  expect(recipient.named('positions')).toHaveLength(1);
});

test('[T18] a courier is sent no positions', async () => {
  const courier = await storeCourier(site);
  const delivery = await heldBy(courier);
  const phone = await site.join(a, '/courier', { token: tokens.courier(courier) }).ready();
  const vendor = await site.join(a, '/vendor', { token: tokens.vendor(delivery) }).ready();
  move(a, courier, 5);
  await until(() => vendor.named('positions').length > 0);
  expect(phone.named('positions')).toEqual([]);
});

test('[T19] a vendor sees the couriers who carry its deliveries, from the assignment to the end', async () => {
  const [courier, stranger] = [await storeCourier(site), await storeCourier(site, { capacity: 2 })];
  move(a, courier, 20);
  await until(async () => (await b.ctx.positions.find(courier.id)) !== null);
  let delivery = await bear(site);
  await heldBy(stranger);
  const vendor = await site.join(b, '/vendor', { token: tokens.vendor(delivery) }).ready();
  delivery = await assign(site, delivery, courier);
  // The position arrives with the assignment, even if the courier does not move.
  await until(() => vendor.named('positions').length === 1);
  expect(itemsOf(vendor.named('positions'))[0]?.slice(0, 2)).toEqual([courier.id, delivery.id]);
  move(b, stranger, 30);
  const again = await site.join(b, '/vendor', { token: tokens.vendor(delivery) }).ready();
  await until(() => again.named('positions').length === 1);
  expect(JSON.stringify(vendor.heard)).not.toContain(stranger.id);

  const gone = { state: 'canceled', courierId: null } as const;
  delivery = await advance(site, delivery, 'canceled', gone);
  await until(() => vendor.named('canceled').length === 1);
  const frames = vendor.named('positions').length;
  const other = await bear(site, { vendorId: delivery.vendorId });
  await assign(site, other, stranger);
  await until(() => itemsOf(vendor.named('positions')).some(([, id]) => id === other.id));
  // Both in one tick: where the one is seen, the other would be too.
  move(b, courier, 60);
  move(b, stranger, 70);
  const isSeen = (lng: number): boolean => Math.abs(lng - offsetBy(CENTER, 70, 0).lng) < 1e-9;
  await until(() => itemsOf(vendor.named('positions')).some(([, , , , lng]) => isSeen(lng)));
  expect(itemsOf(vendor.named('positions').slice(frames)).some(([id]) => id === courier.id)).toBe(false);
});

test('[T19] a dispatcher sees idle couriers in the watched cells at once, and no others', async () => {
  const [near, far] = [await storeCourier(site), await storeCourier(site)];
  move(a, near, 0);
  move(a, far, 30_000);
  await until(async () => (await b.ctx.positions.find(far.id)) !== null);
  const admin = await site.join(b, '/admin', { token: tokens.staff() }).ready();
  expect(await admin.ask('watch', { cells: [viewCellOf(CENTER)] })).toEqual({ ok: true, cells: 1 });
  await until(() => itemsOf(admin.named('positions')).some(([id]) => id === near.id));
  expect(itemsOf(admin.named('positions')).find(([id]) => id === near.id)?.[1]).toBeNull();
  expect(itemsOf(admin.named('positions')).some(([id]) => id === far.id)).toBe(false);
  await admin.ask('watch', { cells: [viewCellOf(offsetBy(CENTER, 30_000, 0))] });
  await until(() => itemsOf(admin.named('positions')).some(([id]) => id === far.id));
  const frames = admin.named('positions').length;
  move(a, near, 1);
  move(a, far, 30_010);
  await until(() => admin.named('positions').length > frames);
  expect(itemsOf(admin.named('positions').slice(frames)).map(([id]) => id)).toEqual([far.id]);
});
