import { beforeEach, expect, test } from 'vitest';
import { pickUp } from '../../../src/dispatch/deliveries/advance-delivery.ts';
import { delayPickup } from '../../../src/dispatch/deliveries/delay-pickup.ts';
import { estimatePreparation } from '../../../src/dispatch/learning/estimate-preparation.ts';
import { startLearning } from '../../../src/dispatch/learning/learn-preparation.ts';
import { startRegions } from '../../../src/dispatch/regions/run-region.ts';
import type { Delivery } from '../../../src/domain/deliveries/delivery.ts';
import { newId, type VendorId } from '../../../src/domain/ids.ts';
import { preparationKeyOf } from '../../../src/domain/learning/preparation.ts';
import { createMetrics } from '../../../src/metrics.ts';
import type { Metrics } from '../../../src/ports/process.ts';
import { anOffer, aStop } from '../../builders.ts';
import { asCourier, asStaff, asVendor } from '../../callers.ts';
import { until } from '../../until.ts';
import { leaseDesk, pass, passUntil, running, sharedBell, stand } from '../region-world.ts';
import { openWorld, storeCourier, storeDelivery, storeHeld } from '../world.ts';
import { OFFERS } from '../../../src/models/offers/offer-shapes.ts';

const world = await openWorld('learn-preparation');
const MINUTE = 60_000;
let vendorId: VendorId;

beforeEach(() => {
  vendorId = newId('ven');
});

type Given = NonNullable<Parameters<typeof storeHeld>[2]>;

/** An order without a ready time from ten minutes ago. Its courier came five minutes ago and collects it now. */
async function collect(over: Given = {}, by: 'courier' | 'staff' | 'elsewhere' = 'courier'): Promise<Delivery> {
  const now = world.clock.now();
  const times = { createdAt: now - 10 * MINUTE, assignedAt: now - 8 * MINUTE, arrivedPickupAt: now - 5 * MINUTE };
  const { delivery, courier } = await storeHeld(world, 'assigned', { vendorId, ...over, times });
  stand(world, courier.id, delivery.pickup.place);
  const at = { deliveryId: delivery.id, overrideReason: by === 'elsewhere' ? 'collected earlier' : null };
  return pickUp(world, at, by === 'staff' ? asStaff() : asCourier(courier));
}

async function seenOf(delivery: Delivery): Promise<number> {
  const [learned] = await world.preparation.findMany([preparationKeyOf(delivery)]);
  return learned?.vendor?.seen ?? 0;
}

/** Metrics that keep what was timed. */
function keptTimings(): Metrics & { readonly timed: object[] } {
  const timed: object[] = [];
  return { ...world.metrics, timed, observe: (name, seconds, labels) => void timed.push({ name, seconds, ...labels }) };
}

const learning = async (over: Partial<Parameters<typeof startLearning>[0]> = {}) =>
  running(await startLearning({ ...world, leases: leaseDesk(world.clock).of('one'), ...over }));

test('[D76] one process of two learns from a pickup, and the other takes over when the first stops', async () => {
  const desk = leaseDesk(world.clock);
  const first = await learning({ leases: desk.of('one') });
  await learning({ leases: desk.of('two') });
  const collected = await collect();
  await passUntil(world, async () => (await seenOf(collected)) > 0);
  // Gives another process that has heard of it the time to count it too.
  await pass(world, 20_000);
  expect(await seenOf(collected)).toBe(1);
  await first.stop();
  await collect();
  await passUntil(world, async () => (await seenOf(collected)) > 1.5);
});

test('[D76] a pickup does not wait for the learning', async () => {
  const away = { ...world.preparation, record: () => Promise.reject(new Error('away')) };
  const lines = world.log.lines.length;
  await learning({ preparation: away });
  const collected = await collect();
  expect(collected.state).toBe('picked_up');
  await passUntil(world, () => world.log.lines.length > lines);
  expect(world.log.lines.at(-1)).toMatchObject({ level: 'error', fields: { what: 'preparation' } });
});

test('[D71] robo-couriers, staff, couriers elsewhere and orders with a named time give no sample', async () => {
  const window = { readyAt: world.clock.now(), deadlineAt: null };
  await learning();
  await collect({ robo: { timeScale: 1 } });
  await collect({}, 'staff');
  await collect({}, 'elsewhere');
  await collect({ pickup: aStop(0, { window }) });
  const last = await collect();
  await passUntil(world, async () => (await seenOf(last)) > 0);
  await pass(world, 20_000);
  expect(await seenOf(last)).toBe(1);
});

test('[D77] the error of estimate and named time is measured, by its source', async () => {
  const metrics = keptTimings();
  await learning({ metrics });
  const key = preparationKeyOf(await storeDelivery(world, { vendorId, times: { createdAt: world.clock.now() } }));
  await world.preparation.record(
    Array.from({ length: 20 }, () => ({ ...key, hour: (key.hour + 6) % 24, ms: 13 * MINUTE, isBound: false })),
    world.settings.preparation,
  );
  const now = world.clock.now();
  await collect({ pickup: aStop(0, { window: { readyAt: now - 4 * MINUTE, deadlineAt: null } }) });
  await collect();
  await passUntil(world, () => metrics.timed.length >= 2);
  const name = 'prep_error_seconds';
  expect(metrics.timed).toMatchObject([
    { name, seconds: 240, source: 'named', side: 'later' },
    // Twenty pickups of 13 min lie between 13 and 14. The goods took 10.
    { name, source: 'location', side: 'sooner' },
  ]);
  expect((metrics.timed[1] as { seconds: number }).seconds).toBeCloseTo(216, 0);
  const real = createMetrics();
  real.observe(name, 216, { source: 'location', side: 'sooner' });
  expect(await real.text()).toMatch(/prep_error_seconds_bucket\{.*le="300".*\} 1\n/);
});

test('[D72] deliveries with a ready time need no estimate, and all the others need one read', async () => {
  const [unnamed, other] = [await storeDelivery(world, { vendorId }), await storeDelivery(world)];
  const named = await storeDelivery(world, { pickup: aStop(0, { window: { readyAt: 1, deadlineAt: null } }) });
  const called = await storeDelivery(world, { times: { readyAt: 1 } });
  await world.preparation.record(
    Array.from({ length: 20 }, () => ({ ...preparationKeyOf(unnamed), ms: 5 * MINUTE, isBound: false })),
    world.settings.preparation,
  );
  let reads = 0;
  const findMany: typeof world.preparation.findMany = (keys) => {
    reads += 1;
    return world.preparation.findMany(keys);
  };
  const counted = { ...world, preparation: { ...world.preparation, findMany } };
  const estimates = await estimatePreparation(counted, [unnamed, named, called, other]);
  expect(reads).toBe(1);
  expect(estimates).toEqual([{ source: 'hour', ms: 5.6 * MINUTE }, null, null, { source: 'default', ms: 0 }]);
});

test('[D68] an offer of a search that starts later is withdrawn by the next run of its region', async () => {
  const bell = sharedBell();
  running(startRegions({ ...world, bell, leases: leaseDesk(world.clock).of('one') }));
  const now = world.clock.now();
  const delivery = await storeDelivery(world, { vendorId, searchFromAt: now, searchUntilAt: now + 15 * MINUTE });
  await delayPickup(
    { ...world, bell },
    { deliveryId: delivery.id, to: { minutes: 40 }, reason: null },
    asVendor(delivery),
  );
  // A leader read the delivery before it was put off, made the offer after, and was killed at that moment.
  const { id: courierId } = await storeCourier(world);
  const offer = anOffer({ deliveryId: delivery.id, courierId, createdAt: now, expiresAt: now + 10 * MINUTE });
  await world.mongo.collection(OFFERS).insertOne({ _id: offer.id, ...offer });
  bell.ring(delivery.region);
  await passUntil(world, async () => (await world.offers.find(offer.id))?.state === 'withdrawn');
  expect((await world.offers.find(offer.id))?.reason).toBe('delayed');
  await until(() => world.notices.withdrawn.some(({ id }) => id === offer.id));
});
