import { expect, test } from 'vitest';
import { planRun } from '../../../src/dispatch/regions/run/plan.ts';
import type { RunCourier } from '../../../src/domain/regions/start.ts';
import { BAND_NAMES, type AcceptanceRecord } from '../../../src/domain/offers/acceptance.ts';
import type { CourierId } from '../../../src/domain/ids.ts';
import { aDelivery, anOffer, NOON } from '../../builders.ts';
import { at, recentOrder, runCourier, runInput } from '../match/fixtures.ts';

/** A courier's record of this many declines at every distance. */
function noes({ courier }: RunCourier, count: number): [CourierId, AcceptanceRecord] {
  const bands = Object.fromEntries(BAND_NAMES.map((band) => [band, { asked: count, accepted: 0 }]));
  return [courier.id, { at: NOON, bands } as AcceptanceRecord];
}

test('[M58] couriers who wait for goods, or have an offer, hide none who are free', () => {
  const asked = Array.from({ length: 80 }, () => aDelivery());
  const thinking = asked.map(() => runCourier(at(5)));
  const openOffers = asked.map((delivery, index) =>
    anOffer({ deliveryId: delivery.id, courierId: thinking[index]!.courier.id, expiresAt: NOON + 20_000 }),
  );
  const waiting = Array.from({ length: 80 }, () => runCourier(at(5), {}, [aDelivery({ state: 'assigned' })]));
  const free = runCourier(at(1000));
  const fresh = aDelivery();
  const couriers = [...thinking, ...waiting, free];
  const plan = planRun(runInput({ deliveries: [...asked, fresh], couriers, openOffers }));
  expect(plan.pairs.map(({ delivery, courierId }) => [delivery.id, courierId])).toEqual([[fresh.id, free.courier.id]]);
});

test('[M58] however much is expected, the only courier receives the offer of the present delivery', () => {
  const only = runCourier(at(100));
  for (const orders of [200, 1000, 5000]) {
    const recent = Array.from({ length: orders }, () => recentOrder(aDelivery(), NOON));
    expect(planRun(runInput({ deliveries: [aDelivery()], couriers: [only], recent })).pairs).toHaveLength(1);
  }
});

test('[M58] however often the only courier has declined, they receive the offer', () => {
  const only = runCourier(at(100));
  for (const count of [20, 100, 1000]) {
    const acceptance = new Map([noes(only, count)]);
    expect(planRun(runInput({ deliveries: [aDelivery()], couriers: [only], acceptance })).pairs).toHaveLength(1);
  }
});

test('[M39] an offer is not withdrawn for a nearer courier who nearly always declines', () => {
  const [decliner, willing] = [runCourier(at(100)), runCourier(at(2200))];
  const delivery = aDelivery();
  const openOffers = [anOffer({ deliveryId: delivery.id, courierId: willing.courier.id, expiresAt: NOON + 20_000 })];
  const input = { deliveries: [delivery], couriers: [decliner, willing], openOffers };
  const better = planRun(runInput(input)).outdone;
  expect(better).toHaveLength(1);
  expect(planRun(runInput({ ...input, acceptance: new Map([noes(decliner, 200)]) })).outdone).toEqual([]);
});

test('[M30] a courier who waits at a pickup location receives the offer of ready goods there, before another is sent', () => {
  const waitedFor = aDelivery({ state: 'assigned', times: { readyAt: NOON } });
  const waiting = runCourier(at(0), { capacity: 2 }, [waitedFor]);
  const ready = aDelivery();
  const plan = planRun(runInput({ deliveries: [ready], couriers: [waiting, runCourier(at(9000))] }));
  expect(plan.pairs.map(({ courierId }) => courierId)).toEqual([waiting.courier.id]);
});

test('[M6] a delivery that was accepted between two reads counts once as the courier’s', () => {
  const delivery = aDelivery();
  const held = runCourier(at(100), {}, [{ ...delivery, state: 'assigned' }]);
  const openOffers = [anOffer({ deliveryId: delivery.id, courierId: held.courier.id, expiresAt: NOON + 20_000 })];
  const { answer } = planRun(runInput({ deliveries: [delivery], couriers: [held], openOffers }));
  expect(answer.kept.flatMap(({ bundles }) => bundles.flat())).toEqual([delivery.id]);
});
