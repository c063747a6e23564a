import { expect, test } from 'vitest';
import type { Day, Order, Point } from '../../../load-tests/day/day.ts';
import { playProven } from '../../../load-tests/dispatch/contenders.ts';
import { measure } from '../../../load-tests/dispatch/metrics.ts';
import type { PlayOptions } from '../../../load-tests/dispatch/play/outcome.ts';
import { playDay } from '../../../load-tests/dispatch/play/play.ts';
import { generateDay } from '../../../load-tests/day/generate-day.ts';
import { createRandom } from '../../../load-tests/random.ts';
import type { Rules } from '../../../src/dispatch/match/rules.ts';

const SEEDS = [1, 2, 3, 4, 5, 6];
/** An undelivered order counts as one that took two hours. */
const UNDELIVERED_MIN = 120;

/** Two lunch hours with more orders than the couriers can deliver in time. */
const SCARCE = SEEDS.map((seed) =>
  generateDay({ seed, orders: 60, couriers: 8, restaurants: 6, fromMin: 690, toMin: 810 }),
);
/** A quarter ten minutes away with one courier of its own, whose food is ready soon, and a centre with four. */
const EDGED = [...SEEDS, ...SEEDS.map((seed) => seed + SEEDS.length)].map(edgedDay);

type Off = Pick<PlayOptions, 'everyMin' | 'aheadMin' | 'rules'>;

/** Mean minutes from click to door on the days, with so few rounds of the search that the test is quick. */
function clickToDoorMin(days: readonly Day[], { rules = (own) => own, ...off }: Off): number {
  const few = (own: Rules): Rules => {
    const { search, ...rest } = rules(own);
    return { ...rest, search: { ...search, mostRounds: Math.min(search.mostRounds, 100) } };
  };
  const each = days.map((day, index) => {
    const played = playProven(`day ${index}`, playDay, day, { accept: 1, prep: 'known', seed: 1, ...off, rules: few });
    const { clickToDoor, orders, delivered } = measure(played);
    return (clickToDoor.mean * delivered + UNDELIVERED_MIN * (orders - delivered)) / orders;
  });
  return each.reduce((sum, minutes) => sum + minutes, 0) / each.length;
}

function gainsMin(days: readonly Day[], offs: Readonly<Record<string, Off>>): Record<string, number> {
  const whole = clickToDoorMin(days, {});
  return Object.fromEntries(Object.entries(offs).map(([name, off]) => [name, clickToDoorMin(days, off) - whole]));
}

test('[M46] each part of the matcher saves time on days with few couriers', { timeout: 600_000 }, () => {
  const gains = gainsMin(SCARCE, {
    soonFree: { aheadMin: 0 },
    search: { rules: (own) => ({ ...own, search: { ...own.search, mostRounds: 0 } }) },
    bundlesAhead: { rules: (own) => ({ ...own, limits: { ...own.limits, bundles: 1 } }) },
    bundling: { rules: (own) => ({ ...own, limits: { ...own.limits, bundleSize: 1 } }) },
    period: { everyMin: 5 },
  });
  const leastMin = { soonFree: 0.7, search: 2.5, bundlesAhead: 0.8, bundling: 3.5, period: 1.2 };
  const short = Object.entries(leastMin).filter(([name, least]) => !(gains[name]! > least));
  expect(short, JSON.stringify(gains)).toEqual([]);
});

test('[M47] the price of coverage saves time where a quarter has one courier of its own', { timeout: 600_000 }, () => {
  const { coverage } = gainsMin(EDGED, {
    coverage: { rules: (own) => ({ ...own, weights: { ...own.weights, coverageAheadS: 0 } }) },
  });
  expect(coverage).toBeGreaterThan(0.05);
});

function edgedDay(seed: number): Day {
  const random = createRandom(seed);
  const edge = { id: 'edge', at: { x: 1000, y: 5000 } };
  const centre = { id: 'centre', at: { x: 4200, y: 5000 } };
  const around = ({ x, y }: Point): Point => ({
    x: Math.round(x + random.between(-800, 800)),
    y: Math.round(y + random.between(-800, 800)),
  });
  const orders = Array.from({ length: 70 }, (): Omit<Order, 'id'> => {
    const restaurant = random.pick([edge, centre], () => 1);
    const placedMin = Math.floor(random.between(600, 900));
    const prepMin = Math.round(restaurant === edge ? random.between(1, 3) : random.between(14, 20));
    return { at: around(restaurant.at), placedMin, restaurant, readyMin: placedMin + prepMin };
  });
  const homes = [edge, centre, centre, centre, centre];
  const { parameters } = SCARCE[0]!;
  return {
    parameters,
    restaurants: [edge, centre],
    orders: orders.toSorted((a, b) => a.placedMin - b.placedMin).map((order, i) => ({ ...order, id: `o${i + 1}` })),
    couriers: homes.map(({ at }, i) => ({ id: `c${i + 1}`, at: around(at), onMin: 590, offMin: 1000 })),
  };
}
