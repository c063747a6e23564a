// The waits for quotes beside their limits.
import { lastLineOf } from '../command-line.ts';
import { quantile } from '../statistics.ts';
import type { Quoted } from './send-quotes.ts';

/** The quotes of one kind. Times in ms. */
export type Row = {
  readonly count: number;
  readonly p50: number;
  readonly p99: number;
  readonly max: number;
  readonly failures: number;
  /** The part whose distance is that of a route, 0 to 1. */
  readonly routed: number;
  /** CPU time of the server for each quote, ms. Other work on the machine changes it less than it changes waits. */
  readonly cpuMs: number;
};

export type QuotesFigures = {
  readonly rate: number;
  /** Kills of Valhalla that were wanted, and how long each of those that came in time was away, s. */
  readonly kills: number;
  readonly awayS: readonly number[];
  /** Pairs that were not quoted before, without streets. */
  readonly freshStraight: Row;
  /** The same with streets, while Valhalla is killed. */
  readonly fresh: Row;
  /** The p99 of those with a route, ms. */
  readonly routedP99: number;
  /** The rounds of the same pairs again, in turn with streets and without. */
  readonly remembered: readonly Row[];
  readonly straight: readonly Row[];
  /** Requests to Valhalla during the rounds. */
  readonly asked: number;
  /** The first faults, in words. */
  readonly faults: readonly string[];
};
export type QuotesReport = QuotesFigures & { readonly problems: readonly string[] };

const MOST_P99_MS = 400;
/** The most that a remembered route may cost, as a multiple of the p50 without streets. */
const MOST_RATIO = 1.2;
/** A run whose Valhalla is away for longer says too little about routes. */
const LEAST_ROUTED = 0.5;

/** The figures of some quotes, for which the server took so much CPU time. */
export function rowOf(quotes: readonly Quoted[], cpuS: number): Row {
  const waits = quotes.map(({ ms }) => ms);
  return {
    count: quotes.length,
    p50: quantile(waits, 0.5),
    p99: quantile(waits, 0.99),
    max: quantile(waits, 1),
    failures: quotes.filter(({ fault }) => fault !== null).length,
    routed: quotes.filter(({ source }) => source === 'route').length / quotes.length,
    cpuMs: (cpuS * 1000) / quotes.length,
  };
}

/** Names exactly the limits that were missed. */
export function judge(figures: QuotesFigures): QuotesReport {
  const { kills, awayS, freshStraight, fresh, routedP99, remembered, straight, asked, faults } = figures;
  const ratio = ratioOf(figures);
  const failures = [freshStraight, fresh, ...remembered, ...straight].reduce((sum, row) => sum + row.failures, 0);
  const limits: readonly (readonly [boolean, string])[] = [
    [failures === 0, `${failures} quotes failed, the first with: ${faults[0]}`],
    [fresh.p99 <= MOST_P99_MS, `the p99 of a quote is ${ms(fresh.p99)}, at most ${MOST_P99_MS} ms wanted`],
    [routedP99 <= MOST_P99_MS, `the p99 of a quote with a route is ${ms(routedP99)}, at most ${MOST_P99_MS} ms wanted`],
    [ratio <= MOST_RATIO, `a known route takes ${ratio.toFixed(2)} of a quote without streets, ${MOST_RATIO} wanted`],
    [awayS.length === kills, `Valhalla was killed ${awayS.length} times during the quotes, ${kills} times wanted`],
    [fresh.routed >= LEAST_ROUTED, `only ${share(fresh.routed)} of the quotes of new pairs had a route`],
    [remembered.every(({ routed }) => routed === 1), 'a pair that had a route was quoted without one'],
    [[freshStraight, ...straight].every(({ routed }) => routed === 0), 'the server without streets quoted a route'],
    [asked === 0, `Valhalla was asked for ${asked} routes that were known`],
  ];
  return { ...figures, problems: limits.flatMap(([isMet, problem]) => (isMet ? [] : [problem])) };
}

/** The p50 of quotes with a known route, as a multiple of the p50 without streets. Both are medians of the rounds. */
function ratioOf({ remembered, straight }: Pick<QuotesFigures, 'remembered' | 'straight'>): number {
  return medianOf(remembered, 'p50') / medianOf(straight, 'p50');
}

function medianOf(rounds: readonly Row[], figure: keyof Row): number {
  return quantile(
    rounds.map((round) => round[figure]),
    0.5,
  );
}

/** The report as lines of a table for readers. */
export function tableOf(report: QuotesReport): string[] {
  const { rate, awayS, freshStraight, fresh, routedP99, remembered, straight } = report;
  return [
    lineOf(`ms at ${rate} quotes/s`, ['quotes', 'p50', 'p99', 'max', 'failures', 'routes', 'CPU ms']),
    rowLine(`new pairs, Valhalla killed ${awayS.length} times`, fresh),
    rowLine('  without streets', freshStraight),
    rowLine(`known pairs, median of ${remembered.length} rounds`, middle(remembered)),
    rowLine('  the same without streets', middle(straight)),
    `The p99 of new pairs with a route is ${ms(routedP99)}.`,
    `Valhalla was away for ${awayS.map((s) => s.toFixed(1)).join(', ')} s.`,
    `A known route takes ${ratioOf(report).toFixed(2)} of a quote without streets.`,
  ];
}

/** The last line of the output. */
export function lastLine({ problems, rate }: QuotesReport): string {
  return lastLineOf(problems, `quotes at ${rate}/s, every limit kept`);
}

/** The rounds in one row: medians of the times, and sums of the counts. */
function middle(rounds: readonly Row[]): Row {
  const sumOf = (figure: 'count' | 'failures'): number => rounds.reduce((sum, round) => sum + round[figure], 0);
  return {
    count: sumOf('count'),
    p50: medianOf(rounds, 'p50'),
    p99: medianOf(rounds, 'p99'),
    max: medianOf(rounds, 'max'),
    failures: sumOf('failures'),
    routed: medianOf(rounds, 'routed'),
    cpuMs: medianOf(rounds, 'cpuMs'),
  };
}

function rowLine(name: string, { count, p50, p99, max, failures, routed, cpuMs }: Row): string {
  const times = [p50, p99, max].map((each) => each.toFixed(1));
  return lineOf(name, [String(count), ...times, String(failures), share(routed), cpuMs.toFixed(1)]);
}

function lineOf(name: string, figures: readonly string[]): string {
  return [name.padEnd(40), ...figures.map((figure) => figure.padStart(8))].join(' ');
}

function share(part: number): string {
  return `${(part * 100).toFixed(1)} %`;
}

function ms(value: number): string {
  return `${value.toFixed(1)} ms`;
}
