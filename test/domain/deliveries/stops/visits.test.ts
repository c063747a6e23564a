import { fc, test as property } from '@fast-check/vitest';
import { expect, test } from 'vitest';
import { distanceM, offsetBy, type Coordinates } from '../../../../src/domain/geo/geo.ts';
import { byVisit, MOST_DROP_OFFS } from '../../../../src/domain/deliveries/stops/stop.ts';
import { orderVisits, visitOrder } from '../../../../src/domain/deliveries/stops/visits.ts';
import { aStop, CENTER } from '../../../builders.ts';

const doorAt = (eastM: number, northM = 0) => ({ place: offsetBy(CENTER, eastM, northM), window: null });
const lengthOf = (way: readonly Coordinates[]): number =>
  way.reduce((sum, place, index) => (index === 0 ? 0 : sum + distanceM(way[index - 1]!, place)), 0);
const along = (doors: readonly { readonly place: Coordinates }[]): number =>
  lengthOf([CENTER, ...doors.map(({ place }) => place)]);

function* ordersOf<T>(items: readonly T[]): Generator<T[]> {
  if (items.length === 0) yield [];
  for (const [index, item] of items.entries()) {
    for (const rest of ordersOf(items.toSpliced(index, 1))) yield [item, ...rest];
  }
}

const metres = fc.integer({ min: -5000, max: 5000 });
const someDoors = fc.array(fc.tuple(metres, metres), { minLength: 1, maxLength: 6 });

property.prop([someDoors], { numRuns: 100 })(
  '[D80] no order of the drop-offs has a shorter way from the pickup than the order of visits',
  (places) => {
    const doors = places.map(([eastM, northM]) => doorAt(eastM, northM));
    const visits = orderVisits(CENTER, doors);
    expect(new Set(visits)).toEqual(new Set(doors));
    expect(visits).toHaveLength(doors.length);
    const shortestM = Math.min(...[...ordersOf(doors)].map(along));
    expect(along(visits)).toBeCloseTo(shortestM, 1);
  },
);

const matrix = (count: number) =>
  fc.array(fc.array(fc.integer({ min: 0, max: 3600 }), { minLength: count, maxLength: count }), {
    minLength: count,
    maxLength: count,
  });
const someTables = fc.integer({ min: 1, max: 7 }).chain((count) => matrix(count + 1));

property.prop([someTables], { numRuns: 100 })(
  '[E51] no order of the drop-offs takes less time than the order of visits, also if the ways back take another time',
  (table) => {
    const doors = table.slice(1).map((_row, at) => doorAt(at));
    const secondsOf = (stops: readonly number[]): number =>
      stops.reduce((sum, stop, at) => sum + table[stops[at - 1] ?? 0]![stop]!, 0);
    const numbers = doors.map((_door, at) => at + 1);
    const visits = visitOrder(CENTER, doors, (from, to) => table[from]![to]!);
    expect(visits.toSorted((a, b) => a - b)).toEqual(numbers);
    expect(secondsOf(visits)).toBe(Math.min(...[...ordersOf(numbers)].map(secondsOf)));
  },
);

test('[E51] the listed order stays if a drop-off has a window, whatever the times are', () => {
  const timed = { ...doorAt(500), window: { readyAt: null, deadlineAt: 1 } };
  expect(visitOrder(CENTER, [doorAt(2000), timed], (_from, to) => (to === 1 ? 900 : 1))).toEqual([1, 2]);
});

test('[D80] ten drop-offs listed crosswise are visited one after the other', () => {
  const listed = [7, 2, 10, 5, 1, 9, 4, 8, 3, 6].map((step) => doorAt(step * 300));
  const placed = orderVisits(CENTER, listed).map(({ place }) => Math.round(distanceM(CENTER, place) / 300));
  expect(placed).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
});

test('[D80] the listed order stays if a drop-off has a window', () => {
  const [far, near] = [doorAt(2000), doorAt(500)];
  expect(orderVisits(CENTER, [far, near])).toEqual([near, far]);
  const timed = { ...near, window: { readyAt: null, deadlineAt: 1 } };
  expect(orderVisits(CENTER, [far, timed])).toEqual([far, timed]);
});

test('[D80] between equally long ways, the order nearest to the list wins', () => {
  const [east, west] = [doorAt(1000), doorAt(-1000)];
  expect(orderVisits(CENTER, [east, west])).toEqual([east, west]);
  expect(orderVisits(CENTER, [west, east])).toEqual([west, east]);
  // Flats of one house, and some at the pickup itself.
  const flats = [2000, 1000, 1000, 0, 1000, 0].map((eastM, flat) => ({ ...doorAt(eastM), flat }));
  expect(orderVisits(CENTER, flats).map(({ flat }) => flat)).toEqual([3, 5, 1, 2, 4, 0]);
});

test('[D80] places that are not numbers stay in the listed order', () => {
  const doors = [doorAt(1), doorAt(2), doorAt(3)].map((door) => ({ ...door, place: { lat: Number.NaN, lng: 0 } }));
  expect(orderVisits(CENTER, doors)).toEqual(doors);
});

test('[D80] more drop-offs than a delivery may have are an error', () => {
  const doors = Array.from({ length: MOST_DROP_OFFS + 1 }, (_, step) => doorAt(step));
  expect(() => orderVisits(CENTER, doors)).toThrow(RangeError);
});

test('[D80] stops are sorted by their visits, whatever their numbers', () => {
  const stops = [aStop(1, { visit: 3 }), aStop(2, { visit: 1 }), aStop(3, { visit: 2 })];
  expect(byVisit(stops).map(({ index }) => index)).toEqual([2, 3, 1]);
});
