import fc from 'fast-check';
import { expect, test } from 'vitest';
import { declineOffer } from '../../../src/dispatch/offers/answer-offer.ts';
import { makeOffer, planRound, type OfferRound } from '../../../src/dispatch/regions/run/offer-round.ts';
import type { Delivery } from '../../../src/domain/deliveries/delivery.ts';
import { offsetBy } from '../../../src/domain/geo/geo.ts';
import { newId } from '../../../src/domain/ids.ts';
import type { Offer } from '../../../src/domain/offers/offer.ts';
import { defaultSettings } from '../../../src/settings.ts';
import { aDelivery, anOffer, CENTER, NOON } from '../../builders.ts';
import { asCourier } from '../../callers.ts';
import { until } from '../../until.ts';
import { openWorld, storeCourier, storeDelivery } from '../world.ts';
import { estimateWay } from '../../../src/domain/deliveries/way.ts';

const { offers: settings } = defaultSettings();
const world = await openWorld('top-up');

const no = (): Offer => anOffer({ state: 'declined', closedAt: NOON });
const many = (count: number, make: () => Offer): Offer[] => Array.from({ length: count }, make);
const asking = (): Offer => anOffer({ isExclusive: false });
const plan = (closed: readonly Offer[], open: readonly Offer[]): OfferRound =>
  planRound(aDelivery(), closed, settings, open);

test('[O31] a courier who declines while others still consider it is replaced, and no further courier is added', () => {
  const shape = (open: number, refusals = 3) => plan(many(refusals, no), many(open, asking));
  expect([0, 1, 2, 3, 4].map((open) => shape(open).count)).toEqual([3, 2, 1, 0, 0]);
  expect([1, 2, 3].every((open) => !shape(open).isExclusive)).toBe(true);
  // The refusals that made the round parallel are forgotten after an hour. Couriers who still consider it are not.
  expect(shape(2, 0)).toMatchObject({ isExclusive: false, count: 1 });
});

test('[O31] an exclusive offer stays exclusive until it is answered', () => {
  const alone = [anOffer({ isExclusive: true })];
  for (const refusals of [0, 2, 3, 9]) {
    expect(plan(many(refusals, no), alone)).toMatchObject({ isExclusive: true, count: 0 });
  }
  expect(plan(many(3, no), [asking(), ...alone])).toMatchObject({ isExclusive: true, count: 0 });
});

test('[O31] no more couriers have the offer at once than the setting allows, whatever is open and closed', () => {
  const property = fc.property(fc.nat(10), fc.array(fc.boolean(), { maxLength: 6 }), (refusals, exclusives) => {
    const open = exclusives.map((isExclusive) => anOffer({ isExclusive }));
    const { count, isExclusive } = plan(many(refusals, no), open);
    expect(count).toBeGreaterThanOrEqual(0);
    if (count > 0) expect(open.length + count).toBeLessThanOrEqual(settings.parallelCount);
    // An exclusive offer has no other offer beside it.
    if (isExclusive && count > 0) expect(open).toEqual([]);
    if (open.some((offer) => offer.isExclusive)) expect(count).toBe(0);
  });
  fc.assert(property);
});

const near = (eastM: number) => offsetBy(CENTER, eastM, 0);

/** The steps of a region's leader with the plan, on the stores. */
async function ask(delivery: Delivery, eastM: number): Promise<{ round: OfferRound; asked: number }> {
  const closed = await world.offers.listClosed([delivery.id], 0);
  const open = await world.offers.listOpen([delivery.id]);
  const round = planRound(delivery, closed, settings, open);
  for (let i = 0; i < round.count; i += 1) {
    const courier = await storeCourier(world);
    const { distanceM } = estimateWay([near(eastM), delivery.pickup.place], courier.vehicleType);
    const offer = makeOffer(delivery, courier.id, round, 1, world.clock.now(), distanceM);
    expect(await world.offers.open(offer)).toBe(true);
  }
  return { round, asked: (await world.offers.listOpen([delivery.id])).length };
}

async function decline(offer: Offer | undefined): Promise<void> {
  if (offer === undefined) throw new Error('there is an open offer');
  await declineOffer(world, { offerId: offer.id, reason: null }, asCourier({ id: offer.courierId, liveMode: false }));
}

test('[O31] on the stores: after three refusals three receive the offer, and each who declines makes room for one', async () => {
  const delivery = await storeDelivery(world);
  for (let refusals = 0; refusals < 3; refusals += 1) {
    expect(await ask(delivery, 2000)).toMatchObject({ round: { isExclusive: true, count: 1 }, asked: 1 });
    expect((await ask(delivery, 2000)).round.count).toBe(0);
    await decline((await world.offers.listOpen([delivery.id]))[0]);
  }
  expect(await ask(delivery, 2000)).toMatchObject({ round: { isExclusive: false, count: 3 }, asked: 3 });
  const [first, second] = await world.offers.listOpen([delivery.id]);
  await decline(first);
  expect(await ask(delivery, 2000)).toMatchObject({ round: { isExclusive: false, count: 1 }, asked: 3 });
  expect(await ask(delivery, 2000)).toMatchObject({ round: { count: 0 }, asked: 3 });
  await decline(second);
  expect(await ask(delivery, 2000)).toMatchObject({ round: { count: 1 }, asked: 3 });
});

test('[O22] the distance in the offer decides the band of the answer', async () => {
  const delivery = await storeDelivery(world);
  await ask(delivery, 3000);
  const [offer] = await world.offers.listOpen([delivery.id]);
  expect(offer?.distanceM).toBeCloseTo(3000 * 1.35, -1);
  await decline(offer);
  const courierId = offer?.courierId ?? newId('cou');
  const read = async () => (await world.acceptance.estimates([courierId])).get(courierId);
  await until(async () => (await read()) !== undefined);
  expect((await read())?.bands).toMatchObject({ km_1_3: { asked: 0 }, km_3_6: { asked: 1, accepted: 0 } });
});
