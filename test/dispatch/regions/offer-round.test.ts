import { expect, test } from 'vitest';
import { makeOffer, planRound } from '../../../src/dispatch/regions/run/offer-round.ts';
import { newId } from '../../../src/domain/ids.ts';
import { aDelivery, anOffer, NOON } from '../../builders.ts';
import { settings } from '../match/fixtures.ts';

const closedAs = (...states: ('declined' | 'expired' | 'withdrawn')[]) =>
  states.map((state) => anOffer({ deliveryId: newId('del'), courierId: newId('cou'), state, closedAt: NOON }));

test('[O1] one courier receives the offer at a time, until three declines or expiries; then three at once', () => {
  const round = (...states: Parameters<typeof closedAs>) =>
    planRound(aDelivery(), closedAs(...states), settings.offers);
  expect(round()).toMatchObject({ isExclusive: true, count: 1 });
  expect(round('declined', 'expired', 'withdrawn')).toMatchObject({ isExclusive: true, count: 1 });
  expect(round('declined', 'expired', 'expired')).toMatchObject({ isExclusive: false, count: 3 });
});

test('[O2] an express offer lives 25 s, a scheduled one 60 s, from when it is made', () => {
  expect(planRound(aDelivery(), [], settings.offers).ttlMs).toBe(25_000);
  expect(planRound(aDelivery({ priority: 'scheduled' }), [], settings.offers).ttlMs).toBe(60_000);
  const one = aDelivery();
  const made = makeOffer(one, newId('cou'), planRound(one, [], settings.offers), 7, NOON);
  expect(made).toMatchObject({
    state: 'open',
    fence: 7,
    region: one.region,
    expiresAt: NOON + 25_000,
    deliveredAt: null,
  });
});
