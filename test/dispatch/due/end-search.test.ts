import { beforeEach, expect, test } from 'vitest';
import { assignCourier } from '../../../src/dispatch/offers/assign-courier.ts';
import { delayPickup } from '../../../src/dispatch/deliveries/delay-pickup.ts';
import { aStop } from '../../builders.ts';
import { asStaff, asVendor } from '../../callers.ts';
import { until } from '../../until.ts';
import { at } from '../match/fixtures.ts';
import { courierAt, pass, passUntil, phones } from '../region-world.ts';
import { searchesIn } from '../searches.ts';
import { historyOf, openWorld, storeCourier, storeOffer, type World } from '../world.ts';

const world = await openWorld('end-search');
const { due, search, stateOf } = searchesIn(world);
const MINUTE = 60_000;
/** The steps of a long wait. They end exactly 5 s before a limit. */
const STEP_MS = 5000;

beforeEach(async () => {
  // The worker would look at the deliveries of other tests as well.
  for (const name of ['deliveries', 'offers', 'alarms'] as const) await world.mongo.db.collection(name).deleteMany({});
});

test('[Q2] a search that ends without a courier cancels the delivery', async () => {
  const delivery = await search();
  due();
  await pass(world, 15 * MINUTE - 5000, STEP_MS);
  expect(await stateOf(delivery)).toBe('searching');
  await passUntil(world, async () => (await stateOf(delivery)) === 'canceled');
  const ended = await world.deliveries.get(delivery.id);
  expect(ended.ending).toEqual({ by: 'system', reason: 'no_courier_available' });
  await until(async () => (await historyOf(world, delivery.id)).at(-1) === 'canceled');
});

test('[Q2] an offer that is open at the limit is answered or expires first', async () => {
  const delivery = await search({ searchUntilAt: world.clock.now() + 10_000 });
  const offer = await storeOffer(world, delivery, await storeCourier(world));
  due();
  await pass(world, 24_000);
  expect(await stateOf(delivery)).toBe('searching');
  await passUntil(world, async () => (await stateOf(delivery)) === 'canceled');
  expect((await world.offers.find(offer.id))?.state).toBe('expired');
});

test('[Q3] [D219] a search of 10 min raises one alarm and makes one event without arrivals, in two processes and after a restart', async () => {
  const delivery = await search();
  const notices = phones();
  // Both processes own the lease, as when one has stalled and does not know yet that it was replaced.
  const first = due({ notices });
  due({ notices });
  await pass(world, 10 * MINUTE - 5000, STEP_MS);
  expect(notices.alarms).toEqual([]);
  await passUntil(world, async () => (await historyOf(world, delivery.id)).length > 1);
  await pass(world, 10_000);
  await first.stop();
  due({ notices });
  await pass(world, 10_000);
  expect(await historyOf(world, delivery.id)).toEqual(['delivery.created', 'delivery.search_delayed']);
  const [event] = await world.eventLog.list(delivery.id, 1, 1);
  expect(event?.data.delivery?.eta).toMatchObject({ pickup: null, drop_off: null, reason: 'no_courier' });
  expect(notices.alarms).toMatchObject([{ kind: 'search_too_long', deliveryId: delivery.id, clearedAt: null }]);
});

test('[Q3] a search whose limit is the time of the alarm is reported before it ends', async () => {
  const delivery = await search({ searchUntilAt: world.clock.now() + 10 * MINUTE });
  due();
  await pass(world, 10 * MINUTE - 5000, STEP_MS);
  expect(await historyOf(world, delivery.id)).toEqual(['delivery.created']);
  await passUntil(world, async () => (await historyOf(world, delivery.id)).at(-1) === 'canceled');
  const history = await historyOf(world, delivery.id);
  expect(history).toEqual(['delivery.created', 'delivery.search_delayed', 'canceled']);
});

test('[Q3] a search that could not be reported does not end unreported', async () => {
  const delivery = await search({ searchUntilAt: world.clock.now() + 10 * MINUTE });
  const isLost = { now: true };
  const turns: boolean[] = [];
  // A log that lags behind the delivery, as on a server that is not the primary.
  const list: World['eventLog']['list'] = async (...asked) => {
    turns.push(isLost.now);
    return isLost.now ? [] : world.eventLog.list(...asked);
  };
  due({ eventLog: { ...world.eventLog, list } });
  await pass(world, 10 * MINUTE - 5000, STEP_MS);
  await passUntil(world, () => turns.length >= 3);
  expect(await stateOf(delivery)).toBe('searching');
  isLost.now = false;
  await passUntil(world, async () => (await historyOf(world, delivery.id)).at(-1) === 'canceled');
  expect(await historyOf(world, delivery.id)).toEqual(['delivery.created', 'delivery.search_delayed', 'canceled']);
});

test('[Q3] a search that cannot be reported ends a minute later, and the log says so', async () => {
  const until = world.clock.now() + 10 * MINUTE;
  const delivery = await search({ searchUntilAt: until });
  due({ alarms: { ...world.alarms, raise: () => Promise.reject(new Error('away')) } });
  await pass(world, 11 * MINUTE - 5000, STEP_MS);
  expect(await stateOf(delivery)).toBe('searching');
  await passUntil(world, async () => (await stateOf(delivery)) === 'canceled');
  expect(world.log.lines).toContainEqual({
    level: 'error',
    fields: { error: 'Error: away', deliveryId: delivery.id },
    message: 'a search ends that could not be reported',
  });
});

test('[Q3] a search that is put off after its report, and is long again, is reported again', async () => {
  const now = world.clock.now();
  const window = { readyAt: now + 11 * MINUTE, deadlineAt: null };
  const delivery = await search({ pickup: aStop(0, { window }) });
  const notices = phones();
  due({ notices });
  await passUntil(world, async () => (await historyOf(world, delivery.id)).length === 2, { stepMs: STEP_MS });
  await delayPickup(world, { deliveryId: delivery.id, to: { minutes: 5 }, reason: null }, asVendor(delivery));
  await passUntil(world, () => notices.alarms.at(-1)?.clearedAt !== null);
  await passUntil(world, async () => (await historyOf(world, delivery.id)).length === 4, { stepMs: STEP_MS });
  expect(await historyOf(world, delivery.id)).toEqual([
    'delivery.created',
    'delivery.search_delayed',
    'delivery.delayed',
    'delivery.search_delayed',
  ]);
  expect(world.clock.now() - now).toBeGreaterThanOrEqual(15 * MINUTE);
});

test('[Q4] the alarm of a search is cleared when a courier is found', async () => {
  const delivery = await search({ searchCountsFromAt: world.clock.now() - 11 * MINUTE });
  const notices = phones();
  due({ notices });
  await passUntil(world, () => notices.alarms.length === 1);
  const courier = await courierAt(world, at(100));
  const command = { deliveryId: delivery.id, courierId: courier.id, offerId: null, overrideReason: null };
  await assignCourier(world, command, asStaff());
  await passUntil(world, () => notices.alarms.length === 2);
  expect(notices.alarms[1]?.clearedAt).not.toBeNull();
  expect((await world.alarms.listOpen({ limit: 10, after: null })).items).toEqual([]);
});
