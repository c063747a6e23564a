import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cellToLatLng } from 'h3-js';
import {
  cellsOf,
  isInZone,
  judgeArea,
  MOST_CELLS,
  type Area,
  type Position,
} from '../../../src/domain/vendors/zone.ts';

const square = (west: number, south: number, side: number): Position[] => [
  [west, south],
  [west + side, south],
  [west + side, south + side],
  [west, south + side],
  [west, south],
];
const polygon = (...coordinates: Position[][]): Area => ({ type: 'Polygon', coordinates });
const inside = (area: Area, lat: number, lng: number) => isInZone({ area }, { lat, lng });

test('[B30] a zone contains its edge but not its holes, and every polygon of several', () => {
  const holed = polygon(square(13, 52, 1), square(13.4, 52.4, 0.2));
  expect(inside(holed, 52.2, 13.2)).toBe(true);
  expect(inside(holed, 52.5, 13.5)).toBe(false);
  expect([inside(holed, 52, 13), inside(holed, 52.5, 13)]).toEqual([true, true]);
  expect(inside(holed, 51.999, 13.2)).toBe(false);
  const two: Area = { type: 'MultiPolygon', coordinates: [[square(13, 52, 0.1)], [square(14, 52, 0.1)]] };
  expect([inside(two, 52.05, 13.05), inside(two, 52.05, 14.05), inside(two, 52.05, 13.5)]).toEqual([true, true, false]);
});

test('[B31] an unsound geometry is refused with its place and its rule', () => {
  const ruleOf = (area: Area) => judgeArea(area)?.rule ?? null;
  expect(ruleOf(polygon(square(13, 52, 1)))).toBeNull();
  expect(ruleOf(polygon(square(13, 52, 1).toReversed()))).toBeNull();
  expect(ruleOf(polygon(square(13, 52, 1).slice(0, 3)))).toMatch('four positions');
  expect(ruleOf(polygon(square(13, 52, 1).slice(0, 4)))).toMatch('closed');
  expect(ruleOf(polygon(square(13, 52, 5)))).toMatch('at most 300 km');
  expect(
    ruleOf(
      polygon([
        [179.9, 1],
        [-179.9, 1],
        [-179.9, 2],
        [179.9, 1],
      ]),
    ),
  ).toMatch('antimeridian');
  expect(
    ruleOf(
      polygon([
        [13, 52],
        [14, 53],
        [14, 52],
        [13, 53],
        [13, 52],
      ]),
    ),
  ).toMatch('neither cross nor touch');
  expect(
    ruleOf(
      polygon([
        [13, 52],
        [14, 52],
        [13, 52],
        [13, 52],
      ]),
    ),
  ).toMatch('must not repeat');
  expect(
    ruleOf(
      polygon([
        [13, 52],
        [14, 52],
        [13.5, 52],
        [13, 52],
      ]),
    ),
  ).toMatch('neither cross nor touch');
  expect(ruleOf(polygon(square(13, 52, 1), square(13.5, 52.5, 1)))).toMatch('neither cross nor touch');
  expect(ruleOf(polygon(square(13, 52, 0.5), square(14, 52, 0.1)))).toMatch('holes inside');
  const round = Array.from({ length: 501 }, (_, index): Position => {
    const angle = (2 * Math.PI * (index % 500)) / 500;
    return [13 + 0.1 * Math.cos(angle), 52 + 0.1 * Math.sin(angle)];
  });
  expect(ruleOf(polygon(round))).toMatch('at most 500 positions; it has 501');
  const two: Area = { type: 'MultiPolygon', coordinates: [[square(13, 52, 1)], [square(13, 52, 1).slice(0, 4)]] };
  expect(judgeArea(two)).toMatchObject({ pointer: '/coordinates/1/0' });
});

test('[B32] the cells of a zone of any size lie in it, and are few', () => {
  fc.assert(
    fc.property(
      fc.double({ min: -170, max: 165, noNaN: true }),
      fc.double({ min: -80, max: 78, noNaN: true }),
      fc.constantFrom(0.0001, 0.002, 0.03, 0.4, 2),
      (west, south, side) => {
        const area = polygon(square(west, south, side));
        const { cells, cellSize } = cellsOf(area);
        expect(cells.length).toBeLessThanOrEqual(MOST_CELLS);
        expect(cellSize).toBeLessThanOrEqual(10);
        for (const cell of cells.slice(0, 20)) {
          const [lat, lng] = cellToLatLng(cell);
          expect([inside(area, lat, lng), cell]).toEqual([true, cell]);
        }
      },
    ),
    { numRuns: 60 },
  );
  expect(cellsOf(polygon(square(13, 52, 0.3))).cellSize).toBe(7);
  expect(cellsOf(polygon(square(13, 52, 0.3))).cells.length).toBeGreaterThan(50);
});
