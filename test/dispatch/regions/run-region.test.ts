import { expect, test } from 'vitest';
import { acceptOffer, declineOffer } from '../../../src/dispatch/offers/answer-offer.ts';
import { leadRegion } from '../../../src/dispatch/regions/lead-region.ts';
import { startRegions } from '../../../src/dispatch/regions/run-region.ts';
import type { Delivery } from '../../../src/domain/deliveries/delivery.ts';
import { CENTER, aStop } from '../../builders.ts';
import { regionOf } from '../../regions.ts';
import { asCourier } from '../../callers.ts';
import { at } from '../match/fixtures.ts';
import { courierAt, leaseDesk, openOffersOf, pass, passUntil, phones, running, sharedBell } from '../region-world.ts';
import { openWorld, storeDelivery, storeOffer, type World } from '../world.ts';

const world = await openWorld('run-region');

/** A delivery of now in a region of its own, `part` degrees north of the others. */
async function search(part: number, over: Parameters<typeof storeDelivery>[1] = {}): Promise<Delivery> {
  const now = world.clock.now();
  const pickup = over.pickup ?? aStop(0, { place: north(part) });
  const searchFromAt = over.searchFromAt ?? now;
  return storeDelivery(world, {
    ...over,
    pickup,
    searchFromAt,
    searchUntilAt: searchFromAt + 900_000,
    times: { createdAt: now, updatedAt: now, searchingAt: now },
  });
}

const north = (part: number, eastM = 0) => ({ lat: CENTER.lat + part, lng: at(eastM).lng });

/** A process that takes part in leading this region and no other. */
function process({ region }: Pick<Delivery, 'region'>, over: Partial<Parameters<typeof startRegions>[0]> = {}) {
  const deliveries = { ...world.deliveries, ...over.deliveries, regionsSearching: async () => [region] };
  const leases = leaseDesk(world.clock).of('one');
  return running(startRegions({ ...world, bell: sharedBell(), leases, ...over, deliveries }));
}

const closedOf = ({ id }: Delivery) => world.offers.listClosed([id], 0);

test('[O3] a search is offered to the nearest courier alone, and shown', async () => {
  const notices = phones();
  const near = await courierAt(world, north(1, 300));
  await courierAt(world, north(1, 3000));
  const delivery = await search(1);
  process(delivery, { notices });
  await passUntil(world, () => notices.shown.length > 0);
  const open = await openOffersOf(world, [delivery]);
  expect(open).toMatchObject([{ courierId: near.id, isExclusive: true, region: delivery.region }]);
  expect(open[0]!.expiresAt - open[0]!.createdAt).toBe(25_000);
  await passUntil(world, async () => (await openOffersOf(world, [delivery]))[0]?.deliveredAt !== null);
});

test('[O4] a region runs each period and, debounced, when its bell rings; rings together make one run', async () => {
  const delivery = await search(2);
  const runs: number[] = [];
  const listSearching: World['deliveries']['listSearching'] = (region, limit) => {
    runs.push(world.clock.now());
    return world.deliveries.listSearching(region, limit);
  };
  const bell = sharedBell();
  process(delivery, { deliveries: { ...world.deliveries, listSearching }, bell });
  await passUntil(world, () => runs.length === 1, { stepMs: 100 });
  await pass(world, 2000, 100);
  expect(runs).toHaveLength(1);
  const rungAt = world.clock.now();
  for (let i = 0; i < 50; i += 1) bell.ring(delivery.region);
  await passUntil(world, () => runs.length === 2, { stepMs: 100 });
  // The test's clock moves while the engines answer. The request came in time, although its read is a little late.
  expect(Math.floor((runs[1]! - rungAt) / 1000)).toBe(1);
  await passUntil(world, () => runs.length === 5, { stepMs: 100 });
  expect(runs.slice(2).map((at) => Math.round((at - runs[0]!) / 5000))).toEqual([1, 2, 3]);
});

test('[O5] two leaders at once open no second exclusive offer for a delivery or a courier', async () => {
  const pickups = Array.from({ length: 40 }, (_, i) => aStop(0, { place: north(3, i * 60) }));
  const deliveries = await Promise.all(pickups.map((pickup) => search(3, { pickup, region: regionOf(north(3)) })));
  await Promise.all(Array.from({ length: 30 }, (_, i) => courierAt(world, north(3, i * 80 + 20))));
  // Both believe that they lead, with the same fencing number, as when one has stalled and does not know it yet.
  const seen = new Map<string, number>();
  const offers: World['offers'] = {
    ...world.offers,
    open: async (offer) => {
      const isOpen = await world.offers.open(offer);
      for (const key of isOpen ? [offer.courierId, offer.deliveryId] : []) seen.set(key, (seen.get(key) ?? 0) + 1);
      return isOpen;
    },
  };
  for (const each of ['one', 'two', 'three']) {
    process(deliveries[0]!, { offers, leases: leaseDesk(world.clock).of(each) });
  }
  await passUntil(world, async () => (await openOffersOf(world, deliveries)).length === 30);
  await pass(world, 5000);
  const open = await openOffersOf(world, deliveries);
  expect(open).toHaveLength(30);
  for (const key of ['courierId', 'deliveryId'] as const) expect(new Set(open.map((one) => one[key])).size).toBe(30);
  expect([...seen.values()].filter((count) => count !== 1)).toEqual([]);
});

test('[O6] an offer that no phone acknowledges is shown again until it expires, and costs the courier nothing', async () => {
  const answers = { isThere: false };
  const notices = phones(answers);
  const courier = await courierAt(world, north(4, 300));
  const delivery = await search(4);
  process(delivery, { notices });
  await passUntil(world, () => notices.shown.length === 1);
  const [first] = await openOffersOf(world, [delivery]);
  await pass(world, 9500);
  expect(notices.shown.length).toBeGreaterThanOrEqual(3);
  expect(notices.shown.length).toBeLessThanOrEqual(5);
  await passUntil(world, async () => (await closedOf(delivery)).length === 1);
  expect(await closedOf(delivery)).toMatchObject([{ id: first!.id, state: 'expired', deliveredAt: null }]);
  await passUntil(world, () => notices.withdrawn.length === 1);
  expect(notices.withdrawn).toMatchObject([{ id: first!.id, state: 'expired', reason: 'expired' }]);
  answers.isThere = true;
  await passUntil(world, async () => {
    const [next] = await openOffersOf(world, [delivery]);
    return next?.courierId === courier.id && next.deliveredAt !== null;
  });
});

test('[O7] an offer that was shown and not answered pauses the pair for a minute; the next courier gets the offer', async () => {
  const near = await courierAt(world, north(5, 100));
  const far = await courierAt(world, north(5, 2000));
  const delivery = await search(5);
  process(delivery, { notices: phones() });
  await passUntil(world, async () => (await openOffersOf(world, [delivery]))[0]?.courierId === near.id);
  await passUntil(world, async () => (await openOffersOf(world, [delivery]))[0]?.courierId === far.id);
  expect(await closedOf(delivery)).toMatchObject([{ courierId: near.id, state: 'expired' }]);
});

test('[O8] when the leader dies another process leads within 10 s', async () => {
  const desk = leaseDesk(world.clock);
  const delivery = await search(6);
  const first = desk.of('one');
  let isDead = false;
  const leases = { ...first, tryHold: async (name: string, ms: number) => (isDead ? null : first.tryHold(name, ms)) };
  process(delivery, { leases });
  await pass(world, 2000);
  process(delivery, { leases: desk.of('two') });
  await pass(world, 2000);
  isDead = true;
  const diedAt = world.clock.now();
  const courier = await courierAt(world, north(6, 100));
  await passUntil(world, async () => (await openOffersOf(world, [delivery])).length > 0, { stepMs: 50 });
  expect(world.clock.now() - diedAt).toBeLessThan(10_000);
  expect(await openOffersOf(world, [delivery])).toMatchObject([{ courierId: courier.id, fence: 2 }]);
});

test('[O8] a leader that wakes up with an old fencing number opens nothing', async () => {
  const old = await search(7);
  const taken = await courierAt(world, north(7, 5000));
  const warm = await search(7, { pickup: aStop(0, { place: north(7, 5000) }) });
  await storeOffer(world, warm, taken, { region: old.region, fence: 9 });
  await courierAt(world, north(7, 100));
  const notices = phones();
  const sleeper = leadRegion({ ...world, notices }, { region: old.region, ownsLease: () => true, fence: () => 8 });
  running(sleeper);
  await pass(world, 8000);
  expect(await openOffersOf(world, [old])).toEqual([]);
  await sleeper.stop();
  running(leadRegion({ ...world, notices }, { region: old.region, ownsLease: () => true, fence: () => 9 }));
  await passUntil(world, async () => (await openOffersOf(world, [old])).length === 1);
});

test('[O9] an open offer whose courier went offline, or got another delivery, is withdrawn', async () => {
  const delivery = await search(8);
  const courier = await courierAt(world, north(8, 100));
  const notices = phones();
  process(delivery, { notices });
  await passUntil(world, async () => (await openOffersOf(world, [delivery])).length === 1);
  await world.couriers.setAvailability(courier, 'offline', world.clock.now(), null);
  await passUntil(world, () => notices.withdrawn.length === 1);
  expect(notices.withdrawn).toMatchObject([{ courierId: courier.id, state: 'withdrawn', reason: 'courier_offline' }]);
});

test('[O10] a decline is followed at once by an offer to another courier', async () => {
  const near = await courierAt(world, north(9, 100));
  const far = await courierAt(world, north(9, 2500));
  const delivery = await search(9);
  const bell = sharedBell();
  process(delivery, { notices: phones(), bell });
  await passUntil(world, async () => (await openOffersOf(world, [delivery]))[0]?.courierId === near.id);
  const [first] = await openOffersOf(world, [delivery]);
  const declinedAt = world.clock.now();
  await declineOffer({ ...world, bell }, { offerId: first!.id, reason: null }, asCourier(near));
  await passUntil(world, async () => (await openOffersOf(world, [delivery]))[0]?.courierId === far.id, { stepMs: 20 });
  expect(world.clock.now() - declinedAt).toBeLessThan(4500);
});

test('[O11] an engine that fails for a while stops nothing for good, and is logged once', async () => {
  const courier = await courierAt(world, north(10, 100));
  const delivery = await search(10);
  const lines: string[] = [];
  const note = (_fields: object, message: string) => void lines.push(message);
  let isAway = true;
  const positions: World['positions'] = {
    ...world.positions,
    listUpTo: (regions, most) => (isAway ? Promise.reject(new Error('away')) : world.positions.listUpTo(regions, most)),
  };
  process(delivery, { positions, log: { info: note, warn: note, error: note, audit: note, covers: () => false } });
  await pass(world, 20_000);
  expect(lines.filter((line) => line.startsWith('failed'))).toHaveLength(1);
  isAway = false;
  await passUntil(world, async () => (await openOffersOf(world, [delivery]))[0]?.courierId === courier.id);
  await passUntil(world, () => lines.includes('works again'));
});

test('[O12] a process gives back a region where nothing happens for a minute', async () => {
  const desk = leaseDesk(world.clock);
  const delivery = await search(11);
  let isOver = false;
  const deliveries = {
    ...world.deliveries,
    regionsSearching: async () => (isOver ? [] : [delivery.region]),
    listSearching: async () => (isOver ? [] : [delivery]),
  };
  running(startRegions({ ...world, deliveries, leases: desk.of('one') }));
  const other = desk.of('two');
  const take = () => other.tryHold(`region:${delivery.region}`, 3000);
  await pass(world, 70_000, 1000);
  expect(await take()).toBeNull();
  isOver = true;
  const from = world.clock.now();
  await passUntil(world, async () => (await take()) !== null, { stepMs: 1000 });
  expect(world.clock.now() - from).toBeGreaterThan(60_000);
  expect(world.clock.now() - from).toBeLessThan(75_000);
});

test('[O13] after three refusals three couriers receive the offer at once; the first to accept has the delivery', async () => {
  const couriers = await Promise.all([100, 200, 300, 400, 500, 600].map((m) => courierAt(world, north(12, m))));
  const delivery = await search(12);
  const bell = sharedBell();
  const notices = phones();
  const desk = { ...world, bell, notices };
  process(delivery, { notices, bell });
  for (const courier of couriers.slice(0, 3)) {
    await passUntil(world, async () => (await openOffersOf(world, [delivery]))[0]?.courierId === courier.id);
    const [offer] = await openOffersOf(world, [delivery]);
    await declineOffer(desk, { offerId: offer!.id, reason: null }, asCourier(courier));
  }
  await passUntil(world, async () => (await openOffersOf(world, [delivery])).length === 3);
  const open = await openOffersOf(world, [delivery]);
  expect(open.every(({ isExclusive }) => !isExclusive)).toBe(true);
  const answers = await Promise.allSettled(
    open.map(({ id, courierId }) => acceptOffer(desk, { offerId: id }, asCourier({ id: courierId, liveMode: false }))),
  );
  expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  expect(notices.withdrawn.filter(({ state }) => state === 'withdrawn')).toHaveLength(2);
});
