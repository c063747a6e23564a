import { expect, test } from 'vitest';
import { planRun } from '../../../src/dispatch/regions/run/plan.ts';
import type { Delivery, RoboSpec } from '../../../src/domain/deliveries/delivery.ts';
import type { Offer } from '../../../src/domain/offers/offer.ts';
import { aDelivery, aStop, anOffer, CENTER, NOON } from '../../builders.ts';
import { at, runCourier, runInput, settings } from '../match/fixtures.ts';

const readyIn = (ms: number) => aStop(0, { place: CENTER, window: { readyAt: NOON + ms, deadlineAt: null } });
const couriersOf = (pairs: readonly { delivery: Delivery; courierId: string }[]) =>
  pairs.map(({ delivery: { id }, courierId }) => [id, courierId]);

test('[M8] the pairs are the best together, and not the nearest one by one', () => {
  const first = aDelivery({ pickup: aStop(0, { place: at(0) }) });
  const second = aDelivery({ pickup: aStop(0, { place: at(600) }) });
  const left = runCourier(at(-1100));
  const middle = runCourier(at(250));
  // The middle courier is nearest to both. The far one serves the first without harm.
  const plan = planRun(runInput({ deliveries: [first, second], couriers: [left, middle] }));
  expect(couriersOf(plan.pairs)).toEqual([
    [first.id, left.courier.id],
    [second.id, middle.courier.id],
  ]);
});

test('[M8] in scarcity the oldest delivery is served and the others wait, each with its reason', () => {
  const old = aDelivery({ searchFromAt: NOON - 600_000 });
  const young = aDelivery();
  const none = aDelivery({ vehicleTypes: ['van'] });
  const only = runCourier(at(300));
  const input = runInput({ deliveries: [old, young, none], couriers: [only] });
  const plan = planRun(input);
  expect(couriersOf(plan.pairs)).toEqual([[old.id, only.courier.id]]);
  expect([...plan.reasons.values()]).toEqual(['offered', 'courier_not_free', 'no_candidate']);
  // If nothing is planned after the first pickup, the others go without.
  const short = planRun({ ...input, settings: { ...settings, dispatch: { ...settings.dispatch, plannedBundles: 1 } } });
  expect(couriersOf(short.pairs)).toEqual([[old.id, only.courier.id]]);
  expect([...short.reasons.values()]).toEqual(['offered', 'outbid', 'no_candidate']);
});

test('[M9] nothing is offered while waiting one more period delays nothing', () => {
  const couriers = [runCourier(at(300))];
  const waiting = planRun(runInput({ deliveries: [aDelivery({ pickup: readyIn(600_000) })], couriers }));
  expect(waiting.pairs).toEqual([]);
  expect(waiting.answer.kept).toHaveLength(1);
  expect([...waiting.reasons.values()]).toEqual(['not_due']);
  // 300 m take 62 s. With the period, the offer and the handover, a pickup in 2 min can wait no longer.
  const due = planRun(runInput({ deliveries: [aDelivery({ pickup: readyIn(120_000) })], couriers }));
  expect(due.pairs).toHaveLength(1);
});

test('[M9] offers start before the search ends, even if the food is ready later', () => {
  const pickup = readyIn(1_200_000);
  const couriers = [runCourier(at(300))];
  const early = aDelivery({ pickup, searchUntilAt: NOON + 900_000 });
  const ending = aDelivery({ pickup, searchUntilAt: NOON + 240_000 });
  expect(planRun(runInput({ deliveries: [early], couriers })).pairs).toEqual([]);
  expect(planRun(runInput({ deliveries: [ending], couriers })).pairs).toHaveLength(1);
});

test('[M15] in scarcity a search about to end goes before food that waits longer', () => {
  const only = runCourier(at(300));
  const waiting = aDelivery({ searchFromAt: NOON - 600_000, searchUntilAt: NOON + 600_000 });
  const ending = aDelivery({ pickup: readyIn(600_000), searchUntilAt: NOON + 200_000 });
  const plan = planRun(runInput({ deliveries: [waiting, ending], couriers: [only] }));
  expect(couriersOf(plan.pairs)).toEqual([[ending.id, only.courier.id]]);
});

test('[M10] a pair with a courier who is not free yet stays tentative', () => {
  const held = aDelivery({
    state: 'in_transit',
    pickup: aStop(0, { place: at(0), state: 'delivered' }),
    dropOffs: [aStop(1, { place: at(50) })],
  });
  const busy = runCourier(at(60), {}, [held]);
  const far = runCourier(at(15_000));
  const plan = planRun(runInput({ deliveries: [aDelivery()], couriers: [busy, far] }));
  expect(plan.pairs).toEqual([]);
  expect(plan.answer.kept.map(({ courier }) => courier)).toEqual([busy.courier.id]);
  expect([...plan.reasons.values()]).toEqual(['courier_not_free']);
});

test('[M11] a delivery with an open offer and a courier with one are left alone', () => {
  const offered = aDelivery();
  const open = aDelivery();
  const asked = runCourier(at(10));
  const free = runCourier(at(500));
  const plan = planRun(
    runInput({
      deliveries: [offered, open],
      couriers: [asked, free],
      openOffers: [anOffer({ deliveryId: offered.id, courierId: asked.courier.id })],
    }),
  );
  expect(couriersOf(plan.pairs)).toEqual([[open.id, free.courier.id]]);
  expect(plan.reasons.get(offered.id)).toBe('offer_open');
});

test('[M11] a search that has not started or has ended gets no offers', () => {
  const early = aDelivery({ searchFromAt: NOON + 1 });
  const over = aDelivery({ searchFromAt: NOON - 900_000, searchUntilAt: NOON });
  const plan = planRun(runInput({ deliveries: [early, over], couriers: [runCourier(at(10))] }));
  expect(plan.pairs).toEqual([]);
  expect([...plan.reasons.values()]).toEqual(['search_not_on', 'search_not_on']);
});

test('[B9] a test is offered from when a robo-courier may accept it, and never if it is to find no courier', () => {
  const near = runCourier(at(10), { kind: 'robo' });
  const planned = (robo: RoboSpec, now: number) => {
    const delivery = aDelivery({ robo, times: { createdAt: NOON, searchingAt: NOON } });
    const plan = planRun({ ...runInput({ deliveries: [delivery], couriers: [near] }), now });
    return [plan.pairs.length, plan.reasons.get(delivery.id)];
  };
  expect(planned({ timeScale: 1 }, NOON)).toEqual([1, 'offered']);
  expect(planned({ timeScale: 1, outcome: 'failed' }, NOON)).toEqual([1, 'offered']);
  expect(planned({ timeScale: 1, outcome: 'no_courier' }, NOON)).toEqual([0, 'no_candidate']);
  expect(planned({ timeScale: 2, stepsS: { assigned: 20 } }, NOON + 9999)).toEqual([0, 'not_due']);
  expect(planned({ timeScale: 2, stepsS: { assigned: 20 } }, NOON + 10_000)).toEqual([1, 'offered']);
});

test('[M12] a decline keeps the pair apart for an hour, an expiry for a minute, seen or not', () => {
  const one = aDelivery();
  const near = runCourier(at(10));
  const far = runCourier(at(900));
  const chosen = (over: Partial<Offer>) => {
    const closedOffers = [anOffer({ deliveryId: one.id, courierId: near.courier.id, ...over })];
    return planRun(runInput({ deliveries: [one], couriers: [near, far], closedOffers })).pairs[0]?.courierId;
  };
  expect(chosen({ state: 'declined', closedAt: NOON - 3_599_000 })).toBe(far.courier.id);
  expect(chosen({ state: 'declined', closedAt: NOON - 3_601_000 })).toBe(near.courier.id);
  expect(chosen({ state: 'expired', closedAt: NOON - 59_000, deliveredAt: NOON - 80_000 })).toBe(far.courier.id);
  expect(chosen({ state: 'expired', closedAt: NOON - 61_000, deliveredAt: NOON - 80_000 })).toBe(near.courier.id);
  // Phones that do not answer take turns with others.
  expect(chosen({ state: 'expired', closedAt: NOON - 1000, deliveredAt: null })).toBe(far.courier.id);
  expect(chosen({ state: 'expired', closedAt: NOON - 61_000, deliveredAt: null })).toBe(near.courier.id);
  const former = aDelivery({ formerCouriers: [near.courier.id] });
  expect(planRun(runInput({ deliveries: [former], couriers: [near, far] })).pairs[0]?.courierId).toBe(far.courier.id);
});

test('[M13] after repeated refusals the best three receive the offer at once, and no other offer', () => {
  const tired = aDelivery();
  const other = aDelivery({ pickup: aStop(0, { place: at(400) }) });
  const couriers = [10, 200, 390, 2000, 3000].map((m) => runCourier(at(m)));
  const closedOffers = Array.from({ length: settings.offers.parallelAfterRefusals }, () =>
    anOffer({
      deliveryId: tired.id,
      courierId: runCourier(at(0)).courier.id,
      state: 'declined',
      closedAt: NOON - 1000,
    }),
  );
  const plan = planRun(runInput({ deliveries: [tired, other], couriers, closedOffers }));
  const asked = plan.pairs.map(({ courierId }) => courierId);
  expect(new Set(asked).size).toBe(4);
  const parallel = plan.pairs.filter(({ delivery: { id } }) => id === tired.id);
  expect(parallel).toHaveLength(3);
  expect(parallel.every(({ round }) => !round.isExclusive)).toBe(true);
  expect(plan.pairs.filter(({ delivery: { id } }) => id === other.id).map(({ round }) => round.isExclusive)).toEqual([
    true,
  ]);
});

test('[M38] in a parallel round a courier who declines is replaced by one who is not needed otherwise', () => {
  const tired = aDelivery();
  const couriers = [10, 200, 390, 2000].map((m) => runCourier(at(m)));
  const openOffers = couriers
    .slice(0, 3)
    .map(({ courier }) => anOffer({ deliveryId: tired.id, courierId: courier.id, isExclusive: false }));
  const input = runInput({ deliveries: [tired], couriers });
  const full = planRun({ ...input, openOffers });
  expect(full.pairs).toEqual([]);
  expect(full.reasons.get(tired.id)).toBe('offer_open');
  const [gone, ...left] = openOffers;
  const closedOffers = [{ ...gone!, state: 'declined' as const, closedAt: NOON - 1000 }];
  const topUp = planRun({ ...input, openOffers: left, closedOffers });
  expect(couriersOf(topUp.pairs)).toEqual([[tired.id, couriers[3]!.courier.id]]);
  expect(topUp.pairs[0]!.round.isExclusive).toBe(false);
});

test('[M39] an open offer is returned to be withdrawn if a much better courier is free', () => {
  const one = aDelivery();
  const [far, near] = [runCourier(at(8000)), runCourier(at(100))];
  const offer = anOffer({ deliveryId: one.id, courierId: far!.courier.id });
  const plan = planRun(runInput({ deliveries: [one], couriers: [far!, near!], openOffers: [offer] }));
  expect(plan.outdone).toEqual([offer]);
  expect(plan.pairs).toEqual([]);
  const alone = planRun(runInput({ deliveries: [one], couriers: [far!], openOffers: [offer] }));
  expect(alone.outdone).toEqual([]);
});

test('[M25] a pair that was planned and not offered in one run is in the plan of the next', () => {
  const held = aDelivery({ pickup: readyIn(3_000_000) });
  const input = runInput({ deliveries: [held], couriers: [runCourier(at(300)), runCourier(at(400))] });
  const { kept } = planRun(input).answer;
  const quiet = { ...settings, dispatch: { ...settings.dispatch, mostRounds: 0 } };
  const other = kept.map((chain) => ({
    ...chain,
    courier: input.couriers.find(({ courier }) => courier.id !== chain.courier)!.courier.id,
  }));
  // Both are there in time, so only the last plan decides between them.
  expect(planRun({ ...input, settings: quiet }, kept).answer.kept).toEqual(kept);
  expect(planRun({ ...input, settings: quiet }, other).answer.kept).toEqual(other);
});

test('[M14] in a crowd no courier is in two pairs of a run, and no delivery in two exclusive ones', () => {
  const deliveries = Array.from({ length: 300 }, (_, i) =>
    aDelivery({ pickup: aStop(0, { place: at(((i * 7919) % 8000) - 4000, ((i * 6007) % 8000) - 4000) }) }),
  );
  const couriers = Array.from({ length: 250 }, (_, i) =>
    runCourier(at(((i * 104_729) % 8000) - 4000, ((i * 3571) % 8000) - 4000)),
  );
  const plan = planRun(runInput({ deliveries, couriers }));
  expect(plan.pairs.length).toBeGreaterThan(240);
  expect(new Set(plan.pairs.map(({ courierId }) => courierId)).size).toBe(plan.pairs.length);
  expect(new Set(plan.pairs.map(({ delivery: { id } }) => id)).size).toBe(plan.pairs.length);
});
