import { expect, test } from 'vitest';
import { readRegion, type Memory } from '../../../src/dispatch/regions/read-region.ts';
import { watchOffers } from '../../../src/dispatch/regions/watch-offers.ts';
import { distanceM, offsetBy, regionAndNeighbours } from '../../../src/domain/geo/geo.ts';
import { centerOf } from '../../../src/domain/surge/surge.ts';
import { newId, type DeliveryId } from '../../../src/domain/ids.ts';
import { preparationKeyOf } from '../../../src/domain/learning/preparation.ts';
import { CENTER } from '../../builders.ts';
import { regionOf } from '../../regions.ts';
import { courierAt } from '../region-world.ts';
import { openWorld, storeCourier, storeDelivery, storeOffer } from '../world.ts';

const world = await openWorld('read-region');
const region = regionOf(CENTER);

/** The input of a run if this many couriers count as a crowd, and how it read the assigned deliveries. */
async function read(everybodyUpTo: number, elsewhere: Memory['elsewhere'] = []) {
  const pages: number[] = [];
  const findMany = (ids: readonly DeliveryId[]) => {
    pages.push(ids.length);
    return world.deliveries.findMany(ids);
  };
  const settings = { ...world.settings, dispatch: { ...world.settings.dispatch, everybodyUpTo } };
  const ctx = { ...world, settings, deliveries: { ...world.deliveries, findMany } };
  const memory: Memory = { recent: new Map(), elsewhere, candidates: [] };
  const input = await readRegion(
    ctx,
    region,
    watchOffers(ctx, () => undefined),
    memory,
  );
  return { ids: input.couriers.map(({ courier }) => courier.id).toSorted(), input, pages };
}

test('[O57] a run has all online couriers around, unless they are a crowd: then those in reach', async () => {
  const now = world.clock.now();
  await storeDelivery(world, { searchFromAt: now, searchUntilAt: now + 900_000, region });
  const near = await courierAt(world, offsetBy(CENTER, 300, 0));
  // In the next region, and too far away for any offer.
  const farthest = regionAndNeighbours(region)
    .map((cell) => centerOf(cell))
    .toSorted((a, b) => distanceM(b, CENTER) - distanceM(a, CENTER))[0]!;
  expect(distanceM(farthest, CENTER)).toBeGreaterThan(world.settings.dispatch.maxPickupDistanceM);
  const far = await courierAt(world, farthest);
  await courierAt(world, offsetBy(CENTER, 0, 200), { availability: 'offline' });
  await storeCourier(world);
  expect((await read(3)).ids).toEqual([near.id, far.id].toSorted());
  expect((await read(2)).ids).toEqual([near.id]);
});

test('[O60] the deliveries of couriers are read in pages', async () => {
  const now = world.clock.now();
  const held = Array.from({ length: 450 }, () => newId('del'));
  await Promise.all(held.map((id) => courierAt(world, offsetBy(CENTER, 400, 0), { active: [id] })));
  await storeDelivery(world, { searchFromAt: now, searchUntilAt: now + 900_000, region });
  const { input, pages } = await read(2000);
  expect(input.couriers.filter(({ courier }) => courier.active.length > 0)).toHaveLength(450);
  expect(Math.max(...pages)).toBeLessThanOrEqual(200);
  expect(pages.reduce((sum, page) => sum + page, 0)).toBe(450);
});

test('[O71] deliveries that couriers are on the way to, and recent orders, have the learned ready time', async () => {
  const now = world.clock.now();
  const search = { searchFromAt: now, searchUntilAt: now + 900_000, region, times: { createdAt: now } };
  const searched = await storeDelivery(world, search);
  const held = await storeDelivery(world, { ...search, state: 'assigned', vendorId: searched.vendorId });
  await courierAt(world, offsetBy(CENTER, 300, 0), { active: [held.id] });
  const sample = { ...preparationKeyOf(searched), ms: 1_200_000, isBound: false };
  const { quantile, memory } = world.settings.preparation;
  for (let count = 0; count < 20; count += 1) await world.preparation.record([sample], { quantile, memory });
  const { input } = await read(2000);
  const [entry] = input.couriers.filter(({ assigned: own }) => own.some(({ id }) => id === held.id));
  const estimatedAt = input.readyAt(searched);
  expect(estimatedAt - now).toBeGreaterThan(900_000);
  expect(input.readyAt(entry!.assigned[0]!)).toBe(estimatedAt);
  expect(input.isEstimate(entry!.assigned[0]!)).toBe(true);
  expect(input.recent.find(({ delivery }) => delivery.id === searched.id)?.readyAt).toBe(estimatedAt);
});

test('[O68] a run no longer counts an offer of another region that the courier has answered', async () => {
  const now = world.clock.now();
  const offers = await Promise.all(
    [1, 2].map(async () => {
      const delivery = await storeDelivery(world, { searchFromAt: now, searchUntilAt: now + 900_000 });
      return storeOffer(world, delivery, await storeCourier(world), { region: 'elsewhere' });
    }),
  );
  const [answered, open] = offers;
  await world.offers.close(answered!.id, 'declined', null, now);
  const { input } = await read(2000, offers);
  expect(input.openOffers.filter((one) => one.region === 'elsewhere')).toMatchObject([{ id: open!.id }]);
});
