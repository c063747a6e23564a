import { aRating } from '../../models/analytics-rows.ts';
import { expect, test } from 'vitest';
import { countAgain } from '../../../src/dispatch/analytics/count-facts.ts';
import { rebuildRollUps } from '../../../src/dispatch/analytics/rebuild-roll-ups.ts';
import type { Delivery } from '../../../src/domain/deliveries/delivery.ts';
import { newId } from '../../../src/domain/ids.ts';
import { Refusal } from '../../../src/domain/refusals/refusals.ts';
import { ROLL_UPS } from '../../../src/models/analytics/roll-up-shapes.ts';
import { aCourier } from '../../builders.ts';
import { CLOCK } from '../../engines/mongo-house.ts';
import { count, end, of, openCounting, refund, storeOpen } from './house.ts';
import { AUDIT } from '../../../src/models/audit-shapes.ts';
import { anEntry, anUnfitEntry, UNFIT } from '../../models/audit/an-entry.ts';

const counting = await openCounting('rebuild');
const { house, ctx, fold, sums } = counting;
const courier = aCourier();
const again = (ended: Parameters<typeof countAgain>[1]) => countAgain(ctx, ended);

/** Each letter is a step of the rebuild: `f` folds after it what has ended, `-` leaves it due. */
test.each(['fffffffffffffff', 'f--f--f--f--f--'])(
  '[N14] a rebuild counts everything once while deliveries end before and behind its mark (%s)',
  async (folds) => {
    const [vendorId, own] = [newId('ven'), aCourier()];
    const stored = await Promise.all(Array.from({ length: 30 }, () => storeOpen(counting, own, vendorId)));
    const open = stored.toSorted((a, b) => (a.id < b.id ? -1 : 1));
    const finish = async (one: Delivery | undefined): Promise<void> => {
      if (one === undefined) return;
      open.splice(open.indexOf(one), 1);
      await end(counting, one);
    };
    for (const delivery of open.filter((_one, at) => at % 3 === 0)) await finish(delivery);
    await fold();
    const rated = aRating({ deliveryId: stored[3]?.id ?? newId('del'), vendorId, courierId: own.id, liveMode: false });
    await house.ratings.put(rated);
    await fold();
    const generation = await house.rebuild.begin(anEntry());
    for (let step = 0; (await house.rebuild.next(generation, 3, again)) > 0; step += 1) {
      const mark = (await house.mongo.db.collection('settings').findOne({ _id: 'analytics' } as never))?.['building']
        .after;
      // One behind the mark, and the next one before it.
      await finish(open.find(({ id }) => id < mark));
      await finish(open.find(({ id }) => id > mark));
      if (step === 1) await house.ratings.put({ ...rated, stars: 1 });
      if (folds[step] === 'f') await fold();
    }
    await fold();
    expect(open.length).toBeLessThan(20);
    expect(count(await sums('endings', of(vendorId)), 'delivered')).toBe(30 - open.length);
    expect(await sums('courier', own.id)).toMatchObject({ delivered: 30 - open.length, rated: 1, stars: 1 });
    for (const left of open) await end(counting, left);
    await fold();
    expect(count(await sums('endings', of(vendorId)), 'delivered')).toBe(30);
  },
);

test('[N14] a rebuild keeps offers and releases, deletes the rows before it and counts nothing twice', async () => {
  await house.rollUps.fold({ events: [], offers: [], ratings: [] }, [
    {
      deliveryId: null,
      key: { subject: 'conduct', scope: courier.id, date: '2026-01-05', part: '' },
      sums: { shown: 3 },
    },
  ]);
  const before = { endings: await sums('endings', of(null)), conduct: await sums('conduct', courier.id) };
  const counts: number[] = [];
  const clock = { ...CLOCK, real: { ...CLOCK.real, sleep: async () => undefined } };
  const done = await rebuildRollUps({ ...ctx, clock }, (deliveries) => counts.push(deliveries));
  expect(done.deliveries).toBe(counts.at(-1));
  expect(done.deletedRows).toBeGreaterThan(0);
  expect({ endings: await sums('endings', of(null)), conduct: await sums('conduct', courier.id) }).toEqual(before);
  const generations = await house.mongo.collection(ROLL_UPS).distinct('generation');
  expect(generations).toHaveLength(2);
});

test('[N14] a second rebuild stops the first', async () => {
  const first = await house.rebuild.begin(anEntry());
  await house.rebuild.begin(anEntry());
  await expect(house.rebuild.next(first, 10, async () => [])).rejects.toThrow('Another rebuild');
});

test('[N14] a step for which the database is too slow is repeated with fewer deliveries', async () => {
  const sizes: number[] = [];
  const slow = {
    ...house.rebuild,
    next: async (_generation: number, limit: number): Promise<number> => {
      sizes.push(limit);
      if (limit > 100) throw new Refusal('busy');
      return 0;
    },
  };
  const clock = { ...CLOCK, real: { ...CLOCK.real, sleep: async () => undefined } };
  await rebuildRollUps({ ...ctx, clock, rebuild: slow }, () => undefined);
  expect(sizes).toEqual([1500, 750, 375, 187, 93]);
  const never = { ...slow, next: () => Promise.reject(new Refusal('busy')) };
  await expect(rebuildRollUps({ ...ctx, clock, rebuild: never }, () => undefined)).rejects.toThrow(Refusal);
});

test('[A109] a rebuild begins together with its entry, or not at all', async () => {
  const states = () => house.mongo.db.collection('settings').find().toArray();
  const before = await states();
  await expect(house.rebuild.begin(anUnfitEntry())).rejects.toThrow(UNFIT);
  expect(await states()).toEqual(before);
  const entry = anEntry();
  await house.rebuild.begin(entry);
  expect(await house.mongo.collection(AUDIT).countDocuments({ _id: entry.id })).toBe(1);
});

test('[J240] a refund lowers the costs once, whether it is counted before, during or after a rebuild', async () => {
  const vendorId = newId('ven');
  const ended = await Promise.all(
    Array.from({ length: 3 }, async () => end(counting, await storeOpen(counting, courier, vendorId))),
  );
  const [early, due, late] = ended;
  if (early === undefined || due === undefined || late === undefined) throw new Error('three deliveries have ended');
  await fold();
  const spent = async () => [
    count(await sums('endings', of(vendorId)), 'charged'),
    count(await sums('places', of(vendorId)), 'charged'),
  ];
  expect(await spent()).toEqual([1350, 1350]);
  await refund(counting, early, 100);
  await Promise.all([fold(), fold()]);
  expect(await spent()).toEqual([1250, 1250]);
  await refund(counting, due, 20);
  const generation = await house.rebuild.begin(anEntry());
  while ((await house.rebuild.next(generation, 2, again)) > 0);
  expect(await spent()).toEqual([1250, 1250]);
  await refund(counting, late, 3);
  await fold();
  expect(await spent()).toEqual([1227, 1227]);
  await rebuildRollUps({ ...ctx, clock: CLOCK }, () => undefined);
  expect(await spent()).toEqual([1227, 1227]);
});
