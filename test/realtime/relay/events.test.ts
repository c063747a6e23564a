import { expect, test } from 'vitest';
import { cardOf } from '../../../src/domain/couriers/courier.ts';
import { newId } from '../../../src/domain/ids.ts';
import { viewCellOf } from '../../../src/domain/geo/geo.ts';
import { aStop, CENTER } from '../../builders.ts';
import { until } from '../../until.ts';
import { advance, assign, bear, openSite, storeCourier, tokensOf } from '../house.ts';

const site = await openSite('socket-events');
const tokens = tokensOf(site);
const [a, b] = [await site.start(), await site.start()];

test('[T1] all four audiences receive a delivery on every process, each in the form for it', async () => {
  const courier = await storeCourier(site);
  let delivery = await bear(site);
  delivery = await assign(site, delivery, courier);
  const vendor = await site.join(a, '/vendor', { token: tokens.vendor(delivery) }).ready();
  const track = await site.join(b, '/track', { token: tokens.recipient(delivery) }).ready();
  const carrier = await site.join(a, '/courier', { token: tokens.courier(courier) }).ready();
  const admin = await site.join(b, '/admin', { token: tokens.staff() }).ready();
  await admin.ask('watch', { cells: [viewCellOf(CENTER)] });
  const all = [vendor, track, carrier, admin];
  await until(() => all.every(({ shown }) => shown(delivery.id) === 2));
  // A snapshot stands for the events up to it, and the page gets one after each event.
  const isShown = () => track.shown(delivery.id) === delivery.sequence;

  delivery = await advance(site, delivery, 'courier.arrived_pickup', {}, { stop: 0 });
  await until(isShown);
  delivery = await advance(site, delivery, 'delivery.search_delayed');
  await until(isShown);
  delivery = await advance(site, delivery, 'picked_up', { state: 'picked_up' });
  await until(() => all.every(({ sequences }) => sequences(delivery.id).includes(5)));

  for (const { sequences } of all) expect(sequences(delivery.id)).toEqual([3, 4, 5]);
  const [seen] = vendor.named('picked_up');
  expect(seen).toMatchObject({ vendor_id: delivery.vendorId, data: { delivery: { id: delivery.id } } });
  expect(admin.named('picked_up')[0]).toEqual(seen);
  expect(carrier.named('picked_up')[0]?.data).not.toHaveProperty('delivery');
  expect(carrier.named('delivery.search_delayed')[0]?.data).toEqual({});
  const shown = JSON.stringify(track.heard.filter(({ body }) => body.object === 'event'));
  expect(shown).not.toContain(courier.id);
  expect(shown).not.toContain(delivery.vendorId);
  expect(track.named('picked_up')[0]?.data).toMatchObject({ courier: { first_name: 'Grace' } });
  expect(shown).not.toContain('route');
});

test('[T2] no reader receives data of others', async () => {
  const courier = await storeCourier(site);
  const own = await bear(site);
  const strangers = [
    await site.join(a, '/vendor', { token: tokens.vendor({ vendorId: newId('ven'), liveMode: false }) }).ready(),
    await site.join(a, '/vendor', { token: tokens.vendor({ vendorId: own.vendorId, liveMode: true }) }).ready(),
    await site.join(b, '/courier', { token: tokens.courier(await storeCourier(site)) }).ready(),
    await site.join(b, '/track', { token: tokens.recipient(await bear(site)) }).ready(),
    await site.join(b, '/admin', { token: tokens.staff() }).ready(),
  ];
  const far = viewCellOf({ lat: CENTER.lat + 1, lng: CENTER.lng });
  await strangers.at(-1)?.ask('watch', { cells: [far] });
  const vendor = await site.join(b, '/vendor', { token: tokens.vendor(own) }).ready();

  await advance(site, await assign(site, own, courier), 'picked_up', { state: 'picked_up' });
  // Other readers receive an event no later than the vendor of the same process. A resync checks the other process.
  await until(() => vendor.sequences(own.id).length === 2);
  for (const stranger of strangers) {
    const answer = await stranger.ask('resync', { delivery_id: own.id, after: 0 });
    const isStaff = stranger === strangers.at(-1);
    if (!isStaff) expect(answer).toMatchObject({ ok: false, problem: { code: 'delivery_not_found', status: 404 } });
    expect(stranger.sequences(own.id)).toEqual([]);
  }
});

test('[T2] a client cannot get a snapshot or replay of a foreign delivery by naming it', async () => {
  const [own, foreign] = [await bear(site), await bear(site)];
  // The foreign one first: whatever came of it would be there before the own one's event.
  const last_seq = { [foreign.id]: 0, [own.id]: 0 };
  const vendor = await site.join(a, '/vendor', { token: tokens.vendor(own), last_seq }).ready();
  await until(() => vendor.sequences(own.id).length === 1);
  expect(JSON.stringify(vendor.heard)).not.toContain(foreign.id);
});

test('[T7] a courier receives a delivery from its assignment to the event that takes it, with the data for the work', async () => {
  const courier = await storeCourier(site);
  let delivery = await bear(site, { pickup: aStop(0, { instructions: 'Ring twice' }) });
  const phone = await site.join(b, '/courier', { token: tokens.courier(courier) }).ready();
  delivery = await assign(site, delivery, courier);
  await until(() => phone.named('snapshot').length === 1);
  expect(phone.named('courier.assigned')).toHaveLength(1);
  expect(phone.named('snapshot')[0]?.delivery).toMatchObject({ pickup: { instructions: 'Ring twice' } });
  expect(phone.named('snapshot')[0]?.delivery).not.toHaveProperty('fee');

  const gone = { state: 'searching', courierId: null, courier: null, formerCouriers: [courier.id] } as const;
  delivery = await advance(site, delivery, 'courier.unassigned', gone, { courier: cardOf(courier) });
  delivery = await advance(site, delivery, 'delivery.updated');
  const vendor = await site
    .join(b, '/vendor', { token: tokens.vendor(delivery), last_seq: { [delivery.id]: 3 } })
    .ready();
  await until(() => vendor.sequences(delivery.id).includes(4) && phone.sequences(delivery.id).includes(3));
  expect(phone.sequences(delivery.id)).toEqual([2, 3]);
});

test('[T7] a courier who was away when a delivery was taken from them learns it when they reconnect', async () => {
  const courier = await storeCourier(site);
  let delivery = await assign(site, await bear(site), courier);
  const gone = { state: 'searching', courierId: null, courier: null, formerCouriers: [courier.id] } as const;
  delivery = await advance(site, delivery, 'courier.unassigned', gone, { courier: cardOf(courier) });
  delivery = await advance(site, delivery, 'delivery.updated');
  const last_seq = { [delivery.id]: 2 };
  const phone = await site.join(a, '/courier', { token: tokens.courier(courier), last_seq }).ready();
  await until(() => phone.sequences(delivery.id).length > 0);
  expect(phone.sequences(delivery.id)).toEqual([3]);
  expect(phone.named('snapshot')).toEqual([]);
  expect(await phone.ask('resync', { delivery_id: delivery.id, after: 2 })).toMatchObject({ ok: true, through: 4 });
});
