import { expect, test } from 'vitest';
import { SET_OFF_S } from '../../../src/domain/deliveries/way.ts';
import { offsetBy, type Coordinates } from '../../../src/domain/geo/geo.ts';
import type { LegSample } from '../../../src/domain/learning/travel.ts';
import type { Ride } from '../../../src/domain/learning/ways.ts';
import { until } from '../../until.ts';
import { aSample, cellOf, freshPlace, many, openLearned } from './travel-house.ts';

const { store, travelHere } = await openLearned('set-offs');
const departure = (place: Coordinates, setOffS: number, over: Partial<LegSample> = {}): LegSample =>
  aSample(place, 4, { setOffS, ...over });

test('[K21] times to set off are the default until the cell was read, and never mixed with other modes and vehicles', async () => {
  const { travel, look } = travelHere();
  const place = freshPlace();
  await travel.record([...many(60, departure(place, 10)), ...many(20, aSample(place, 4))]);
  const setOffS = (over: Partial<Ride> = {}): number =>
    travel.setOffS({ from: place, vehicle: 'scooter', liveMode: true, ...over });
  expect(setOffS()).toBe(SET_OFF_S);
  await look();
  await until(() => setOffS() < 20);
  expect(setOffS()).toBeGreaterThan(10);
  expect([setOffS({ liveMode: false }), setOffS({ vehicle: 'van' })]).toEqual([SET_OFF_S, SET_OFF_S]);
});

test('[K21] a cell without departures has those of its area, and a single long stay counts as 300 s', async () => {
  const { travel, look } = travelHere();
  const place = freshPlace();
  await travel.record(many(60, departure(place, 20_000)));
  const beside = offsetBy(place, 4000, 0);
  expect(cellOf(beside)).not.toBe(cellOf(place));
  const setOffS = (at: Coordinates): number => travel.setOffS({ from: at, vehicle: 'scooter', liveMode: true });
  for (const at of [place, beside]) setOffS(at);
  await look();
  await until(() => setOffS(place) > 200 && setOffS(beside) > 200);
  expect(setOffS(place)).toBeLessThan(300);
});

test('[K21] stored times to set off equal plain sums that fade', async () => {
  const place = freshPlace();
  // A departure that was recorded before its collection counts as none at all: the clocks of two processes differ.
  for (const seconds of [-3600, 30, 90]) await store.record([departure(place, seconds)]);
  await store.record([aSample(place, 4)]);
  const found = await store.load([{ cell: cellOf(place), liveMode: true }], 0);
  expect(found.map(({ setOff }) => setOff)).toEqual([{ seconds: 30 * 0.98 + 90, seen: 0.98 * 1.98 + 1 }]);
});
