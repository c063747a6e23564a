import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { VEHICLE_TYPES } from '../../../src/domain/couriers/courier.ts';
import { offsetBy } from '../../../src/domain/geo/geo.ts';
import { areaOf, crowSpeedMps, type LegSums } from '../../../src/domain/learning/travel.ts';
import { LearnedTravel } from '../../../src/models/learning/learned-travel.ts';
import type { TravelCell } from '../../../src/models/learning/travel-store.ts';
import { CENTER, NOON } from '../../builders.ts';
import { handClock } from '../../clock.ts';
import { until } from '../../until.ts';
import { aSample, cellOf, freshPlace, HOUR, many, openLearned } from './travel-house.ts';

const { mongo, store, travelHere } = await openLearned('travel');

describe('a stored cell', () => {
  const samples = fc.array(
    fc.record({
      hour: fc.constantFrom(0, 12, 167),
      metres: fc.double({ min: 200, max: 20_000, noNaN: true }),
      seconds: fc.double({ min: 60, max: 7200, noNaN: true }),
    }),
    { minLength: 1, maxLength: 30 },
  );

  test('[K6] equals simple sums that fade', async () => {
    const property = fc.asyncProperty(samples, async (told) => {
      const place = freshPlace();
      const legs = told.map((leg) => aSample(place, 1, leg));
      // The legs come in one write or in two.
      await store.record(legs.slice(0, 12));
      await store.record(legs.slice(12));
      const plain = new Map<number, LegSums>();
      for (const { hour, metres, seconds } of legs) {
        const old = plain.get(hour) ?? { metres: 0, seconds: 0, seen: 0 };
        const faded = (before: number, add: number): number => before * 0.98 + add;
        plain.set(hour, {
          metres: faded(old.metres, metres),
          seconds: faded(old.seconds, seconds),
          seen: faded(old.seen, 1),
        });
      }
      const cell = cellOf(place);
      const found = await store.load(
        [cell, areaOf(cell)].map((of) => ({ cell: of, liveMode: true })),
        0,
      );
      expect(found).toHaveLength(2);
      for (const { hours } of found) {
        expect(new Set(hours.keys())).toEqual(new Set(plain.keys()));
        for (const [hour, sums] of plain)
          for (const [name, sum] of Object.entries(sums)) expect(hours.get(hour)?.[name as 'seen']).toBeCloseTo(sum, 6);
      }
    });
    await fc.assert(property, { numRuns: 40 });
  }, 60_000);

  test('[K6] loses no leg of concurrent writers, not even the first', async () => {
    const place = freshPlace();
    await Promise.all(many(30, aSample(place, 4)).map((leg) => store.record([leg])));
    const [found] = await store.load([{ cell: cellOf(place), liveMode: true }], 0);
    expect(found?.hours.get(HOUR)?.seen).toBeCloseTo((1 - 0.98 ** 30) / 0.02, 9);
  });

  test('[K6] is bounded in the memory of an hour and in the size of its document', async () => {
    const place = freshPlace();
    const whole = Array.from({ length: 168 }, (_, hour) => aSample(place, 4 + hour / 1000, { hour }));
    for (let week = 0; week < 4; week += 1) await store.record(whole);
    await store.record(many(400, aSample(place, 4)));
    const [row] = await mongo.db
      .collection('travel')
      .aggregate([
        { $match: { _id: { $regex: cellOf(place) } } },
        { $project: { size: { $bsonSize: '$$ROOT' }, seen: '$hours.h12.seen', endsOn: 1 } },
      ])
      .toArray();
    expect(row?.['size']).toBeLessThan(12_000);
    expect(row?.['seen']).toBeLessThanOrEqual(50);
    expect(row?.['endsOn']).toBeInstanceOf(Date);
    await store.record([]);
  });
});

describe('speeds', () => {
  test('[K7] are the default until the cell was read, and then the learned ones; callers never wait', async () => {
    const { travel, scooterAt, look } = travelHere();
    const place = freshPlace();
    await travel.record(many(60, aSample(place, 2)));
    expect(scooterAt(place)).toBe(crowSpeedMps('scooter'));
    await look();
    await until(() => scooterAt(place) < 2.5);
    expect(scooterAt(place, true, NOON + 12 * 3_600_000)).toBeLessThan(3);
    // Half a street away is another place in the same cell.
    expect(scooterAt(offsetBy(place, 40, 40))).toBe(scooterAt(place));
  });

  test('[K7] of many places are sorted by place and vehicle', async () => {
    const { travel, look } = travelHere();
    const places = [freshPlace(), freshPlace(), freshPlace()];
    await travel.record(many(60, aSample(places[1] ?? CENTER, 2, { vehicle: 'van' })));
    travel.speedsAt(places, NOON, true);
    await look();
    const plain = VEHICLE_TYPES.map(crowSpeedMps);
    const van = VEHICLE_TYPES.length + VEHICLE_TYPES.indexOf('van');
    await until(() => (travel.speedsAt(places, NOON, true)[van] ?? NaN) < 2.5);
    const speeds = [...travel.speedsAt(places, NOON, true)];
    expect(speeds).toHaveLength(places.length * VEHICLE_TYPES.length);
    expect(speeds.toSpliced(van, 1)).toEqual([...plain, ...plain.slice(0, 4), ...plain]);
    expect(travel.speedsAt([], NOON, true)).toHaveLength(0);
  });

  test('[K7] follow legs that other processes record, within a minute', async () => {
    const { travel, scooterAt, look } = travelHere();
    const [quick, slow] = [freshPlace(), freshPlace()];
    await travel.record(many(60, aSample(quick, 6)));
    scooterAt(quick);
    scooterAt(slow);
    await look();
    await until(() => scooterAt(quick) > 5.5);
    await store.record([...many(100, aSample(quick, 3)), ...many(60, aSample(slow, 2))]);
    await look(61_000);
    await until(() => scooterAt(quick) < 3.5 && scooterAt(slow) < 2.5);
    // And again for later reads, which return only newer legs.
    await store.record(many(200, aSample(slow, 8)));
    await look(61_000);
    await until(() => scooterAt(slow) > 7);
    expect(scooterAt(quick)).toBeLessThan(3.5);
  });

  test('[K7] are read again after a minute of service time, also if it runs faster than the machine', async () => {
    const clock = handClock(Date.now());
    const { scooterAt } = travelHere({ clock: { ...clock, scale: 30 } });
    const place = freshPlace();
    await store.record(many(60, aSample(place, 6)));
    scooterAt(place);
    await clock.advance(1000);
    await until(() => scooterAt(place) > 5.5);
    await store.record(many(200, aSample(place, 2)));
    await clock.advance(2000);
    await until(() => scooterAt(place) < 3);
    expect(scooterAt(place)).toBeGreaterThan(1);
  });

  test('[K8] of different modes, cells and vehicles do not affect each other', async () => {
    const { travel, scooterAt, look } = travelHere();
    const [place, other] = [freshPlace(), freshPlace()];
    await travel.record(many(60, aSample(place, 2)));
    const asked = (): number[] => [scooterAt(place), scooterAt(place, false), scooterAt(other)];
    asked();
    await look();
    await until(() => (asked()[0] ?? NaN) < 2.5);
    expect(asked().slice(1)).toEqual([crowSpeedMps('scooter'), crowSpeedMps('scooter')]);
    expect(travel.speedsAt([place], NOON, true)[0]).toBe(crowSpeedMps('bicycle'));
  });

  test('[K7] stay while the database is away, and are read again when it is back', async () => {
    let isAway = false;
    const collection: typeof mongo.collection = (name) =>
      new Proxy(mongo.collection(name), {
        get: (real, key) => {
          if (isAway && key === 'find') throw new Error('away');
          return Reflect.get(real, key);
        },
      });
    const { travel, scooterAt, look, log } = travelHere({ mongo: { ...mongo, collection } });
    const [known, other] = [freshPlace(), freshPlace()];
    await travel.record([...many(60, aSample(known, 2)), ...many(60, aSample(other, 2))]);
    scooterAt(known);
    await look();
    await until(() => scooterAt(known) < 2.5);
    isAway = true;
    expect(scooterAt(other)).toBe(crowSpeedMps('scooter'));
    await look(5000);
    await until(() => log.lines.length > 0);
    expect(scooterAt(known)).toBeLessThan(2.5);
    isAway = false;
    await look(5000);
    await until(() => scooterAt(other) < 2.5);
    expect(log.lines.map(({ level }) => level)).toEqual(['error', 'warn']);
    // A read of changes that failed is made again soon, and not a minute later.
    await store.record(many(200, aSample(known, 8)));
    isAway = true;
    await look(61_000);
    await until(() => log.lines.length === 3);
    isAway = false;
    await look(2000);
    await until(() => scooterAt(known) > 5);
  });
});

describe('the memory of cells', () => {
  test('[K8] is bounded for each mode, so test cells take no room of live ones, and unused cells make room', async () => {
    const clock = handClock();
    const read: TravelCell[][] = [];
    const speeds = new LearnedTravel(
      {
        load: (cells) => {
          read.push([...cells]);
          return Promise.resolve([]);
        },
      },
      clock,
    );
    const all = Array.from({ length: 5000 }, (_, index) => offsetBy(CENTER, (index % 100) * 5000, index * 100));
    expect(new Set(all.map(cellOf)).size).toBeGreaterThan(4500);
    for (const liveMode of [false, true]) expect(speeds.speedsAt(all, NOON, liveMode)).toHaveLength(25_000);
    await speeds.refresh();
    for (const [mode, most] of [
      [true, 3000],
      [false, 1000],
    ] as const) {
      const places = read.flat().filter(({ liveMode }) => liveMode === mode);
      expect(places.length).toBeLessThanOrEqual(most);
      // A cell only finds room together with its area.
      expect(places.length).toBeGreaterThan(most - 2);
    }
    expect(Math.max(...read.map(({ length }) => length))).toBeLessThanOrEqual(50);
    const last = all.at(-1) ?? CENTER;
    const isKnown = (): boolean => read.flat().some(({ cell }) => cell === cellOf(last));
    expect(isKnown()).toBe(false);
    await clock.advance(11 * 60_000);
    await speeds.refresh();
    speeds.speedsAt([last], NOON, true);
    await speeds.refresh();
    expect(isKnown()).toBe(true);
  });
});
