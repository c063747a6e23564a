import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { offsetBy, type Coordinates } from '../../../src/domain/geo/geo.ts';
import { areaOf, crowSpeedMps, routedSumsOf, type LegSample } from '../../../src/domain/learning/travel.ts';
import type { Ride } from '../../../src/domain/learning/ways.ts';
import { NOON } from '../../builders.ts';
import { keptTravel } from '../../kept-ports.ts';
import { until } from '../../until.ts';
import { aSample, cellOf, freshPlace, HOUR, many, openLearned } from './travel-house.ts';

const { mongo, store, travelHere } = await openLearned('stretches');

describe('stretches', () => {
  const ride = (from: Coordinates, over: Partial<Ride> = {}): Ride => ({
    from,
    to: offsetBy(from, 3000, 0),
    vehicle: 'scooter',
    liveMode: true,
    ...over,
  });
  const routed = (from: Coordinates, stretch: number, over: Partial<LegSample> = {}): LegSample =>
    aSample(from, 4, { routedS: 400 / stretch, ...over });

  test('[E44] equal simple sums that fade, over the legs with a route alone', async () => {
    const stretches = fc.array(fc.option(fc.double({ min: 0.2, max: 5, noNaN: true })), {
      minLength: 1,
      maxLength: 20,
    });
    const property = fc.asyncProperty(stretches, async (told) => {
      const place = freshPlace();
      const legs = told.map((stretch) => (stretch === null ? aSample(place, 4) : routed(place, stretch)));
      await store.record(legs.slice(0, 7));
      await store.record(legs.slice(7));
      const plain = { routedS: 0, seconds: 0, seen: 0 };
      for (const leg of legs) {
        const along = routedSumsOf(leg);
        if (along === null) continue;
        plain.routedS = plain.routedS * 0.98 + along.routedS;
        plain.seconds = plain.seconds * 0.98 + along.seconds;
        plain.seen = plain.seen * 0.98 + 1;
      }
      const cell = cellOf(place);
      const found = await store.load(
        [cell, areaOf(cell)].map((of) => ({ cell: of, liveMode: true })),
        0,
      );
      expect(found).toHaveLength(2);
      for (const { routed: sums } of found) {
        expect([...sums.keys()]).toEqual(plain.seen === 0 ? [] : [HOUR]);
        for (const [name, sum] of Object.entries(sums.get(HOUR) ?? {}))
          expect(sum).toBeCloseTo(plain[name as 'seen'], 6);
      }
    });
    await fc.assert(property, { numRuns: 30 });
  }, 60_000);

  test('[E44] are 1 until the cell was read, then learned, and never mixed with speeds, modes and vehicles', async () => {
    const { travel, look, scooterAt } = travelHere();
    const place = freshPlace();
    await travel.record(many(60, routed(place, 1.6)));
    const stretch = (over: Partial<Ride> = {}): number => travel.stretchAt(ride(place, over), NOON);
    expect(stretch()).toBe(1);
    await look();
    await until(() => stretch() > 1.5);
    expect(stretch()).toBeLessThan(1.6);
    expect([stretch({ liveMode: false }), stretch({ vehicle: 'van' })]).toEqual([1, 1]);
    // The speed is that of all legs, as without routes.
    const other = freshPlace();
    await store.record(many(60, aSample(other, 4)));
    scooterAt(other);
    await look();
    await until(() => scooterAt(other) !== crowSpeedMps('scooter'));
    expect(scooterAt(place)).toBeCloseTo(scooterAt(other), 9);
    expect(travel.stretchAt(ride(other), NOON)).toBe(1);
  });

  test('[E44] multiply the answers of the routing server for the matcher', async () => {
    const legs = ({ length }: readonly unknown[]): Float64Array =>
      Float64Array.from({ length }, (_, at) => (at ? NaN : 500));
    const { travel, look } = travelHere({ router: { ...keptTravel(), legs, close: () => undefined } });
    const place = freshPlace();
    await travel.record(many(60, routed(place, 1.6)));
    const rides = [ride(place), ride(place)];
    expect([...travel.legs(rides, NOON)]).toEqual([500, NaN]);
    await look();
    await until(() => travel.stretchAt(ride(place), NOON) > 1.5);
    expect([...travel.legs(rides, NOON)]).toEqual([500 * travel.stretchAt(ride(place), NOON), NaN]);
  });

  test('[E44] of a row from before routes were compared are 1, and its speeds are read on', async () => {
    const { travel, look, scooterAt } = travelHere();
    const place = freshPlace();
    await mongo.db.collection<{ _id: string }>('travel').insertOne({
      _id: `live:${cellOf(place)}:scooter`,
      hours: { h12: { metres: 40_000, seconds: 20_000, seen: 50 } },
      changedOn: new Date(),
      endsOn: new Date(Date.now() + 86_400_000),
    } as never);
    scooterAt(place);
    await look();
    await until(() => scooterAt(place) < 2.5);
    expect(travel.stretchAt(ride(place), NOON)).toBe(1);
    await travel.record(many(30, routed(place, 1.6)));
    await look(61_000);
    await until(() => travel.stretchAt(ride(place), NOON) > 1.4);
  });
});
