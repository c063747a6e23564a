import fc from 'fast-check';
import { cellToChildren, gridDisk } from 'h3-js';
import { expect, test } from 'vitest';
import {
  VIEW_RESOLUTION,
  viewCellOf,
  regionOf as regionAt,
  regionOfCell as regionOfCellAt,
} from '../../../src/domain/geo/geo.ts';
import {
  calmCell,
  nextSurge,
  presentSurge,
  surgeCellOf,
  surgeRule,
  type CellCount,
  type SurgeCell,
} from '../../../src/domain/surge/surge.ts';
import { defaultSettings } from '../../../src/settings.ts';
import { CENTER, NOON } from '../../builders.ts';
import { regionOf, regionOfCell } from '../../regions.ts';

const rule = surgeRule(defaultSettings().surge, 1);
const scope = { region: regionOf(CENTER), liveMode: true };
const children = cellToChildren(scope.region, VIEW_RESOLUTION);
/** A cell in the middle of the region, and one of its ring. */
const home = gridDisk(children[0]!, 1).every((cell) => regionOfCell(cell) === scope.region)
  ? children[0]!
  : children[24]!;
const beside = gridDisk(home, 1).find((cell) => cell !== home)!;
const STEP_MS = 5000;

type Counts = Record<string, [demand: number, supply: number]>;
const countsOf = (counts: Counts): Map<string, CellCount> =>
  new Map(Object.entries(counts).map(([cell, [demand, supply]]) => [cell, { demand, supply }]));
const next = (before: readonly SurgeCell[], counts: Counts, now: number): SurgeCell[] =>
  nextSurge(scope, before, countsOf(counts), rule, now);
const inHome = (cells: readonly SurgeCell[]): SurgeCell =>
  cells.find(({ cell }) => cell === home) ?? calmCell(home, true, NOON);

/** The cells after the same counts for this long, each period. */
function after(ms: number, counts: Counts, before: readonly SurgeCell[] = [], from = NOON): SurgeCell[] {
  let cells = next(before, counts, from);
  for (let at = from + STEP_MS; at <= from + ms; at += STEP_MS) cells = next(cells, counts, at);
  return cells;
}

const MINUTE = 60_000;
const LONG = 30 * MINUTE;

const anyCounts = fc
  .array(fc.tuple(fc.constantFrom(...children), fc.nat(60), fc.nat(60)), { maxLength: 8 })
  .map((rows) => Object.fromEntries(rows.map(([cell, demand, supply]) => [cell, [demand, supply]])) as Counts);
const anyHistory = fc.array(fc.tuple(anyCounts, fc.integer({ min: 0, max: 10 * MINUTE })), { maxLength: 6 });

/** The cells after a history of counts and the pauses that followed them. */
function lived(history: readonly (readonly [Counts, number])[]): { cells: SurgeCell[]; now: number } {
  let cells: SurgeCell[] = [];
  let now = NOON;
  for (const [counts, pauseMs] of history) {
    cells = next(
      cells.map((each) => presentSurge(each, rule, now)),
      counts,
      now,
    );
    now += pauseMs;
  }
  return { cells: cells.map((each) => presentSurge(each, rule, now)), now };
}

test('[O47] a surge always lies between 1 and the cap, in steps of 0.1, and only cells of the region have one', () => {
  fc.assert(
    fc.property(anyHistory, (history) => {
      for (const { cell, surge, ratio } of lived(history).cells) {
        expect(surge).toBeGreaterThanOrEqual(1);
        expect(surge).toBeLessThanOrEqual(rule.cap);
        expect(Math.abs(surge * 10 - Math.round(surge * 10))).toBeLessThan(1e-9);
        expect(ratio).toBeGreaterThanOrEqual(0);
        expect(ratio).toBeLessThanOrEqual(rule.cap);
        expect(regionOfCell(cell)).toBe(scope.region);
      }
    }),
  );
  expect(inHome(after(LONG, { [home]: [500, 1] }))).toMatchObject({ surge: rule.cap, demand: 500, supply: 1 });
  const low = surgeRule({ ...defaultSettings().surge, cap: 1 }, 1);
  const flat = nextSurge(scope, [], countsOf({ [home]: [500, 0] }), low, NOON);
  expect(new Set(flat.map(({ surge }) => surge))).toEqual(new Set([1]));
});

test('[O48] more demand never lowers a surge and more supply never raises one, here and around', () => {
  fc.assert(
    fc.property(anyHistory, anyCounts, fc.constantFrom(...children), fc.nat(20), (history, counts, cell, more) => {
      const { cells, now } = lived(history);
      const [demand, supply] = counts[cell] ?? [0, 0];
      const surges = ([d, s]: [number, number]) => {
        const made = next(cells, { ...counts, [cell]: [d, s] }, now + STEP_MS);
        const known = new Map(made.map((each) => [each.cell, each]));
        return children.map((each) => known.get(each)?.surge ?? 1);
      };
      const plain = surges([demand, supply]);
      const wanted = surges([demand + more, supply]);
      const served = surges([demand, supply + more]);
      for (const [index, surge] of plain.entries()) {
        expect(wanted[index]).toBeGreaterThanOrEqual(surge);
        expect(served[index]).toBeLessThanOrEqual(surge);
      }
    }),
  );
});

test('[O48] the surge is 1 if a courier is free for each delivery, or if a single delivery has none', () => {
  expect(inHome(after(LONG, { [home]: [8, 8] })).surge).toBe(1);
  expect(inHome(after(LONG, { [home]: [1, 0] })).surge).toBe(1);
  expect(inHome(after(LONG, { [home]: [2, 0] })).surge).toBe(2);
  expect(inHome(after(LONG, { [home]: [12, 8] })).surge).toBe(1.5);
});

test('[O48] couriers and deliveries of the ring around count half', () => {
  expect(inHome(after(LONG, { [home]: [4, 1], [beside]: [0, 2] })).surge).toBe(2);
  expect(inHome(after(LONG, { [home]: [2, 2], [beside]: [2, 0] })).surge).toBe(1.5);
  expect(after(LONG, { [home]: [4, 0] }).find(({ cell }) => cell === beside)?.surge).toBe(2);
});

test('[O49] a surge follows a shortage within minutes, and ends within minutes once there are couriers again', () => {
  const scarce = { [home]: [5, 2] } as Counts;
  expect(inHome(after(30_000, scarce)).surge).toBe(1);
  expect(inHome(after(4 * MINUTE, scarce)).surge).toBeCloseTo(2.5 * (1 - 1 / Math.E), 1);
  const met = after(LONG, scarce);
  expect(inHome(met).surge).toBe(2.5);
  expect(inHome(after(4 * MINUTE, { [home]: [0, 9] }, met, NOON + LONG)).surge).toBe(1);
});

test('[O49] an uncounted cell fades by itself: unknown after 15 s, back at 1 within minutes', () => {
  fc.assert(
    fc.property(anyHistory, fc.integer({ min: 0, max: LONG }), fc.integer({ min: 0, max: LONG }), (history, a, b) => {
      const { cells, now } = lived(history);
      for (const each of cells) {
        const [sooner, later] = [Math.min(a, b), Math.max(a, b)].map((ms) => presentSurge(each, rule, now + ms));
        expect(later!.surge).toBeLessThanOrEqual(sooner!.surge);
        expect(presentSurge(each, rule, now + rule.freshMs + 4 * MINUTE).surge).toBe(1);
      }
    }),
  );
  const [cell] = after(LONG, { [home]: [5, 2] }).filter((each) => each.cell === home);
  const at = (ms: number) => presentSurge(cell!, rule, NOON + LONG + ms);
  expect(at(15_000)).toEqual(cell);
  expect(at(16_000)).toMatchObject({ demand: 0, supply: null });
  expect(at(2 * MINUTE).surge).toBe(1.6);
});

test('[O49] after a pause an average continues as if no search had been on', () => {
  const met = after(LONG, { [home]: [5, 2] });
  const now = NOON + LONG + 3 * MINUTE;
  const then = inHome(met.map((each) => presentSurge(each, rule, now)));
  const again = inHome(next([then], { [home]: [5, 2] }, now));
  expect(again.ratio).toBeGreaterThan(then.ratio);
  expect(again.ratio).toBeLessThan(then.ratio + 2.5 * (rule.freshMs / rule.fadeMs));
});

test('[O50] a ratio that wavers by less than half a step moves the surge once at most, wherever it stands', () => {
  const prompt = { ...rule, fadeMs: 1 };
  const level = fc.integer({ min: 900, max: 2400 });
  const noise = fc.array(fc.integer({ min: 0, max: 50 }), { minLength: 2, maxLength: 30 });
  fc.assert(
    fc.property(level, noise, (perMille, wavers) => {
      let cells: SurgeCell[] = next([], { [home]: [1, 1000] }, NOON);
      const surges = wavers.map((waver, index) => {
        const counts = countsOf({ [home]: [perMille + waver, 1000] });
        cells = nextSurge(scope, cells, counts, prompt, NOON + (index + 1) * STEP_MS);
        return inHome(cells).surge;
      });
      const changes = surges.slice(1).filter((surge, index) => surge !== surges[index]);
      expect(changes.length).toBeLessThanOrEqual(1);
      for (const [index, surge] of surges.entries()) {
        expect(Math.abs(surge - Math.max(1, (perMille + wavers[index]!) / 1000))).toBeLessThanOrEqual(0.0751);
      }
    }),
  );
});

test('[O51] a place at the border of a region counts in a cell of that region', () => {
  const steps = Array.from({ length: 60 }, (_, index) => (index - 30) / 150);
  const places = steps.flatMap((lat) => steps.map((lng) => ({ lat: CENTER.lat + lat, lng: CENTER.lng + lng })));
  let strays = 0;
  for (const place of places) {
    const region = regionOf(place);
    const cell = surgeCellOf(place, region);
    if (regionOfCell(viewCellOf(place)) === region) expect(cell).toBe(viewCellOf(place));
    else strays += 1;
    expect(regionOfCell(cell)).toBe(region);
    expect(gridDisk(viewCellOf(place), 1)).toContain(cell);
  }
  expect(strays).toBeGreaterThan(10);
});

test.each([4, 5, 6])('[O51] this holds for every size of regions, here resolution %i', (resolution) => {
  const steps = Array.from({ length: 120 }, (_, index) => (index - 60) / 30);
  const places = steps.flatMap((lat) => steps.map((lng) => ({ lat: CENTER.lat + lat, lng: CENTER.lng + lng })));
  const strays = places.filter((place) => {
    const region = regionAt(place, resolution);
    return regionOfCellAt(surgeCellOf(place, region), resolution) !== region;
  });
  expect(strays).toEqual([]);
});
