import { beforeEach, expect, test } from 'vitest';
import { cancelDelivery } from '../../../src/dispatch/deliveries/cancel-delivery.ts';
import { startRegions } from '../../../src/dispatch/regions/run-region.ts';
import { regionOf as regionAt } from '../../../src/domain/geo/geo.ts';
import type { Delivery } from '../../../src/domain/deliveries/delivery.ts';
import type { CourierId } from '../../../src/domain/ids.ts';
import { CENTER } from '../../builders.ts';
import { regionOf } from '../../regions.ts';
import { until } from '../../until.ts';
import { courierAt, leaseDesk, pass, passUntil, phones, running } from '../region-world.ts';
import { asStaff } from '../../callers.ts';
import { searchesIn } from '../searches.ts';
import { historyOf, openWorld, storeCourier, storeCrowd, storeHeld, storeOffer, type World } from '../world.ts';
import { ALARMS } from '../../../src/models/due/alarm-shape.ts';
import { ODD } from '../../odd-rows.ts';

const world = await openWorld('run-due');

beforeEach(async () => {
  // The worker would look at the deliveries of other tests as well.
  for (const name of ['deliveries', 'offers', 'alarms'] as const) await world.mongo.db.collection(name).deleteMany({});
});

const { due, search, stateOf } = searchesIn(world);
const MINUTE = 60_000;
/** More deliveries than two turns look at. */
const CROWD = 1200;

test('[Q1] a scheduled search starts when it is due, and not before', async () => {
  const now = world.clock.now();
  const delivery = await search({
    state: 'scheduled',
    priority: 'scheduled',
    searchFromAt: now + 10 * MINUTE,
    searchCountsFromAt: now + 10 * MINUTE,
    searchUntilAt: now + 25 * MINUTE,
  });
  due();
  await pass(world, 10 * MINUTE - 5000, 5000);
  expect(await stateOf(delivery)).toBe('scheduled');
  await passUntil(world, async () => (await stateOf(delivery)) === 'searching');
  await until(async () => (await historyOf(world, delivery.id)).join() === 'delivery.created,delivery.searching');
});

test('[S50] a search starts on time, however many are scheduled for other days', async () => {
  const now = world.clock.now();
  const later = { state: 'scheduled', priority: 'scheduled', searchFromAt: now + 24 * 60 * MINUTE } as const;
  await storeCrowd(world, CROWD, later);
  const delivery = await search({ ...later, searchFromAt: now + 3000, searchUntilAt: now + 25 * MINUTE });
  due();
  await pass(world, 5000);
  expect(await stateOf(delivery)).toBe('searching');
});

test('[S50] a search ends on time, however many others continue', async () => {
  const now = world.clock.now();
  await storeCrowd(world, CROWD, { searchCountsFromAt: now, searchUntilAt: now + 60 * MINUTE });
  const delivery = await search({ searchUntilAt: now + 3000 });
  due();
  await pass(world, 5000);
  expect(await stateOf(delivery)).toBe('canceled');
});

test('[S51] deliveries that fail do not block those due after them', async () => {
  const now = world.clock.now();
  const overdue = { state: 'scheduled', priority: 'scheduled', searchUntilAt: now + 25 * MINUTE } as const;
  const bad = new Set(await storeCrowd(world, 1100, { ...overdue, searchFromAt: now - MINUTE }));
  const good = await search({ ...overdue, searchFromAt: now - 30_000 });
  const get: World['deliveries']['get'] = (id) =>
    bad.has(id) ? Promise.reject(new Error('unreadable')) : world.deliveries.get(id);
  due({ deliveries: { ...world.deliveries, get } });
  await pass(world, 5000);
  expect(await stateOf(good)).toBe('searching');
});

test('[O63] a search that starts gets the present region size; a running one keeps its region', async () => {
  const old = regionAt(CENTER, 6);
  const now = world.clock.now();
  const later = { state: 'scheduled', priority: 'scheduled', searchFromAt: now + MINUTE } as const;
  const scheduled = await search({ ...later, searchUntilAt: now + 25 * MINUTE, region: old });
  const courier = await courierAt(world, CENTER);
  const on = await search({ region: old });
  due();
  running(startRegions({ ...world, notices: phones(), leases: leaseDesk(world.clock).of('leader') }));
  await passUntil(world, async () => (await world.offers.listOpen([on.id]))[0]?.courierId === courier.id);
  expect((await world.offers.listOpen([on.id]))[0]?.region).toBe(old);
  await passUntil(world, async () => (await stateOf(scheduled)) === 'searching', { stepMs: 1000 });
  expect((await world.deliveries.get(scheduled.id)).region).toBe(regionOf(CENTER));
  expect((await world.deliveries.get(on.id)).region).toBe(old);
});

test('[Q13] a late delivery raises one alarm, which ends with the delivery', async () => {
  const delivery = await search({ times: { createdAt: world.clock.now() - 61 * MINUTE } });
  const notices = phones();
  due({ notices });
  await passUntil(world, () => notices.alarms.some(({ kind }) => kind === 'late'));
  await pass(world, 10_000);
  expect(notices.alarms.filter(({ kind }) => kind === 'late')).toHaveLength(1);
  await cancelDelivery(world, { deliveryId: delivery.id, reason: null }, asStaff());
  await passUntil(world, () => notices.alarms.filter(({ kind }) => kind === 'late').length === 2);
  expect(notices.alarms.at(-1)?.clearedAt).not.toBeNull();
});

/** Positions of one courier whose last report is at a time that the test moves. */
function hearing(courierId: CourierId, heard: { at: number | null }): World['positions'] {
  return {
    ...world.positions,
    silentForMs: async () => new Map(heard.at === null ? [] : [[courierId, world.clock.real.now() - heard.at]]),
  };
}

test('[Q5] a silent courier raises an alarm after a minute, and loses an assigned delivery after five', async () => {
  const now = world.clock.now();
  const { delivery, courier } = await storeHeld(world, 'assigned', { times: { ...(await times()), assignedAt: now } });
  const notices = phones();
  const heard = { at: now as number | null };
  due({ notices, positions: hearing(courier.id, heard) });
  await pass(world, 58_000, 1000);
  expect(notices.alarms).toEqual([]);
  await passUntil(world, () => notices.alarms.length === 1);
  // The alarm stays open while the silence goes on, so its text names no length.
  const detail = 'nothing has been heard of the courier since then';
  expect(notices.alarms[0]).toMatchObject({ kind: 'courier_silent', courierId: courier.id, since: now, detail });
  await pass(world, 3.5 * MINUTE, 2000);
  expect(await stateOf(delivery)).toBe('assigned');
  await passUntil(world, async () => (await stateOf(delivery)) === 'searching', { stepMs: 1000 });
  expect(world.clock.now() - now).toBeGreaterThanOrEqual(5 * MINUTE);
  expect((await world.deliveries.get(delivery.id)).formerCouriers).toEqual([courier.id]);
  await passUntil(world, () => notices.alarms.length === 2);
});

async function times(): Promise<Delivery['times']> {
  const now = world.clock.now();
  return { ...(await search()).times, createdAt: now, updatedAt: now };
}

test('[Q6] collected goods stay with a silent courier; the alarm ends when they are heard of', async () => {
  const now = world.clock.now();
  const { delivery, courier } = await storeHeld(world, 'in_transit', {
    times: { ...(await times()), assignedAt: now },
  });
  const notices = phones();
  const heard = { at: null as number | null };
  due({ notices, positions: hearing(courier.id, heard) });
  await pass(world, 7 * MINUTE, 5000);
  expect(await stateOf(delivery)).toBe('in_transit');
  expect(notices.alarms).toHaveLength(1);
  heard.at = world.clock.real.now();
  await passUntil(world, () => notices.alarms.length === 2);
  expect(notices.alarms[1]?.clearedAt).not.toBeNull();
});

test('[Q7] a courier counts as silent only for as long as the watch has run: the server itself may have been away', async () => {
  const now = world.clock.now();
  const long = { ...(await times()), assignedAt: now - 60 * MINUTE };
  const { delivery, courier } = await storeHeld(world, 'assigned', { times: long });
  due({ positions: hearing(courier.id, { at: now - 60 * MINUTE }) });
  await pass(world, 4.9 * MINUTE, 5000);
  expect(await stateOf(delivery)).toBe('assigned');
  await passUntil(world, async () => (await stateOf(delivery)) === 'searching', { stepMs: 1000 });
});

test('[Q8] an expired offer that no leader closes is closed, and its region is informed', async () => {
  const delivery = await search();
  const offer = await storeOffer(world, delivery, await storeCourier(world));
  const rung: string[] = [];
  due({ bell: { ...world.bell, ring: (region) => void rung.push(region) } });
  await pass(world, 25_000);
  expect((await world.offers.find(offer.id))?.state).toBe('open');
  await passUntil(world, async () => (await world.offers.find(offer.id))?.state === 'expired');
  await until(() => rung.includes(offer.region));
});

test('[Q9] one process does the due work, and another takes over within 5 s when it dies', async () => {
  const desk = leaseDesk(world.clock);
  const worked: string[] = [];
  const worker = (name: string, leases = desk.of(name)) => {
    const listDue: World['deliveries']['listDue'] = (...of) => {
      worked.push(name);
      return world.deliveries.listDue(...of);
    };
    return due({ leases, deliveries: { ...world.deliveries, listDue } });
  };
  let isDead = false;
  const mortal = desk.of('one');
  worker('one', { ...mortal, tryHold: (lease, ms) => (isDead ? Promise.resolve(null) : mortal.tryHold(lease, ms)) });
  await pass(world, 3000);
  worker('two');
  await pass(world, 3000);
  expect(new Set(worked)).toEqual(new Set(['one']));
  isDead = true;
  const diedAt = world.clock.now();
  await passUntil(world, () => worked.includes('two'));
  expect(world.clock.now() - diedAt).toBeLessThanOrEqual(5000);
});

test('[Q10] one delivery that fails does not keep the others waiting', async () => {
  const over = { searchUntilAt: world.clock.now() };
  const [bad, good] = [await search(over), await search(over)];
  const get: World['deliveries']['get'] = (id) =>
    id === bad.id ? Promise.reject(new Error('unreadable')) : world.deliveries.get(id);
  due({ deliveries: { ...world.deliveries, get } });
  await passUntil(world, async () => (await stateOf(good)) === 'canceled');
  expect(await stateOf(bad)).toBe('searching');
});

test('[S50] a late delivery is reported on time, however many others are open, and once', async () => {
  const now = world.clock.now();
  const span = { searchCountsFromAt: now, searchUntilAt: now + 60 * MINUTE };
  await storeCrowd(world, CROWD, { ...span, times: { createdAt: now } });
  const delivery = await search({ ...span, times: { createdAt: now - 60 * MINUTE + 3000 } });
  const notices = phones();
  due({ notices });
  await pass(world, 13_000);
  expect(notices.alarms.filter(({ kind }) => kind === 'late')).toMatchObject([{ deliveryId: delivery.id }]);
  const looked = await world.deliveries.listDue('late', 10);
  expect(looked).toEqual([]);
});

test('[S54] an alarm is cleared when its cause is gone, however many are open', async () => {
  const now = world.clock.now();
  const others = Array.from({ length: 2100 }, (_, age) => ({
    _id: `courier_silent:${age}`,
    kind: 'courier_silent',
    deliveryId: null,
    courierId: `${age}`,
    cell: '87',
    since: now - 30 * MINUTE - age,
    clearedAt: null,
    detail: '',
  }));
  const rows = world.mongo.db.collection<(typeof others)[number]>(ALARMS.name);
  await rows.insertMany(others, ODD);
  const newest = await search({ times: { createdAt: now - 61 * MINUTE } });
  const oldest = await search({ times: { createdAt: now - 120 * MINUTE } });
  due();
  await passUntil(world, async () => (await rows.countDocuments({ kind: 'late', clearedAt: null })) === 2);
  for (const { id: deliveryId } of [newest, oldest]) {
    await cancelDelivery(world, { deliveryId, reason: null }, asStaff());
  }
  await pass(world, 20_000);
  expect(await rows.countDocuments({ kind: 'late', clearedAt: null })).toBe(0);
});
