// The waits of a run beside their limits.
import { quantile } from '../statistics.ts';
import type { Waits } from './measure.ts';
import type { Part } from './parts.ts';
import { KINDS, type Kind } from './requests.ts';

/** The waits of one kind of request, one entry for each round. */
export type Measured = { readonly kind: Kind; readonly rounds: readonly Waits[] };

/** The figures with one number of stored deliveries. */
export type Level = {
  readonly deliveries: number;
  readonly waits: readonly Measured[];
  readonly parts: readonly Part[];
};

export type LatencyReport = {
  readonly rate: number;
  readonly levels: readonly Level[];
  readonly problems: readonly string[];
};

/** The median over the rounds. */
export function medianOf(rounds: readonly Waits[], figure: keyof Waits): number {
  return quantile(
    rounds.map((waits) => waits[figure]),
    0.5,
  );
}

/** Puts a report together and names each limit that is missed. */
export function judge(rate: number, levels: readonly Level[]): LatencyReport {
  const problems = levels.flatMap(({ deliveries, waits }) =>
    waits.flatMap(({ kind, rounds }) => {
      const p99 = medianOf(rounds, 'p99');
      if (kind.mostP99Ms === null || p99 <= kind.mostP99Ms) return [];
      return [`${kind.name} with ${deliveries} stored: p99 ${p99.toFixed(1)} ms, the limit is ${kind.mostP99Ms} ms`];
    }),
  );
  return { rate, levels, problems };
}

/** The report as lines of a table for readers. */
export function tableOf({ levels, rate }: LatencyReport): string[] {
  return levels.flatMap(({ deliveries, waits, parts }) => [
    `${`ms at ${rate} requests/s with ${deliveries} stored deliveries`.padEnd(64)}      p50      p99      max`,
    ...waits.map(({ kind, rounds }) => {
      const figures = (['p50', 'p99', 'max'] as const).map((figure) => medianOf(rounds, figure).toFixed(1).padStart(8));
      return `${kind.name.padEnd(64)} ${figures.join(' ')}`;
    }),
    ...parts.map(({ name, us }) => `  ${name.padEnd(62)} ${(us / 1000).toFixed(3).padStart(8)}`),
  ]);
}

export function lastLine({ problems, levels, rate }: LatencyReport): string {
  if (problems.length > 0) return `failed: ${problems.join('; ')}`;
  const stored = levels.map(({ deliveries }) => deliveries).join(' and ');
  return `ok ${KINDS.length} kinds of requests at ${rate}/s with ${stored} stored deliveries, every limit kept`;
}
