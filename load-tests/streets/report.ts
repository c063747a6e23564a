// The figures of bench:streets, side by side, and their limits. Pure.
import { lastLineOf } from '../command-line.ts';
import type { Errors } from '../simulate/figures/arrivals.ts';
import type { Report } from '../simulate/report.ts';

export const SIDES = ['routes', 'estimates'] as const;
export type Side = (typeof SIDES)[number];

type Played = Pick<Report, 'orders' | 'outcome' | 'arrivals' | 'money' | 'surprises' | 'problems' | 'wallS'>;
export type Both = Readonly<Record<Side, Played>>;
export type StreetsReport = Both & { readonly problems: readonly string[] };

/** The priced distance may differ from the driven one by this share, in the middle of all deliveries. */
const MOST_DISTANCE_SHARE = 0.02;
/** The error of the arrival that is expected at the collection, seconds. */
const MOST_COLLECTED_S = { p50: 45, p90: 150 };

/** Names exactly the limits that were missed. With estimates, only the run itself is judged. */
export function judge({ routes, estimates }: Both): StreetsReport {
  const { distance, collected } = routes.arrivals.day;
  const limits: [value: number, most: number, what: string][] = [
    [distance.p50 * 100, MOST_DISTANCE_SHARE * 100, '% between priced and driven distance, median'],
    [collected.p50, MOST_COLLECTED_S.p50, 's between expected and true arrival at the collection, p50'],
    [collected.p90, MOST_COLLECTED_S.p90, 's between expected and true arrival at the collection, p90'],
  ];
  const problems = [
    ...problemsOf('routes', routes),
    ...problemsOf('estimates', estimates),
    ...limits
      .filter(([value, most]) => !(value <= most))
      .map(([value, most, what]) => `routes: ${value.toFixed(1)} ${what}; at most ${most} wanted`),
  ];
  return { routes, estimates, problems };
}

function problemsOf(side: Side, { problems, orders, outcome, money }: Played): string[] {
  const open = orders - outcome.delivered;
  return [
    ...problems,
    ...(open > 0 ? [`${open} of ${orders} orders were not delivered`] : []),
    ...(money === null ? ['the ledger was not verified'] : []),
  ].map((problem) => `${side}: ${problem}`);
}

/** The report as lines of a table for readers. */
export function tableOf(report: StreetsReport): string[] {
  const { routes, estimates } = report;
  const row = (name: string, cell: (side: Played) => string): string =>
    `| ${name} | ${cell(routes)} | ${cell(estimates)} |`;
  const errors = (name: string, of: (figures: Played['arrivals']['day']) => Errors, factor = 1): string[] => [
    row(name, ({ arrivals }) => errorText(of(arrivals.day), factor)),
    row('– first half of the orders', ({ arrivals: { halves } }) => errorText(of(halves[0]), factor)),
    row('– second half', ({ arrivals: { halves } }) => errorText(of(halves[1]), factor)),
  ];
  return [
    '| | with routes | with estimates |',
    '|---|---|---|',
    row('delivered', ({ orders, outcome }) => `${outcome.delivered} of ${orders}`),
    row('click to door, min: p50, p90', ({ outcome: { clickToDoorMin: door } }) => pair(door.p50, door.p90)),
    ...errors('first arrival error, s: p50, p90 (lean)', ({ first }) => first),
    ...errors('error of the arrival at collection, s', ({ collected }) => collected),
    ...errors('luck of the ride, s', ({ luck }) => luck),
    ...errors('error of the pickup at assignment, s', ({ pickup }) => pickup),
    row('priced against driven distance, %', ({ arrivals }) => errorText(arrivals.day.distance, 100)),
    row('prices by routes', ({ arrivals, orders }) => `${arrivals.day.routes} of ${orders}`),
    row('ledger', ({ money }) => (money === null ? '–' : `${money.entries} entries, ${money.faults.length} faults`)),
    row('refused', ({ surprises }) => `${Object.values(surprises).reduce((sum, count) => sum + count, 0)}`),
    '',
    'errors are absolute; lean: the middle error with its sign, positive if later, or farther, than expected',
    'luck: how much longer the ride took than a typical one on the same route, which nobody can expect; not a part of the error above',
  ];
}

/** The last line of the output. */
export function lastLine({ problems, routes }: StreetsReport): string {
  const { distance, collected } = routes.arrivals.day;
  return lastLineOf(
    problems,
    `${routes.orders} orders twice, at collection p50 ${collected.p50.toFixed(0)} s and p90 ${collected.p90.toFixed(0)} s, ` +
      `priced distance within ${(distance.p50 * 100).toFixed(1)} %, ${routes.wallS.toFixed(0)} s`,
  );
}

function errorText({ p50, p90, lean }: Errors, factor: number): string {
  return `${pair(p50 * factor, p90 * factor)} (${(lean * factor).toFixed(1)})`;
}

function pair(p50: number, p90: number): string {
  return `${p50.toFixed(1)}, ${p90.toFixed(1)}`;
}
