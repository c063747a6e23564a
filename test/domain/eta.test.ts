import { expect, test } from 'vitest';
import { etaOf, travelS } from '../../src/domain/eta.ts';
import { aCourier, aDelivery, aStop, CENTER, heldBy, NOON } from '../builders.ts';

const MINUTE = 60_000;
const courier = aCourier();
const searchFromAt = NOON + 30 * MINUTE;

test('[D79] an arrival is reckoned from now, or from a search that is to come while nobody holds the delivery', () => {
  const held = etaOf(heldBy(courier, 'assigned', { searchFromAt }), CENTER, NOON);
  const wayS = travelS(CENTER, aStop(0).place, courier.vehicleType);
  expect(held.pickup?.at).toBe(Math.round(NOON + wayS * 1000));
  const searching = etaOf(aDelivery({ searchFromAt }), null, NOON);
  expect(searching.pickup?.at).toBeGreaterThan(searchFromAt);
  const late = NOON + 40 * MINUTE;
  expect(etaOf(aDelivery({ searchFromAt }), null, late).pickup?.at).toBeGreaterThan(late);
  expect(searching.dropOff?.at).toBeGreaterThan(searching.pickup?.at ?? Infinity);
});

test('[D79] a pickup is not before the ready time that was named', () => {
  const readyAt = NOON + 50 * MINUTE;
  const pickup = aStop(0, { window: { readyAt, deadlineAt: null } });
  expect(etaOf(heldBy(courier, 'assigned', { pickup }), CENTER, NOON).pickup?.at).toBe(readyAt);
  expect(etaOf(aDelivery({ pickup }), null, NOON).pickup?.at).toBe(readyAt);
});
