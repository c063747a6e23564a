import { expect, test } from 'vitest';
import { newId } from '../../src/domain/ids.ts';
import { COLLECTIONS } from '../../src/models/collections.ts';
import { endsOn } from '../../src/engines/retention.ts';
import { withEffects } from '../../src/dispatch/change-delivery.ts';
import { createWebhookStore } from '../../src/models/webhooks/webhook-store.ts';
import type { Claim } from '../../src/ports/changes.ts';
import { aCourier, anOffer, aQuote, NOON } from '../builders.ts';
import { until } from '../until.ts';
import { aBirth, aChange, CLOCK, openHouse, SETTINGS, storeDelivery } from '../engines/mongo-house.ts';
import { DELIVERIES } from '../../src/models/deliveries/delivery-shape.ts';

const house = await openHouse('retention');
const { retention } = SETTINGS;
const DAY_MS = 86_400_000;

/** In how many days a row expires; null if it stays. */
async function daysLeft(name: string, filter: object): Promise<(number | null)[]> {
  const rows = await house.mongo.db.collection<{ _id: string; endsOn?: Date }>(name).find(filter).toArray();
  return rows
    .map(({ endsOn: ends }) => ends && Math.round((ends.getTime() - CLOCK.real.now()) / DAY_MS))
    .map((days) => days ?? null);
}

const days = (ms: number): number => ms / DAY_MS;

test('[S55] rows of growing collections have a date on which the database deletes them', async () => {
  const pruned = COLLECTIONS.filter(({ indexes }) => indexes.some((index) => 'expireAfterSeconds' in index));
  const names = pruned.map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining(['quotes', 'attempts', 'offer_history', 'alarms', 'claims', 'events']));
  expect(names).not.toContain('deliveries');
  for (const name of names) {
    const indexes = await house.mongo.db.collection(name).indexes();
    expect([name, indexes.filter(({ expireAfterSeconds }) => expireAfterSeconds === 0)]).toMatchObject([
      name,
      [{ key: { endsOn: 1 } }],
    ]);
  }
});

test('[S55] a quote is deleted after its time', async () => {
  const quote = aQuote();
  await house.quotes.add(quote);
  expect(await daysLeft('quotes', { _id: quote.id })).toEqual([days(retention.quotesMs)]);
  expect(await house.quotes.get(quote.id, quote.vendorId, quote.liveMode)).toStrictEqual(quote);
});

test('[S55] the lines of a delivery are deleted after their time', async () => {
  const birth = aBirth();
  const { id, vendorId, liveMode } = birth.after;
  const polylines = ['_izlhA~rlgdF_{geC~ywl@'];
  await house.commit(withEffects(birth, [{ kind: 'keep_polylines', deliveryId: id, vendorId, liveMode, polylines }]));
  expect(await daysLeft('polylines', { _id: id })).toEqual([days(retention.polylinesMs)]);
  expect(await house.polylines.list(id)).toEqual(polylines);
  expect(await house.polylines.list(newId('del'))).toEqual([]);
});

test('[S55] the claims of a create are deleted after their time, but the claim on a phone never is', async () => {
  const claim: Claim = { fact: `external:${newId('ven')}:test:7`, holder: newId('del') };
  await house.commit(aBirth({}, [claim]));
  expect(await daysLeft('claims', { _id: claim.fact })).toEqual([days(retention.claimsMs)]);
  expect(await house.claims.find(claim.fact)).toStrictEqual(claim);
  const courier = aCourier();
  await house.couriers.add(courier, null);
  expect(await daysLeft('claims', { holder: courier.id })).toEqual([null]);
});

test('[S55] closed offers and cleared alarms are deleted after their time, and open ones never are', async () => {
  const delivery = await storeDelivery(house);
  const courier = aCourier();
  await house.couriers.add(courier, null);
  const offer = anOffer({ deliveryId: delivery.id, courierId: courier.id });
  expect(await house.offers.open(offer)).toBe(true);
  expect(await daysLeft('offers', { _id: offer.id })).toEqual([null]);
  const closed = await house.offers.close(offer.id, 'declined', null, NOON + 1);
  expect(await daysLeft('offer_history', { _id: offer.id })).toEqual([days(retention.offersMs)]);
  expect(await house.offers.find(offer.id)).toStrictEqual(closed);

  const about = { deliveryId: delivery.id, courierId: null, cell: '87', since: NOON, clearedAt: null, detail: '' };
  const alarm = { id: newId('alm'), kind: 'late', ...about } as const;
  await house.alarms.raise(alarm);
  expect(await daysLeft('alarms', { deliveryId: delivery.id })).toEqual([null]);
  const [cleared] = await house.alarms.clear(delivery.id);
  expect(cleared).toStrictEqual({ ...alarm, clearedAt: expect.any(Number) as number });
  expect(await daysLeft('alarms', { deliveryId: delivery.id })).toEqual([days(retention.alarmsMs)]);
  await house.alarms.raise(alarm);
  expect(await daysLeft('alarms', { deliveryId: delivery.id })).toEqual([null]);
});

test('[S55] a webhook attempt is deleted some time after its last try, and never while it is due', async () => {
  const store = createWebhookStore(house.mongo, Buffer.alloc(32, 7), CLOCK, SETTINGS, house.audit);
  const vendorId = newId('ven');
  const registration = {
    id: newId('whk'),
    vendorId,
    liveMode: false,
    url: 'https://example.com',
    events: ['*'],
    description: null,
    ordering: 'best_effort' as const,
    createdAt: NOON,
  };
  await store.register(registration, 'whsec_x', 20);
  await storeDelivery(house, { vendorId });
  while ((await store.fanOut(100)).events > 0);
  const registrationId = registration.id;
  const asked = { now: CLOCK.now(), leaseMs: 60_000, limit: 5 };
  const [attempt] = (await store.claimDue(registrationId, asked)).attempts;
  if (attempt === undefined) throw new Error('an attempt is due');
  const outcome = { at: NOON, status: 500, tookMs: 1, error: 'answered 500', response: '' };
  await store.record(attempt.lease, outcome, NOON);
  expect(await daysLeft('attempts', { registrationId })).toEqual([null]);
  await store.record(attempt.lease, { ...outcome, status: 200, error: null }, null);
  expect(await daysLeft('attempts', { registrationId })).toEqual([days(retention.attemptsMs)]);
});

test('[S55] the events of a delivery are deleted some time after its end, and never while it is open', async () => {
  const delivery = await storeDelivery(house);
  const changed = aChange(delivery, { fee: 1 });
  await house.commit(changed);
  const ofIt = { delivery_id: delivery.id };
  expect(await daysLeft('events', ofIt)).toEqual([null, null]);
  expect((await house.commit(aChange(changed.after, { state: 'canceled' }, 'canceled'))).ok).toBe(true);
  const left = days(retention.eventsMs);
  expect(await daysLeft('events', ofIt)).toEqual([left, left, left]);
  for (const event of await house.eventLog.list(delivery.id, 0, 10)) expect(event).not.toHaveProperty('endsOn');
  const { _id } = (await house.mongo.collection(DELIVERIES).findOne({ _id: delivery.id })) ?? {};
  expect(_id).toBe(delivery.id);
});

test('[S55] a span lasts as long as its setting says, in machine time and in service time', () => {
  const real = { ...CLOCK.real, now: () => NOON };
  const msLeft = (scale: number): number => endsOn({ real, scale }, DAY_MS).getTime() - NOON;
  expect([0.1, 0.5, 1, 60].map(msLeft)).toEqual([10 * DAY_MS, 2 * DAY_MS, DAY_MS, DAY_MS]);
});

test('[S55] a follower of the log sees an event of an ended delivery as it was committed', async () => {
  const heard: unknown[] = [];
  const stop = await house.eventLog.follow(
    (event) => heard.push(event),
    () => undefined,
  );
  const delivery = await storeDelivery(house);
  const end = aChange(delivery, { state: 'canceled' }, 'canceled');
  await house.commit(end);
  await until(() => heard.some((event) => (event as { id: string }).id === end.events[0]?.id));
  stop();
  expect(heard.at(-1)).toStrictEqual(end.events[0]);
});
