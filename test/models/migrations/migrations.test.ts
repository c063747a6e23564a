import fc from 'fast-check';
import { beforeEach, expect, test } from 'vitest';
import type { DeliveryId } from '../../../src/domain/ids.ts';
import { COLLECTIONS } from '../../../src/models/collections.ts';
import { isTerminal } from '../../../src/domain/deliveries/lifecycle.ts';
import { deliveryRow } from '../../../src/models/deliveries/delivery-rows.ts';
import { createFills } from '../../../src/models/migrations/fill.ts';
import type { AnyRow } from '../../../src/models/migrations/migration.ts';
import type { DeliveryFilter } from '../../../src/ports/deliveries.ts';
import { MIGRATIONS } from '../../../src/models/migrations/migrations.ts';
import { fingerprint, openHouse, SETTINGS } from '../../engines/mongo-house.ts';
import { HOUR_MS, movedClock, oldRows, prepare, storeSample } from './sample.ts';
import { ODD } from '../../odd-rows.ts';
import { DELIVERIES } from '../../../src/models/deliveries/delivery-shape.ts';

const house = await openHouse('migrations');
const { mongo } = house;
const clock = movedClock();
const { retention } = SETTINGS;
const fills = createFills({ mongo, clock, settings: SETTINGS });
const rowsOf = (name: string): Promise<AnyRow[]> => mongo.db.collection<AnyRow>(name).find().sort({ _id: 1 }).toArray();
/** Runs every pass that is due, and returns how many rows changed. */
const work = async (): Promise<number> => (await fills.work(() => true)).reduce((sum, { rows }) => sum + rows, 0);

/** Near enough, because the test itself takes some time. */
const about = (ms: number): object => expect.closeTo(ms, -5);

beforeEach(async () => {
  await storeSample(mongo);
  await prepare(mongo);
});

/** In how many ms the row expires; null if it stays. */
function msLeft({ endsOn }: AnyRow): number | null {
  return endsOn === undefined ? null : (endsOn as Date).getTime() - clock.real.now();
}

// One row per line: this is a table.
// oxfmt-ignore
const DATED: readonly { name: string; keptMs: number; isClosed: (row: AnyRow) => boolean }[] = [
  { name: 'quotes',        keptMs: retention.quotesMs,   isClosed: () => true },
  { name: 'offer_history', keptMs: retention.offersMs,   isClosed: () => true },
  { name: 'alarms',        keptMs: retention.alarmsMs,   isClosed: (row) => row['clearedAt'] !== null },
  { name: 'attempts',      keptMs: retention.attemptsMs, isClosed: (row) => row['state'] !== 'due' },
  { name: 'claims',        keptMs: retention.claimsMs,   isClosed: (row) => String(row['holder']).startsWith('del_') },
  { name: 'events',        keptMs: retention.eventsMs,   isClosed: (row) => oldRows('deliveries').some(({ _id, state }) => _id === row['delivery_id'] && state !== 'searching') },
];

test.each(DATED)('[S70] old closed rows of $name get their date, and open rows do not', async ({ name, ...rule }) => {
  await work();
  const rows = await rowsOf(name);
  expect(rows.length).toBe(oldRows(name).length);
  for (const row of rows) {
    const left = msLeft(row);
    if (!rule.isClosed(row)) expect(left).toBeNull();
    else expect((left ?? 0) / rule.keptMs).toBeGreaterThan(0.999);
    expect((left ?? 0) / rule.keptMs).toBeLessThanOrEqual(1.1);
  }
  expect(rows.filter(rule.isClosed).length).toBeGreaterThan(0);
});

test('[S70] rows that are dated together end at different times, but the events of one delivery end together', async () => {
  const quotes = Array.from({ length: 100 }, (_, index) => ({ ...oldRows('quotes')[0], _id: `quote ${index}` }));
  await mongo.db.collection<AnyRow>('quotes').insertMany(quotes, ODD);
  await work();
  const hours = new Set((await rowsOf('quotes')).map((row) => Math.floor((msLeft(row) ?? 0) / HOUR_MS)));
  expect(hours.size).toBeGreaterThan(10);
  const events = await rowsOf('events');
  const done = oldRows('deliveries').find(({ state }) => state === 'delivered')?._id;
  const ends = events.filter((row) => row['delivery_id'] === done).map(msLeft);
  expect(ends.length).toBeGreaterThan(5);
  expect(ends).toEqual(ends.map(() => about(ends[0] ?? 0)));
});

test('[S71] an old delivery reads the same before and after its migration, and searches find it afterwards', async () => {
  const id = oldRows('deliveries').find(({ state }) => state === 'searching')?._id as DeliveryId;
  const before = await house.deliveries.get(id);
  expect(before).toMatchObject({
    searchLimitMs: expect.any(Number) as number,
    links: [{ stop: expect.any(Number) as number }],
  });
  const found = async () =>
    (await house.deliveries.list({ search: before.externalId ?? '' }, { limit: 5, after: null })).items;
  expect(await found()).toEqual([]);
  expect((await house.deliveries.listDue('search', 10)).map(({ delivery }) => delivery)).toContainEqual(before);
  await work();
  expect(await house.deliveries.get(id)).toStrictEqual(before);
  expect(await found()).toStrictEqual([before]);
});

test('[D169] a search by name finds an older delivery after its migration', async () => {
  await work();
  const [row] = await mongo.collection(DELIVERIES).find().toArray();
  if (row === undefined) throw new Error('the sample has deliveries');
  const [word = ''] = row.dropOffs[0]?.contact?.name.split(' ') ?? [];
  const found = async () =>
    (await house.deliveries.list({ search: word }, { limit: 5, after: null })).items.map(({ id }) => id);
  expect(await found()).toContain(row.id);
  // As the release before stored it: without the words.
  const terms = row.terms.filter((term) => !term.includes(':word:'));
  await mongo.db.collection<AnyRow>('deliveries').updateOne({ _id: row._id }, { $set: { terms } });
  expect(await found()).not.toContain(row.id);
  clock.advance(HOUR_MS);
  await work();
  expect(await found()).toContain(row.id);
  expect(await mongo.collection(DELIVERIES).findOne({ _id: row._id })).toStrictEqual(row);
});

test('[H489] an older delivery is found by the id of its order after its migration', async () => {
  await work();
  const [row] = await mongo.collection(DELIVERIES).find().toArray();
  if (row === undefined) throw new Error('the sample has deliveries');
  const ofOrder = deliveryRow({ ...(await house.deliveries.get(row.id)), orderId: 'A-1042' }, SETTINGS);
  const found = async (filter: DeliveryFilter) =>
    (await house.deliveries.list(filter, { limit: 5, after: null })).items.map(({ id }) => id);
  // As the release before stored it: without the term.
  const terms = ofOrder.terms.filter((term) => !term.endsWith(':id:A-1042'));
  await mongo.db.collection<AnyRow>('deliveries').updateOne({ _id: row._id }, { $set: { terms, orderId: 'A-1042' } });
  for (const filter of [{ orderId: 'A-1042' }, { search: 'A-1042' }]) expect(await found(filter)).toEqual([]);
  clock.advance(HOUR_MS);
  await work();
  for (const filter of [{ orderId: 'A-1042' }, { search: 'A-1042' }]) expect(await found(filter)).toEqual([row.id]);
  expect((await mongo.collection(DELIVERIES).findOne({ _id: row._id }))?.terms).toStrictEqual(ofOrder.terms);
});

test('[D216] older deliveries and couriers are found by words without ß after their migration', async () => {
  await work();
  const [row] = await mongo.collection(DELIVERIES).find().toArray();
  const [courier] = await rowsOf('couriers');
  if (row === undefined || courier === undefined) throw new Error('the sample has deliveries and couriers');
  const { vendorId } = row;
  const dropOffs = row.dropOffs.map((stop) => ({ ...stop, address: 'Große Straße' }));
  const { terms } = deliveryRow({ ...(await house.deliveries.get(row.id)), dropOffs }, SETTINGS);
  const find = async () =>
    (await house.deliveries.list({ search: 'strasse', vendorId }, { limit: 5, after: null })).items.map(({ id }) => id);
  // As the release before stored them.
  const old = (words: readonly string[]) => words.map((word) => word.replace('strasse', 'straße'));
  const stored = mongo.db.collection<AnyRow>('deliveries');
  await stored.updateOne({ _id: row._id }, { $set: { terms: old(terms), dropOffs } });
  const named = { name: 'Ada Weiß', terms: ['word:ada', 'word:weiß'] };
  await mongo.db.collection<AnyRow>('couriers').updateOne({ _id: courier._id }, { $set: named });
  expect(await find()).toEqual([]);
  clock.advance(HOUR_MS);
  await work();
  expect(await find()).toEqual([row.id]);
  expect((await mongo.collection(DELIVERIES).findOne({ _id: row._id }))?.terms).toStrictEqual(terms);
  const after = (await rowsOf('couriers')).find(({ _id }) => _id === courier._id);
  expect(after?.['terms']).toEqual(expect.arrayContaining(['word:ada', 'word:weiss']));
});

test('[S71] a migrated delivery is stored as a new one would be', async () => {
  await work();
  const rows = await mongo.collection(DELIVERIES).find().toArray();
  expect(rows.length).toBe(4);
  for (const row of rows) {
    const delivery = await house.deliveries.get(row.id);
    expect(row).toStrictEqual(deliveryRow(delivery, SETTINGS));
    expect('forget' in row.dues).toBe(isTerminal(row.state));
  }
});

test('[S71] staff, sessions and attempts of version 0 get the fields that reads assumed', async () => {
  await work();
  const most = expect.closeTo(clock.real.now() + SETTINGS.auth.refreshMostS * 1000, -5) as number;
  expect((await rowsOf('staff')).map(({ resets }) => resets)).toEqual([0]);
  expect((await rowsOf('sessions')).map(({ mostOn }) => (mostOn as Date).getTime())).toEqual([most, most]);
  const claims = (await rowsOf('attempts')).map((row) => [row._id, row['claims']] as const);
  expect(new Map(claims)).toEqual(new Map(oldRows('attempts').map((row) => [row._id, row['number']] as const)));
});

test('[S96] a migration that runs again changes nothing, whichever rows are old', async () => {
  const stored = COLLECTIONS.map(({ name }) => name).filter((name) => name !== 'settings');
  const digest = async () => {
    const all = (await fingerprint(house)) as Record<string, string>;
    return stored.map((name) => [name, all[name]]);
  };
  // `isOld` says in turn which rows an older release has written.
  await fc.assert(
    fc.asyncProperty(fc.array(fc.boolean(), { minLength: 1, maxLength: 4 }), async (isOld) => {
      await storeSample(mongo);
      await prepare(mongo);
      expect(await work()).toBeGreaterThan(0);
      for (const name of stored) {
        for (const [index, row] of oldRows(name).entries()) {
          if (isOld[index % isOld.length])
            await mongo.db.collection<AnyRow>(name).replaceOne({ _id: row._id }, row, ODD);
        }
      }
      clock.advance(HOUR_MS);
      expect((await work()) > 0).toBe(isOld.some(Boolean));
      const once = await digest();
      await mongo.db.collection('settings').deleteMany({});
      await prepare(mongo);
      expect(await work()).toBe(0);
      expect(await digest()).toEqual(once);
    }),
    { numRuns: 6 },
  );
});

test('[S90] the indexes of a migration are named as the collections name them', () => {
  const nameOf = (key: object): string =>
    Object.entries(key)
      .map(([field, order]) => `${field}_${order}`)
      .join('_');
  const wanted = COLLECTIONS.flatMap(({ name, indexes }) => indexes.map(({ key }) => `${name} ${nameOf(key)}`));
  const named = (list: 'replaces' | 'drops'): string[] =>
    MIGRATIONS.flatMap((one) => one[list].map(({ name, index }) => `${name} ${index}`));
  expect(named('replaces').filter((one) => !wanted.includes(one))).toEqual([]);
  expect(named('drops').filter((one) => wanted.includes(one))).toEqual([]);
  expect(MIGRATIONS.every(({ name }) => /^[a-z]\w*$/.test(name))).toBe(true);
});

test('[D187] old couriers get their search words, and words that were written meanwhile stay', async () => {
  const [first] = oldRows('couriers');
  await mongo.db.collection<AnyRow>('couriers').updateOne({ _id: first?._id ?? '' }, { $set: { terms: ['word:new'] } });
  await work();
  const rows = await rowsOf('couriers');
  expect(rows.length).toBe(oldRows('couriers').length);
  for (const { _id, terms } of rows) {
    if (_id === first?._id) expect(terms).toEqual(['word:new']);
    else
      expect(terms).toEqual(expect.arrayContaining([expect.stringMatching(/^word:/), expect.stringMatching(/^tel:/)]));
  }
  expect(rows.length).toBeGreaterThan(1);
});
