import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { startMending } from '../../../src/dispatch/due/mend-old-rows.ts';
import type { Delivery } from '../../../src/domain/deliveries/delivery.ts';
import { newId } from '../../../src/domain/ids.ts';
import type { CollectionName } from '../../../src/models/collections.ts';
import type { DeliveryRow } from '../../../src/models/deliveries/delivery-rows.ts';
import { createOldRows } from '../../../src/models/due/old-rows.ts';
import { createWebhookStore } from '../../../src/models/webhooks/webhook-store.ts';
import { aCourier, anOffer, aQuote, NOON } from '../../builders.ts';
import { handClock } from '../../clock.ts';
import { keptLog } from '../../kept-ports.ts';
import { until } from '../../until.ts';
import { aBirth, aChange, CLOCK, openHouse, SETTINGS, storeDelivery } from '../../engines/mongo-house.ts';

const house = await openHouse('old-rows');
const { retention } = SETTINGS;
const webhooks = createWebhookStore(house.mongo, Buffer.alloc(32, 7), CLOCK, SETTINGS);
const oldRows = createOldRows(house.mongo, CLOCK, SETTINGS);
const mend = () => oldRows.mend(() => true);
const DATED = ['quotes', 'offer_history', 'alarms', 'attempts', 'claims', 'events'] as const satisfies CollectionName[];

type AnyRow = { _id: string; endsOn?: Date };
const rowsOf = (name: CollectionName) => house.mongo.collection<AnyRow>(name);

beforeEach(async () => {
  for (const name of [...DATED, 'deliveries', 'offers', 'registrations', 'settings'] as const) {
    await rowsOf(name).deleteMany({});
  }
});

/** As an older version of the server has stored it all. */
async function forgetDates(): Promise<void> {
  for (const name of DATED) await rowsOf(name).updateMany({}, { $unset: { endsOn: '' } });
}

/** In how many ms the rows go; null for those that stay. */
async function msLeft(name: CollectionName, filter: object = {}): Promise<(number | null)[]> {
  const rows = await rowsOf(name).find(filter).sort({ _id: 1 }).toArray();
  return rows.map(({ endsOn }) => (endsOn === undefined ? null : endsOn.getTime() - CLOCK.real.now()));
}

/** Near enough: the test takes some time as well. */
const about = (ms: number): object => expect.closeTo(ms, -5);

/** One closed and one open row of each kind that has a date once it is closed. */
async function storeAll() {
  const vendorId = newId('ven');
  const claim = { fact: `external:${vendorId}:test:1`, holder: newId('del') };
  const courier = aCourier();
  await house.couriers.add(courier);
  const registration = { id: newId('whk'), vendorId, liveMode: false, url: 'https://example.com', events: ['*'] };
  await webhooks.register({ ...registration, description: null, createdAt: NOON }, 'whsec_x', 20);
  const open = await storeDelivery(house, { vendorId });
  const over = aBirth({ vendorId }, [claim]);
  await house.commit(over);
  await house.commit(aChange(over.after, { state: 'canceled' }, 'canceled'));
  while ((await webhooks.fanOut(100)) > 0);
  const asked = { now: CLOCK.now(), leaseMs: 60_000, limit: 1 };
  const [attempt] = (await webhooks.claimDue(registration.id, asked)).attempts;
  if (attempt === undefined) throw new Error('an attempt is due');
  await webhooks.record(attempt.lease, { at: NOON, status: 200, tookMs: 1, error: null, response: '' }, null);
  await house.quotes.add(aQuote());
  const offer = anOffer({ deliveryId: open.id, courierId: courier.id });
  expect(await house.offers.open(offer)).toBe(true);
  await house.offers.close(offer.id, 'declined', null, NOON);
  for (const { id: deliveryId } of [open, over.after]) {
    const alarm = { courierId: null, cell: '87', since: NOON, clearedAt: null, detail: '' };
    await house.alarms.raise({ id: newId('alm'), kind: 'late', deliveryId, ...alarm });
  }
  await house.alarms.clear(over.after.id);
  return { open, over: over.after, claim, courier, attempt };
}

test('[S70] closed rows of an older version get their date, and open ones stay without', async () => {
  const { open, over, claim, courier, attempt } = await storeAll();
  const before = await Promise.all(DATED.map(async (name) => (await msLeft(name)).map((ms) => ms === null)));
  await forgetDates();
  expect(await mend()).toBe(before.flat().filter((isOpen) => !isOpen).length);
  const after = await Promise.all(DATED.map(async (name) => (await msLeft(name)).map((ms) => ms === null)));
  expect(after).toEqual(before);
  expect(await msLeft('quotes')).toEqual([about(retention.quotesMs)]);
  expect(await msLeft('offer_history')).toEqual([about(retention.offersMs)]);
  expect(await msLeft('alarms', { deliveryId: over.id })).toEqual([about(retention.alarmsMs)]);
  expect(await msLeft('alarms', { deliveryId: open.id })).toEqual([null]);
  expect(await msLeft('attempts', { attemptId: attempt.id })).toEqual([about(retention.attemptsMs)]);
  expect(await msLeft('claims', { _id: claim.fact })).toEqual([about(retention.claimsMs)]);
  expect(await msLeft('claims', { holder: courier.id })).toEqual([null]);
  const kept = about(retention.eventsMs);
  expect(await msLeft('events', { delivery_id: over.id })).toEqual([kept, kept]);
  expect(await msLeft('events', { delivery_id: open.id })).toEqual([null]);
});

test('[S70] a pass that finds nothing is the last one', async () => {
  await house.quotes.add(aQuote());
  await forgetDates();
  expect([await mend(), await mend()]).toEqual([1, 0]);
  await forgetDates();
  expect(await mend()).toBe(0);
  expect(await msLeft('quotes')).toEqual([null]);
});

test('[S70] more rows than one batch has are mended in one pass, and none by a process that lost its lease', async () => {
  const quotes = Array.from({ length: 1201 }, () => aQuote());
  await house.mongo
    .collection<{ _id: string }>('quotes')
    .insertMany(quotes.map((quote) => ({ _id: quote.id, ...quote })));
  expect(await oldRows.mend(() => false)).toBe(0);
  expect(new Set(await msLeft('quotes'))).toEqual(new Set([null]));
  expect(await mend()).toBe(1201);
  expect(await msLeft('quotes')).not.toContain(null);
});

test('[S70] a pass that another process interrupts is not the last one, even if this one goes on in the end', async () => {
  await house.quotes.add(aQuote());
  await forgetDates();
  let looks = 0;
  // The lease is lost for a moment, while nothing has been found yet.
  expect(await oldRows.mend(() => (looks += 1) > 1)).toBe(0);
  expect(await mend()).toBe(1);
});

test('[S70] a server begins to mend with its start and tells how many rows it was', async () => {
  await house.quotes.add(aQuote());
  await forgetDates();
  const log = keptLog();
  const leases = { tryHold: () => Promise.resolve(1), release: () => Promise.resolve() };
  const mending = startMending({ clock: handClock(), leases, log, oldRows });
  onTestFinished(() => mending.stop());
  await until(() => log.lines.length > 0);
  expect(log.lines).toMatchObject([{ level: 'info', fields: { rows: 1 } }]);
});

test('[S71] a delivery of an older version is read like any other, and is found by its words once it was mended', async () => {
  const externalId = newId('del');
  const delivery = await storeDelivery(house, { externalId });
  const rows = house.mongo.collection<DeliveryRow & { phoneTails: readonly string[] }>('deliveries');
  await rows.updateOne({ _id: delivery.id }, { $unset: { terms: '', dues: '' }, $set: { phoneTails: ['54321'] } });
  expect(await house.deliveries.get(delivery.id)).toStrictEqual(delivery);
  expect((await house.deliveries.listDue('search', 10)).map((due) => due.delivery)).toStrictEqual([delivery]);
  const found = async (): Promise<readonly Delivery[]> =>
    (await house.deliveries.list({ search: externalId }, { limit: 5, after: null })).items;
  expect(await found()).toEqual([]);
  expect(await mend()).toBe(1);
  expect(await found()).toStrictEqual([delivery]);
  expect(await house.deliveries.get(delivery.id)).toStrictEqual(delivery);
});
