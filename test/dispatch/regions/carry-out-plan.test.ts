import { expect, test } from 'vitest';
import { declineOffer } from '../../../src/dispatch/offers/answer-offer.ts';
import { carryOutPlan } from '../../../src/dispatch/regions/carry-out-plan.ts';
import type { Term } from '../../../src/work/term.ts';
import { planRun } from '../../../src/dispatch/regions/run/plan.ts';
import type { RunInput } from '../../../src/dispatch/regions/run/run-input.ts';
import { watchOffers } from '../../../src/dispatch/regions/watch-offers.ts';
import type { Courier } from '../../../src/domain/couriers/courier.ts';
import { aDelivery, aStop } from '../../builders.ts';
import { asCourier } from '../../callers.ts';
import { at, runInput } from '../match/fixtures.ts';
import { openOffersOf } from '../region-world.ts';
import { openWorld, storeCourier, storeDelivery, storeOffer } from '../world.ts';

const world = await openWorld('carry-out-plan');
const { clock } = world;
const PLACES = [at(0), at(3000)] as const;

/** Two deliveries of a region, far from each other, and a courier at each pickup. */
async function twoPairs(region: string) {
  const now = clock.now();
  const times = { ...aDelivery().times, createdAt: now, updatedAt: now, searchingAt: now };
  const [one, two] = PLACES.map((place) => ({
    region,
    pickup: aStop(0, { place }),
    searchFromAt: now,
    searchUntilAt: now + 900_000,
    times,
  }));
  const deliveries = [await storeDelivery(world, one), await storeDelivery(world, two)] as const;
  const couriers = [await storeCourier(world), await storeCourier(world)] as const;
  const input = inputOf(couriers, { deliveries });
  return { deliveries, couriers, input };
}

function inputOf(couriers: readonly Courier[], over: Partial<RunInput>): RunInput {
  const present = couriers.map((courier, index) => ({ courier, place: PLACES[index]!, assigned: [] }));
  return runInput({ now: clock.now(), couriers: present, ...over });
}

/** A term with this fencing number that is over after this many looks. */
function termOf(fence: number, looks = Infinity): Term {
  let seen = 0;
  return { region: 'r', fence: () => fence, ownsLease: () => (seen += 1) <= looks };
}

function carryOut(input: RunInput, term = termOf(1)) {
  const offers = watchOffers(world, () => {});
  return carryOutPlan(world, term, offers, input, planRun(input));
}

test('[O65] the result lists opened offers and not planned ones: a courier with an offer elsewhere gets none', async () => {
  const { deliveries, couriers, input } = await twoPairs('a');
  const theirs = await storeOffer(world, await storeDelivery(world), couriers[0]);
  const { opened, elsewhere, withdrawn } = await carryOut(input);
  expect(opened.map(({ delivery, courierId }) => [delivery.id, courierId])).toEqual([
    [deliveries[1].id, couriers[1].id],
  ]);
  expect(elsewhere).toEqual([theirs]);
  expect(withdrawn).toEqual([]);
  expect((await openOffersOf(world, deliveries)).map(({ courierId }) => courierId)).toEqual([couriers[1].id]);
});

test('[O65] a leader whose term is over, or who has a successor, reports nothing as done', async () => {
  const { deliveries, input } = await twoPairs('b');
  expect(planRun(input).pairs).toHaveLength(2);
  // After the first pair the term is over.
  expect((await carryOut(input, termOf(5, 1))).opened).toHaveLength(1);
  // A later leader is known to the store by its fence.
  expect(await carryOut((await twoPairs('b')).input, termOf(4))).toEqual({
    opened: [],
    withdrawn: [],
    elsewhere: [],
    failure: null,
  });
  expect(await openOffersOf(world, deliveries)).toHaveLength(1);
});

test('[O65] an offer that was answered before its withdrawal is not reported as withdrawn', async () => {
  const { deliveries, couriers } = await twoPairs('c');
  const [delivery, other] = deliveries;
  const [near, far] = couriers;
  const offers = [
    await storeOffer(world, delivery, far, { region: 'c' }),
    await storeOffer(world, other, near, { region: 'c' }),
  ] as const;
  const input = inputOf(couriers, { deliveries, openOffers: offers });
  const plan = { ...planRun(input), outdone: offers };
  await declineOffer(world, { offerId: offers[0].id, reason: null }, asCourier({ id: far.id, liveMode: far.liveMode }));
  const watched = watchOffers(world, () => {});
  const done = await carryOutPlan(world, termOf(9), watched, input, plan);
  expect(done.withdrawn).toEqual([offers[1]]);
  expect(await openOffersOf(world, deliveries)).toEqual([]);
});

test('[O65] offers that were opened before the store failed are reported, with the failure', async () => {
  const { couriers, input } = await twoPairs('d');
  const open: typeof world.offers.open = (offer) =>
    offer.courierId === couriers[0].id ? Promise.reject(new Error('away')) : world.offers.open(offer);
  const ctx = { ...world, offers: { ...world.offers, open } };
  const done = await carryOutPlan(
    ctx,
    termOf(1),
    watchOffers(ctx, () => {}),
    input,
    planRun(input),
  );
  expect(done.opened.map(({ courierId }) => courierId)).toEqual([couriers[1].id]);
  expect(done.failure?.message).toBe('away');
});
