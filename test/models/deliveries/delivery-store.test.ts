import assert from 'node:assert/strict';
import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import type { Delivery } from '../../../src/domain/deliveries/delivery.ts';
import { newId, type VendorId } from '../../../src/domain/ids.ts';
import type { DeliveryFilter } from '../../../src/ports/deliveries.ts';
import type { PageMark } from '../../../src/ports/pages.ts';
import { aStop, NOON } from '../../builders.ts';
import { aChange, CLOCK, openHouse, storeDelivery } from '../../engines/mongo-house.ts';
import { DELIVERIES } from '../../../src/models/deliveries/delivery-shape.ts';
import { ODD } from '../../odd-rows.ts';

const house = await openHouse('delivery-store');
// A test makes hundreds of writes one after the other, and a busy disk may take a second for each.
vi.setConfig({ testTimeout: 300_000 });

const idsOf = (deliveries: readonly Delivery[]): string[] => deliveries.map(({ id }) => id);
const newestFirst = (a: Delivery, b: Delivery): number =>
  b.times.createdAt - a.times.createdAt || (a.id < b.id ? 1 : -1);

/** Reads all pages of a list. `between` runs after each page. */
async function readAll(filter: DeliveryFilter, limit: number, between = async () => {}): Promise<Delivery[]> {
  const all: Delivery[] = [];
  let after: PageMark | null = null;
  do {
    const page = await house.deliveries.list(filter, { limit, after });
    expect(page.items.length).toBeLessThanOrEqual(limit);
    all.push(...page.items);
    after = page.next;
    await between();
  } while (after !== null);
  return all;
}

async function search(vendorId: VendorId, text: string): Promise<string[]> {
  return idsOf((await house.deliveries.list({ vendorId, search: text }, { limit: 10, after: null })).items);
}

test('[S14] a list is newest first, and its pages contain each delivery once while others are created', async () => {
  const ages = fc.array(fc.integer({ min: 0, max: 4 }), { maxLength: 12 });
  const property = fc.asyncProperty(ages, fc.integer({ min: 1, max: 5 }), async (some, limit) => {
    const vendorId = newId('ven');
    const born: Delivery[] = [];
    for (const age of some) born.push(await storeDelivery(house, { vendorId, times: { createdAt: NOON - age } }));
    const pages = await readAll({ vendorId }, limit, async () => {
      await storeDelivery(house, { vendorId, times: { createdAt: NOON + 1 } });
    });
    expect(idsOf(pages)).toEqual(idsOf(born.toSorted(newestFirst)));
  });
  await fc.assert(property, { numRuns: 15 });
});

test('[S14] a page names a next page only if there is one', async () => {
  const vendorId = newId('ven');
  for (let count = 0; count < 4; count += 1) await storeDelivery(house, { vendorId });
  expect(await house.deliveries.list({ vendorId }, { limit: 4, after: null })).toMatchObject({ next: null });
  const { items, next } = await house.deliveries.list({ vendorId }, { limit: 3, after: null });
  expect(next).toEqual({ at: NOON, id: items[2]?.id });
});

test('[S15] a list can be filtered by vendor, mode, channel, states and a half-open time range', async () => {
  const vendorId = newId('ven');
  const make = (over: Parameters<typeof storeDelivery>[1]): Promise<Delivery> =>
    storeDelivery(house, { vendorId, ...over });
  const plain = await make({});
  const live = await make({ liveMode: true });
  const chat = await make({ channel: 'chat' });
  const done = await make({ state: 'delivered' });
  const old = await make({ times: { createdAt: NOON - 1000 } });
  await storeDelivery(house);
  const ids = async (filter: DeliveryFilter): Promise<string[]> => idsOf(await readAll({ vendorId, ...filter }, 2));
  const sorted = (...some: Delivery[]): string[] => idsOf(some.toSorted(newestFirst));
  expect(await ids({})).toEqual(sorted(plain, live, chat, done, old));
  expect(await ids({ liveMode: true })).toEqual([live.id]);
  expect(await ids({ channel: 'chat' })).toEqual([chat.id]);
  expect(await ids({ states: ['delivered', 'failed'] })).toEqual([done.id]);
  expect(await ids({ states: [] })).toEqual([]);
  expect(await ids({ createdFrom: NOON })).toEqual(sorted(plain, live, chat, done));
  expect(await ids({ createdTo: NOON })).toEqual([old.id]);
  expect(await ids({ createdFrom: NOON - 1000, createdTo: NOON, liveMode: false })).toEqual([old.id]);
});

test('[S15] the cost of a page depends only on its rows, wherever in the list it is', async () => {
  const vendorId = newId('ven');
  for (let age = 0; age < 40; age += 1) await storeDelivery(house, { vendorId, times: { createdAt: NOON - age } });
  const { db } = house.mongo;
  await db.command({ profile: 2 });
  const filter = { vendorId, liveMode: false };
  await house.deliveries.list(filter, { limit: 5, after: null });
  await house.deliveries.list(filter, { limit: 5, after: { at: NOON - 20, id: 'del_z' } });
  await house.deliveries.listChangedSince(NOON - 100, 5);
  await house.deliveries.listOpenSince(NOON - 100, filter, 5);
  await db.command({ profile: 0 });
  const costs = await db
    .collection('system.profile')
    .find({ op: 'query', ns: /deliveries$/ })
    .toArray();
  expect(costs).toHaveLength(4);
  for (const { docsExamined, hasSortStage } of costs) {
    expect(hasSortStage).toBeUndefined();
    expect(docsExamined).toBeLessThanOrEqual(6);
  }
});

test('[S16] a search finds a whole id, an external id, or the last four or more digits of a recipient’s phone', async () => {
  const vendorId = newId('ven');
  const contact = { name: 'Ada', phone: '+4915112345678' };
  const one = await storeDelivery(house, { vendorId, externalId: 'order.77', dropOffs: [aStop(1, { contact })] });
  const desk = aStop(0, { contact: { name: 'Desk', phone: '+49309995678' } });
  const two = await storeDelivery(house, {
    vendorId,
    externalId: '5678',
    pickup: desk,
    dropOffs: [aStop(1, { contact: null })],
  });
  expect(await search(vendorId, one.id)).toEqual([one.id]);
  expect(await search(vendorId, 'order.77')).toEqual([one.id]);
  expect(await search(vendorId, ' 45678 ')).toEqual([one.id]);
  expect(await search(vendorId, '+49 151 1234-5678')).toEqual([one.id]);
  expect((await search(vendorId, '5678')).toSorted()).toEqual([one.id, two.id].toSorted());
  const none = ['678', '1234', '.*5678', 'order', one.id.slice(0, -1), '$where', ''];
  expect(await Promise.all(none.map((text) => search(vendorId, text)))).toEqual(none.map(() => []));
  expect(await search(newId('ven'), one.id)).toEqual([]);
});

test('[S17] the searches of a region are those that have begun, and those that count longest come first', async () => {
  const region = 'north';
  const now = CLOCK.now();
  const second = await storeDelivery(house, { region, searchFromAt: now - 2000, searchCountsFromAt: now + 1000 });
  const first = await storeDelivery(house, { region, searchFromAt: now - 1000, searchCountsFromAt: now - 1000 });
  await storeDelivery(house, { region, searchFromAt: now + 600_000 });
  await storeDelivery(house, { region, searchFromAt: now - 3000, state: 'assigned' });
  await storeDelivery(house, { region: 'north-east', searchFromAt: now + 600_000 });
  expect(idsOf(await house.deliveries.listSearching(region, 10))).toEqual([first.id, second.id]);
  expect(idsOf(await house.deliveries.listSearching(region, 1))).toEqual([first.id]);
  // Test deliveries do not crowd out live ones, however many there are.
  const live = await storeDelivery(house, {
    region,
    searchFromAt: now - 500,
    searchCountsFromAt: now + 2000,
    liveMode: true,
  });
  expect(idsOf(await house.deliveries.listSearching(region, 1))).toEqual([first.id, live.id]);
  const regions = await house.deliveries.regionsSearching();
  expect(regions.filter((one) => one.startsWith('north'))).toEqual([region]);
});

test('[S17] a robo-courier must act on the deliveries that request one and have not ended', async () => {
  const robo = { timeScale: 10 };
  const searchFromAt = CLOCK.now();
  const wanted = [
    await storeDelivery(house, { robo, state: 'in_transit' }),
    await storeDelivery(house, { robo: { ...robo, outcome: 'failed' }, searchFromAt: searchFromAt - 1 }),
    await storeDelivery(house, { robo, searchFromAt }),
  ];
  await storeDelivery(house, { robo, state: 'delivered' });
  await storeDelivery(house);
  expect(idsOf(await house.deliveries.listRobo(10))).toEqual(idsOf(wanted));
  expect(idsOf(await house.deliveries.listRobo(1))).toEqual(idsOf(wanted.slice(0, 2)));
});

test('[S18] deliveries are found by id, alone or together, or by the hash of a link; an unknown one is refused', async () => {
  const one = await storeDelivery(house);
  const two = await storeDelivery(house);
  expect(await house.deliveries.find(newId('del'))).toBeNull();
  await expect(house.deliveries.get(newId('del'))).rejects.toMatchObject({ code: 'delivery_not_found' });
  expect(idsOf(await house.deliveries.findMany([one.id, newId('del'), two.id])).toSorted()).toEqual([one.id, two.id]);
  expect(await house.deliveries.findMany([])).toEqual([]);
  expect(await house.deliveries.findByLink(two.links[0]!.tokenHash)).toStrictEqual(two);
  expect(await house.deliveries.findByLink('none')).toBeNull();
});

test('[S18] the deliveries that changed since a time are listed, newest change first', async () => {
  const vendorId = newId('ven');
  const one = await storeDelivery(house, { vendorId });
  const two = await storeDelivery(house, { vendorId });
  const changed = aChange(one, { fee: 1 });
  await house.commit(changed);
  const since = (from: number): Promise<readonly Delivery[]> => house.deliveries.listOpenSince(from, { vendorId }, 5);
  expect(await since(NOON)).toStrictEqual([changed.after, two]);
  expect(idsOf(await since(NOON + 1000))).toEqual([one.id]);
  expect(await since(NOON + 1001)).toEqual([]);
  expect(await house.deliveries.listOpenSince(NOON, { vendorId, liveMode: true }, 5)).toEqual([]);
  const ended = aChange(two, { state: 'canceled' });
  await house.commit({ ...ended, after: { ...ended.after, times: { ...ended.after.times, updatedAt: NOON + 2000 } } });
  expect(idsOf(await since(NOON))).toEqual([one.id]);
  expect(idsOf(await house.deliveries.listChangedSince(NOON + 1000, 2))).toEqual([two.id, one.id]);
});

/** The ids of those deliveries whose search is due. */
async function dueSearches(some: readonly Delivery[]): Promise<string[]> {
  const due = await house.deliveries.listDue('search', 1000);
  return idsOf(due.map(({ delivery }) => delivery)).filter((id) => some.some((one) => one.id === id));
}

test('[S52] each change of a delivery stores its due time', async () => {
  const now = CLOCK.now();
  const span = { searchCountsFromAt: now, searchUntilAt: now + 900_000 };
  const scheduled = await storeDelivery(house, { state: 'scheduled', searchFromAt: now - 1000, ...span });
  const later = await storeDelivery(house, { state: 'scheduled', searchFromAt: now + 600_000, ...span });
  const over = await storeDelivery(house, { searchFromAt: now - 2000, ...span, searchUntilAt: now - 2000 });
  const all = [scheduled, later, over];
  expect(await dueSearches(all)).toEqual([over.id, scheduled.id]);
  await house.commit(aChange(scheduled, { state: 'searching' }));
  await house.commit(aChange(later, { searchFromAt: now }));
  await house.commit(aChange(over, { state: 'canceled' }));
  expect(await dueSearches(all)).toEqual([later.id]);
});

test('[S52] a delivery that was checked is due again at the given time, or after its next change', async () => {
  const vendorId = newId('ven');
  const one = await storeDelivery(house, { vendorId, times: { createdAt: NOON } });
  const find = async () =>
    (await house.deliveries.listDue('late', 1000)).find(({ delivery }) => delivery.id === one.id);
  const due = await find();
  assert(due !== undefined);
  expect(due.delivery).toStrictEqual(one);
  await house.deliveries.putOff('late', due, CLOCK.now() + 600_000);
  expect(await find()).toBeUndefined();
  const changed = aChange(one, { fee: 1 });
  await house.commit(changed);
  // A caller who read the delivery before the change cannot move its new due time.
  await house.deliveries.putOff('late', { ...due, dueAt: 1 }, null);
  const again = await find();
  assert(again !== undefined);
  await house.deliveries.putOff('late', again, null);
  expect(await find()).toBeUndefined();
});

test('[S52] a delivery that was stored without due times is due at once, and has one afterwards', async () => {
  const one = await storeDelivery(house, { state: 'scheduled', searchFromAt: CLOCK.now() + 600_000 });
  await house.mongo.collection(DELIVERIES).updateOne({ _id: one.id }, { $unset: { dues: 1 } }, ODD);
  expect(await dueSearches([one])).toEqual([one.id]);
  await house.deliveries.putOff('search', { delivery: one, dueAt: null }, one.searchFromAt);
  expect(await dueSearches([one])).toEqual([]);
});
