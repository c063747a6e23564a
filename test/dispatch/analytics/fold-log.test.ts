import { aRating } from '../../models/analytics-rows.ts';
import { expect, test } from 'vitest';
import { startFolding } from '../../../src/dispatch/analytics/fold-log.ts';
import { newId } from '../../../src/domain/ids.ts';
import { aCourier, anOffer, NOON } from '../../builders.ts';
import { aChange, CLOCK, QUIET } from '../../engines/mongo-house.ts';
import { until } from '../../until.ts';
import { count, end, of, openCounting, storeOpen } from './house.ts';

const counting = await openCounting('analytics');
const { house, ctx, fold, sums } = counting;
const courier = aCourier();
/** The lease of the only process. */
const ALWAYS = { tryHold: async () => 1, release: async () => undefined };

test('[N10] the end of a delivery is counted once, however many processes count it at a time', async () => {
  const vendorId = newId('ven');
  const open = await Promise.all(Array.from({ length: 12 }, () => storeOpen(counting, courier, vendorId)));
  for (const delivery of open) await end(counting, delivery);
  await Promise.all([fold(), fold(), fold()]);
  await fold();
  expect(await sums('endings', of(vendorId))).toMatchObject({ delivered: 12, charged: 12 * 450, transit_n: 12 });
  expect(await sums('endings', of(null))).toMatchObject({ delivered: 12 });
});

test('[N10] a fold that ends before its transaction leaves everything due', async () => {
  const vendorId = newId('ven');
  await end(counting, await storeOpen(counting, courier, vendorId), 'failed');
  const due = await house.rollUps.listDue(100);
  const key = { subject: 'endings', scope: of(vendorId), date: '2026-01-05', part: '' } as const;
  const broken = [{ deliveryId: null, key, sums: { 'a.b': Number.NaN, '': 1 } }];
  await expect(house.rollUps.fold(due, broken)).rejects.toThrow();
  expect(await house.rollUps.listDue(100)).toEqual(due);
  await fold();
  expect(await sums('endings', of(vendorId))).toMatchObject({ failed: 1 });
});

test('[N10] a fold whose facts another process has counted writes nothing', async () => {
  const vendorId = newId('ven');
  await end(counting, await storeOpen(counting, courier, vendorId), 'canceled');
  const due = await house.rollUps.listDue(100);
  await fold();
  const key = { subject: 'endings', scope: of(vendorId), date: '2026-01-05', part: '' } as const;
  await house.rollUps.fold(due, [{ deliveryId: null, key, sums: { canceled: 1 } }]);
  expect(await sums('endings', of(vendorId))).toMatchObject({ canceled: 1 });
});

test('[N11] a process with the lease counts what ends, soon after it ended', async () => {
  const vendorId = newId('ven');
  const folding = startFolding({ ...ctx, clock: CLOCK, log: QUIET, leases: ALWAYS });
  await end(counting, await storeOpen(counting, courier, vendorId));
  await until(async () => count(await sums('endings', of(vendorId)), 'delivered') > 0);
  await folding.stop();
  expect(await sums('endings', of(vendorId))).toMatchObject({ delivered: 1 });
});

test('[N12] closed offers and releases count for their courier', async () => {
  const { id } = aCourier();
  const open = { courierId: id, deliveryId: newId('del'), deliveredAt: NOON };
  for (const state of ['declined', 'expired', 'declined'] as const) {
    const offer = anOffer(open);
    await house.mongo.db.collection<{ _id: string }>('offers').insertOne({ _id: offer.id, ...offer } as never);
    await house.offers.close(offer.id, state, null, NOON);
  }
  const held = await storeOpen(counting, aCourier({ id }), newId('ven'));
  const released = aChange(held, { state: 'searching' }, 'courier.unassigned');
  await house.commit(released);
  await Promise.all([fold(), fold()]);
  await fold();
  expect(await sums('conduct', id)).toEqual({ shown: 3, declined: 2, expired: 1, released: 1 });
});

test('[N13] a rating counts once, and a change of it counts the difference', async () => {
  const [vendorId, own] = [newId('ven'), aCourier()];
  const delivery = await end(counting, await storeOpen(counting, own, vendorId));
  const rating = aRating({ deliveryId: delivery.id, vendorId, courierId: own.id, liveMode: false });
  await house.ratings.put(rating);
  await Promise.all([fold(), fold()]);
  await fold();
  expect(await sums('courier', own.id)).toMatchObject({ rated: 1, stars: 5, comments: 1 });
  await house.ratings.put({ ...rating, stars: 2, comment: null });
  await fold();
  expect(await sums('courier', own.id)).toMatchObject({ rated: 1, stars: 2, comments: 0, delivered: 1 });
});
