import { expect, test } from 'vitest';
import type { ArrivalFigures } from '../../../load-tests/simulate/figures/arrivals.ts';
import { parseOptions } from '../../../load-tests/streets/options.ts';
import { judge, lastLine, tableOf, type Both } from '../../../load-tests/streets/report.ts';
import { figuresWith } from '../simulate/figures.ts';

/** A run whose prices and arrivals are as wrong as the bench allows with routes. */
function side(over: Partial<Both['routes']> = {}): Both['routes'] {
  const errors = (p50: number, p90: number) => ({ count: 2, p50, p90, lean: -p50 });
  const day: ArrivalFigures = {
    first: errors(300, 600),
    pickup: errors(80, 200),
    collected: errors(45, 150),
    luck: errors(30, 90),
    distance: errors(0.02, 0.5),
    routes: 2,
  };
  const { outcome } = figuresWith({});
  return {
    orders: 2,
    outcome: { ...outcome, delivered: 2 },
    arrivals: { day, halves: [{ ...day, first: errors(301, 601) }, day] },
    money: { charged: 2, paid: 10, earned: 8, entries: 7, faults: [] },
    surprises: {},
    problems: [],
    wallS: 60,
    ...over,
  };
}

function withDay(figures: Partial<ArrivalFigures>): Both['routes'] {
  const { arrivals } = side();
  return side({ arrivals: { ...arrivals, day: { ...arrivals.day, ...figures } } });
}

test('[Y52] two runs at their limits pass, and the table has both side by side', () => {
  const report = judge({ routes: side(), estimates: withDay({ collected: { count: 2, p50: 99, p90: 999, lean: 1 } }) });
  expect(report.problems).toEqual([]);
  expect(lastLine(report)).toBe(
    'ok 2 orders twice, at collection p50 45 s and p90 150 s, priced distance within 2.0 %, 60 s',
  );
  const lines = tableOf(report);
  expect(lines).toContain('| error of the arrival at collection, s | 45.0, 150.0 (-45.0) | 99.0, 999.0 (1.0) |');
  expect(lines).toContain('| luck of the ride, s | 30.0, 90.0 (-30.0) | 30.0, 90.0 (-30.0) |');
  expect(lines).toContain('| priced against driven distance, % | 2.0, 50.0 (-2.0) | 2.0, 50.0 (-2.0) |');
  expect(lines).toContain('| – first half of the orders | 301.0, 601.0 (-301.0) | 301.0, 601.0 (-301.0) |');
  expect(lines).toContain('| ledger | 7 entries, 0 faults | 7 entries, 0 faults |');
});

test('[Y52] exactly the missed limits are named, and arrivals and prices are judged with routes alone', () => {
  const bad = {
    collected: { count: 2, p50: 45.1, p90: 150.1, lean: 0 },
    distance: { count: 2, p50: 0.021, p90: 1, lean: 0 },
  };
  expect(judge({ routes: withDay(bad), estimates: withDay(bad) }).problems).toEqual([
    'routes: 2.1 % between priced and driven distance, median; at most 2 wanted',
    'routes: 45.1 s between expected and true arrival at the collection, p50; at most 45 wanted',
    'routes: 150.1 s between expected and true arrival at the collection, p90; at most 150 wanted',
  ]);
  const none = { count: 0, p50: NaN, p90: NaN, lean: NaN };
  expect(judge({ routes: withDay({ distance: none }), estimates: side() }).problems).toHaveLength(1);
  const { outcome } = side();
  const lost = side({ outcome: { ...outcome, delivered: 1 }, money: null, problems: ['1 events out of order'] });
  expect(judge({ routes: side(), estimates: lost }).problems).toEqual([
    'estimates: 1 events out of order',
    'estimates: 1 of 2 orders were not delivered',
    'estimates: the ledger was not verified',
  ]);
});

test('[Y52] both runs have the same options, and only one of them has servers with routes', () => {
  const { streets, routes, estimates } = parseOptions(['day', '--speed', '20', '--seed', '3', '--to', '700']);
  expect(streets).toMatch(/\.osm\.pbf$/);
  expect(routes).toMatchObject({ day: 'day', speed: 20, seed: 3, toMin: 700, set: {} });
  expect(estimates).toEqual({ ...routes, set: { TRAVEL_ROUTER_URL: '' } });
  expect(parseOptions([]).routes).toMatchObject({ day: 'examples/day-vaduz', speed: 30 });
  expect(() => parseOptions(['a', 'b'])).toThrow('name one day folder');
  expect(() => parseOptions(['--speed', 'fast'])).toThrow('--speed must be a number from 0.1 to 1000');
});
