// The figures of a run beside their limits.
import { lastLineOf } from '../command-line.ts';
import { quantile } from '../statistics.ts';
import { LIMIT } from './gets.ts';
import type { Times } from './measure.ts';

/** The times of one GET, with one entry for each round. */
export type Compared = { readonly name: string; readonly small: readonly Times[]; readonly large: readonly Times[] };

export type StoreReport = {
  readonly deliveries: number;
  readonly gets: readonly Compared[];
  readonly docs: ReadonlyMap<string, number>;
  readonly searchesLateMs: readonly number[];
  readonly problems: readonly string[];
};

const MOST_DOCS = 5 * LIMIT + 20;
const MOST_LATE_MS = 2000;
const MOST_RATIO = 1.5;
const MOST_MORE_MS = 20;

/** The median over the rounds. */
export function medianOf(rounds: readonly Times[]): Times {
  const of = (figure: keyof Times): number =>
    quantile(
      rounds.map((times) => times[figure]),
      0.5,
    );
  return { p50: of('p50'), p95: of('p95') };
}

/** Puts a report together and names each limit that is missed. */
export function judge(figures: Omit<StoreReport, 'problems'>): StoreReport {
  const { gets, docs, searchesLateMs } = figures;
  const slow = gets.flatMap(({ name, small, large }) => {
    const [before, after] = [medianOf(small), medianOf(large)];
    const isSlow = after.p50 > MOST_RATIO * before.p50;
    const isSlowAtTimes = after.p95 > Math.max(MOST_RATIO * before.p95, before.p95 + MOST_MORE_MS);
    return [
      ...(isSlow ? [`${name}: p50 ${after.p50.toFixed(1)} ms against ${before.p50.toFixed(1)} ms`] : []),
      ...(isSlowAtTimes ? [`${name}: p95 ${after.p95.toFixed(1)} ms against ${before.p95.toFixed(1)} ms`] : []),
    ];
  });
  const dear = [...docs]
    .filter(([, read]) => read > MOST_DOCS)
    .map(([name, read]) => `${name}: ${read} documents read`);
  const late = Math.max(...searchesLateMs);
  const tooLate = late > MOST_LATE_MS ? [`a search began ${late} ms late`] : [];
  return { ...figures, problems: [...slow, ...dear, ...tooLate] };
}

/** The report as lines of a table for readers. */
export function tableOf({ gets, docs, searchesLateMs, deliveries }: StoreReport): string[] {
  const rows = gets.map(({ name, small, large }) => {
    const [before, after] = [medianOf(small), medianOf(large)];
    const figures = [before.p50, after.p50, before.p95, after.p95].map((ms) => ms.toFixed(1).padStart(8));
    return `${name.padEnd(58)} ${figures.join(' ')} ${String(docs.get(name) ?? '').padStart(6)}`;
  });
  const late = searchesLateMs.map((ms) => ms.toFixed(0)).join(', ');
  return [
    `${'ms with few and many stored'.padEnd(58)}  p50 few p50 many  p95 few p95 many   docs`,
    ...rows,
    `searches began late by, ms: ${late} (${deliveries} stored)`,
  ];
}

export function lastLine({ deliveries, gets, problems }: StoreReport): string {
  return lastLineOf(problems, `${gets.length} GETs with ${deliveries} stored deliveries, every limit kept`);
}
