import fc from 'fast-check';
import { gridDisk } from 'h3-js';
import { expect, test } from 'vitest';
import { distanceM, offsetBy, viewCellOf } from '../../../src/domain/geo/geo.ts';
import { planHints, type HintRule, type IdleCourier } from '../../../src/domain/surge/hint.ts';
import { newId } from '../../../src/domain/ids.ts';
import { centerOf, sumAround } from '../../../src/domain/surge/surge.ts';
import { CENTER, NOON } from '../../builders.ts';

const rule: HintRule = { mostDistanceM: 5000, mostAtOnce: 20, expiresAt: NOON + 900_000 };
const cells = gridDisk(viewCellOf(CENTER), 3);
const [home = '', ring = ''] = cells;
/** A cell two rings away from home. */
const away = gridDisk(home, 2).find((cell) => !gridDisk(home, 1).includes(cell))!;

const courierIn = (cell: string, eastM = 0): IdleCourier => ({
  courierId: newId('cou'),
  place: offsetBy(centerOf(cell), eastM, 0),
  cell,
});
const countIn = (idle: readonly IdleCourier[]): Map<string, number> => {
  const counts = new Map<string, number>();
  for (const { cell } of idle) counts.set(cell, (counts.get(cell) ?? 0) + 1);
  return counts;
};

test('[O54] the nearest idle courier of a cell with a surplus gets a hint about a cell that will lack one', () => {
  const idle = [courierIn(away, 600), courierIn(away, -400), courierIn(away, 900)];
  const expected = new Map([[home, 1.2]]);
  const hints = planHints(expected, countIn(idle), idle, rule);
  const nearest = idle.toSorted((a, b) => distanceM(a.place, centerOf(home)) - distanceM(b.place, centerOf(home)))[0]!;
  expect(hints).toMatchObject([{ courierId: nearest.courierId, cell: home, place: centerOf(home), expected: 1 }]);
  expect(hints[0]!.distanceM).toBe(distanceM(nearest.place, centerOf(home)));
  expect(hints[0]!.expiresAt).toBe(rule.expiresAt);
});

test('[O54] couriers around a cell are enough for it, and those of the ring count half', () => {
  const around = [courierIn(ring), courierIn(ring), courierIn(away)];
  const free = countIn(around);
  expect(planHints(new Map([[home, 1.9]]), free, around, rule)).toEqual([]);
  expect(planHints(new Map([[home, 2.1]]), free, around, rule)).toHaveLength(1);
  expect(planHints(new Map([[home, 0.9]]), new Map(), around, rule)).toEqual([]);
});

test('[O54] a courier gets a hint about one cell, the nearest, and a cell keeps the couriers that it needs', () => {
  const [idle, colleague] = [courierIn(away), courierIn(away)];
  const farther = gridDisk(home, 3).find(
    (cell) => !gridDisk(home, 2).includes(cell) && !gridDisk(away, 1).includes(cell),
  )!;
  const wide = { ...rule, mostDistanceM: 50_000 };
  const two = new Map([
    [farther, 5],
    [home, 5],
  ]);
  const places = [farther, home].map((cell) => ({ cell, awayM: distanceM(idle.place, centerOf(cell)) }));
  const nearest = places.toSorted((a, b) => a.awayM - b.awayM)[0]!;
  expect(planHints(two, new Map([[away, 3]]), [idle], wide)).toMatchObject([
    { courierId: idle.courierId, cell: nearest.cell },
  ]);
  const needs = (count: number) =>
    new Map([
      [home, 5],
      [away, count],
    ]);
  expect(planHints(needs(0), new Map([[away, 2]]), [idle, colleague], wide)).toHaveLength(2);
  expect(planHints(needs(0.2), new Map([[away, 2]]), [idle, colleague], wide)).toHaveLength(1);
  expect(planHints(needs(1.2), new Map([[away, 2]]), [idle, colleague], wide)).toEqual([]);
});

const anyWorld = fc.record({
  expected: fc.array(fc.tuple(fc.constantFrom(...cells), fc.double({ min: 0, max: 12, noNaN: true })), {
    maxLength: 9,
  }),
  idle: fc.array(fc.tuple(fc.constantFrom(...cells), fc.integer({ min: -600, max: 600 })), { maxLength: 40 }),
  busy: fc.array(fc.constantFrom(...cells), { maxLength: 10 }),
  most: fc.integer({ min: 0, max: 20 }),
});

test('[O54] no courier gets two hints, no lack gets two couriers, no hint goes too far, and no cell gives what it needs', () => {
  fc.assert(
    fc.property(anyWorld, ({ expected: wanted, idle: standing, busy, most }) => {
      const idle = standing.map(([cell, eastM]) => courierIn(cell, eastM));
      const expected = new Map(wanted);
      const free = countIn([...idle, ...busy.map((cell) => courierIn(cell))]);
      const hints = planHints(expected, free, idle, { ...rule, mostAtOnce: most });
      expect(hints.length).toBeLessThanOrEqual(most);
      expect(new Set(hints.map(({ courierId }) => courierId)).size).toBe(hints.length);
      const cellOf = new Map(idle.map(({ courierId, cell }) => [courierId, cell]));
      for (const { distanceM: wayM } of hints) expect(wayM).toBeLessThanOrEqual(rule.mostDistanceM);
      for (const cell of cells) {
        const lacking = (expected.get(cell) ?? 0) - sumAround(cell, (each) => free.get(each) ?? 0);
        const sent = hints.filter((hint) => hint.cell === cell).length;
        expect(sent).toBeLessThanOrEqual(Math.max(0, Math.floor(lacking)));
        const given = hints.filter(({ courierId }) => cellOf.get(courierId) === cell).length;
        if (given > 0) expect((free.get(cell) ?? 0) - given).toBeGreaterThanOrEqual(expected.get(cell) ?? 0);
      }
    }),
  );
});
