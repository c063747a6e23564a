import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import {
  BAND_NAMES,
  bandOf,
  fadeOver,
  HALF_LIFE_MS,
  type AcceptanceRecord,
  type Band,
} from '../../../src/domain/offers/acceptance.ts';
import { newId, type CourierId } from '../../../src/domain/ids.ts';
import type { Offer } from '../../../src/domain/offers/offer.ts';
import { createAcceptanceStore } from '../../../src/models/learning/acceptance-store.ts';
import { anOffer, NOON } from '../../builders.ts';
import { handClock } from '../../clock.ts';
import { until } from '../../until.ts';
import { openHouse } from '../../engines/mongo-house.ts';
import { ACCEPTANCE } from '../../../src/models/learning/learning-shapes.ts';

const house = await openHouse('acceptance');
// A test makes hundreds of writes one after the other, and a busy disk may take a second for each.
vi.setConfig({ testTimeout: 300_000 });
// The database deletes expired rows by its own time.
const clock = handClock(Date.now());
/** The store of another process, with its own memory. */
const storeOf = () => createAcceptanceStore(house.mongo, clock);

function answered(courierId: CourierId, isYes: boolean, over: Partial<Offer> = {}): Offer {
  return anOffer({ courierId, state: isYes ? 'accepted' : 'declined', closedAt: NOON, deliveredAt: NOON, ...over });
}

/** The record of one courier, as a process with an empty memory reads it. */
async function stored(id: CourierId): Promise<AcceptanceRecord | null> {
  return (await storeOf().estimates([id])).get(id) ?? null;
}

const askedOf = (record: AcceptanceRecord | null): number =>
  BAND_NAMES.reduce((sum, band) => sum + (record?.bands[band]?.asked ?? 0), 0);

/** The same record, computed in a simple way. */
function plain(offers: readonly Offer[]): Record<Band, { asked: number; accepted: number }> {
  const at = Math.max(...offers.map(({ closedAt }) => closedAt ?? 0));
  const sumOf = (band: Band, isCounted: (offer: Offer) => boolean): number =>
    offers
      .filter((offer) => bandOf(offer.distanceM ?? 0) === band && isCounted(offer))
      .reduce((sum, { closedAt }) => sum + fadeOver(at - (closedAt ?? 0)), 0);
  const tallies = BAND_NAMES.map((band) => {
    return [band, { asked: sumOf(band, () => true), accepted: sumOf(band, ({ state }) => state === 'accepted') }];
  });
  return Object.fromEntries(tallies) as ReturnType<typeof plain>;
}

test('[O23] a stored record equals a simple one of the same answers, in whatever order they come', async () => {
  const answer = fc.record({
    isYes: fc.boolean(),
    distanceM: fc.integer({ min: 0, max: 12_000 }),
    closedAt: fc.integer({ min: NOON - 4 * HALF_LIFE_MS, max: NOON }),
  });
  const property = fc.asyncProperty(fc.array(answer, { minLength: 1, maxLength: 12 }), async (answers) => {
    const courierId = newId('cou');
    const offers = answers.map(({ isYes, ...over }) => answered(courierId, isYes, over));
    const writer = storeOf();
    for (const offer of offers) writer.record(offer);
    const told = plain(offers);
    const wanted = BAND_NAMES.reduce((sum, band) => sum + told[band].asked, 0);
    await until(async () => Math.abs(askedOf(await stored(courierId)) - wanted) < 1e-9);
    const found = await stored(courierId);
    expect(found?.at).toBe(Math.max(...offers.map(({ closedAt }) => closedAt ?? 0)));
    for (const band of BAND_NAMES) {
      expect(found?.bands[band]?.asked).toBeCloseTo(told[band].asked, 9);
      expect(found?.bands[band]?.accepted).toBeCloseTo(told[band].accepted, 9);
    }
  });
  await fc.assert(property, { numRuns: 60 });
});

test('[O23] concurrent writers lose no answer, not even the first of a courier', async () => {
  const courierId = newId('cou');
  const processes = Array.from({ length: 10 }, storeOf);
  for (const store of processes) for (let i = 0; i < 5; i += 1) store.record(answered(courierId, i < 4));
  await until(async () => askedOf(await stored(courierId)) === 50);
  expect((await stored(courierId))?.bands.km_1_3).toEqual({ asked: 50, accepted: 40 });
});

test('[O23] an offer counts once, however often and by however many processes it is reported', async () => {
  const courierId = newId('cou');
  const offer = answered(courierId, true);
  const last = answered(courierId, false);
  const processes = Array.from({ length: 6 }, storeOf);
  for (const store of processes) for (let i = 0; i < 3; i += 1) store.record(offer);
  for (const store of processes) store.record(last);
  // Each process writes its answers in order. Once the marker is stored, all earlier answers have been handled.
  const marker = newId('cou');
  for (const store of processes) store.record(answered(marker, true));
  await until(async () => askedOf(await stored(marker)) === processes.length);
  expect((await stored(courierId))?.bands.km_1_3).toEqual({ asked: 2, accepted: 1 });
});

test('[O23] a row remembers few offers, and is deleted if nothing is added to it', async () => {
  const courierId = newId('cou');
  const writer = storeOf();
  for (let i = 0; i < 30; i += 1) writer.record(answered(courierId, true));
  await until(async () => askedOf(await stored(courierId)) === 30);
  const rows = house.mongo.collection(ACCEPTANCE);
  const row = await rows.findOne({ _id: courierId });
  expect(row?.recent).toHaveLength(8);
  expect(row?.endsOn.getTime()).toBe(clock.real.now() + 10 * HALF_LIFE_MS);
  const indexes = await rows.indexes();
  expect(indexes).toContainEqual(expect.objectContaining({ key: { endsOn: 1 }, expireAfterSeconds: 0 }));
});

/** Returns how often the rows were read while `work` ran. */
async function readsDuring(work: () => Promise<unknown>): Promise<number> {
  const { db } = house.mongo;
  // The profile is small and forgets, so each time it starts empty.
  await db.dropCollection('system.profile');
  await db.command({ profile: 2 });
  await work();
  await db.command({ profile: 0 });
  return db.collection('system.profile').countDocuments({ ns: `${db.databaseName}.acceptance`, op: 'query' });
}

test('[O24] the records of thousands of couriers take one read, and then none for a minute', async () => {
  const store = storeOf();
  const known = Array.from({ length: 300 }, () => newId('cou'));
  for (const id of known) store.record(answered(id, true));
  await until(async () => (await storeOf().estimates(known)).size === 300);
  const ids = [...known, ...Array.from({ length: 2700 }, () => newId('cou'))];
  const reader = storeOf();
  let found = await reader.estimates([]);
  expect(await readsDuring(async () => void (found = await reader.estimates(ids)))).toBe(1);
  expect([...found.keys()].toSorted()).toEqual(known.toSorted());
  expect(found.get(known[0] ?? newId('cou'))).toEqual({ at: NOON, bands: expect.any(Object) });
  await clock.advance(59_000);
  expect(await readsDuring(async () => void (found = await reader.estimates(ids)))).toBe(0);
  expect(found.size).toBe(300);
  await clock.advance(1000);
  expect(await readsDuring(async () => void (found = await reader.estimates(ids)))).toBe(1);
  expect(found.size).toBe(300);
  expect(await readsDuring(() => reader.estimates([]))).toBe(0);
});

test('[O24] more couriers than the memory can have are all returned, and those read first are read again', async () => {
  const reader = storeOf();
  const [first, last] = [newId('cou'), newId('cou')];
  const writer = storeOf();
  for (const id of [first, last]) writer.record(answered(id, true));
  await until(async () => (await storeOf().estimates([first, last])).size === 2);
  const crowd = Array.from({ length: 20_000 }, () => newId('cou'));
  const found = await reader.estimates([first, ...crowd, last]);
  expect([...found.keys()]).toEqual(expect.arrayContaining([first, last]));
  expect(await readsDuring(() => reader.estimates([last]))).toBe(0);
  expect(await readsDuring(() => reader.estimates([first]))).toBe(1);
});

test('[O24] a process sees its own writes, also those made during a read', async () => {
  const courierId = newId('cou');
  const store = storeOf();
  for (let count = 1; count <= 20; count += 1) {
    const reading = store.estimates([courierId]);
    store.record(answered(courierId, true));
    await reading;
    await until(async () => askedOf((await store.estimates([courierId])).get(courierId) ?? null) === count);
  }
  expect(askedOf(await stored(courierId))).toBe(20);
});
