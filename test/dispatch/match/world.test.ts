import { expect, test } from 'vitest';
import { acceptanceOf } from '../../../src/dispatch/match/costs/refusals.ts';
import { takeSnapshot } from '../../../src/dispatch/regions/run/snapshot.ts';
import { enter } from '../../../src/dispatch/match/world.ts';
import { acceptanceIn, BAND_NAMES, bandOf, type AcceptanceRecord } from '../../../src/domain/offers/acceptance.ts';
import { STREET_FACTOR } from '../../../src/domain/geo/street.ts';
import { aDelivery, aStop, NOON } from '../../builders.ts';
import { at, runCourier, runInput } from './fixtures.ts';

test('[M56] the chance of a yes is that of the band in which an answer to the same way is remembered', () => {
  const entry = runCourier(at(0));
  const bands = Object.fromEntries(BAND_NAMES.map((band, index) => [band, { asked: 40, accepted: 40 - 10 * index }]));
  const record: AcceptanceRecord = { at: NOON, bands };
  const acceptance = new Map([[entry.courier.id, record]]);
  // Metres as the crow flies, on both sides of each border.
  const ways = [10, 739, 740.5, 741, 2221, 2222, 2223, 4443, 4444, 4445, 30_000];
  const deliveries = ways.map((wayM) => aDelivery({ pickup: aStop(0, { place: at(wayM) }) }));
  const { world } = takeSnapshot(runInput({ couriers: [entry], deliveries, acceptance }), deliveries);
  const arena = enter(world);
  const told = ways.map((_, order) => acceptanceOf(arena, order, 0));
  expect(told).toEqual(ways.map((wayM) => acceptanceIn(record, bandOf(wayM * STREET_FACTOR), NOON)));
  expect(new Set(told).size).toBe(BAND_NAMES.length);
});
