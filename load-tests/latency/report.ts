// The waits of a run beside their limits.
import { lastLineOf } from '../command-line.ts';
import { quantile } from '../statistics.ts';
import type { Cpu } from './cpu.ts';
import type { Waits } from './measure.ts';
import type { Part } from './parts.ts';
import { KINDS, type Kind } from './requests.ts';

/** The waits of a round and the CPU time of each of its requests. */
export type Round = Waits & { readonly cpu: Cpu };

/** One kind of request, with an entry for each round. */
export type Measured = { readonly kind: Kind; readonly rounds: readonly Round[] };

/** The figures with one number of stored deliveries. */
export type Level = {
  readonly deliveries: number;
  readonly waits: readonly Measured[];
  readonly parts: readonly Part[];
  /** The faults of the money of the deliveries, in sentences. */
  readonly faults: readonly string[];
};

export type LatencyReport = {
  readonly rate: number;
  readonly levels: readonly Level[];
  readonly problems: readonly string[];
};

/** The median over the rounds. */
function medianOf(rounds: readonly Round[], figureOf: (round: Round) => number): number {
  return quantile(rounds.map(figureOf), 0.5);
}

/** The most that the p99 of a create may be, ms: with one server, and with several that share two cores. */
const MOST_CREATE_MS = 60;
const MOST_CREATE_OF_MANY_MS = 100;

/** Puts a report together, and names each limit that is missed and each fault of the money. */
export function judge(
  { rate, servers }: { readonly rate: number; readonly servers: number },
  levels: readonly Level[],
): LatencyReport {
  const most = servers === 1 ? MOST_CREATE_MS : MOST_CREATE_OF_MANY_MS;
  const problems = levels.flatMap(({ deliveries, waits, faults }) => [
    ...waits.flatMap(({ kind, rounds }) => {
      const p99 = medianOf(rounds, ({ p99: each }) => each);
      if (!kind.isCreate || p99 <= most) return [];
      return [`${kind.name} with ${deliveries} stored: p99 ${p99.toFixed(1)} ms, the limit is ${most} ms`];
    }),
    ...faults,
  ]);
  return { rate, levels, problems };
}

const COLUMNS: readonly { readonly name: string; readonly figureOf: (round: Round) => number }[] = [
  { name: 'p50', figureOf: ({ p50 }) => p50 },
  { name: 'p99', figureOf: ({ p99 }) => p99 },
  { name: 'max', figureOf: ({ max }) => max },
  { name: 'server', figureOf: ({ cpu }) => cpu.server },
  { name: 'engines', figureOf: ({ cpu }) => cpu.engines },
  { name: 'client', figureOf: ({ cpu }) => cpu.client },
];

/** The report as lines of a table for readers: the waits, and the CPU time of each request. */
export function tableOf({ levels, rate }: LatencyReport): string[] {
  return levels.flatMap(({ deliveries, waits, parts }) => [
    lineOf(
      `ms at ${rate} requests/s with ${deliveries} stored deliveries`,
      COLUMNS.map(({ name }) => name),
    ),
    ...waits.map(({ kind, rounds }) =>
      lineOf(
        kind.name,
        COLUMNS.map(({ figureOf }) => medianOf(rounds, figureOf).toFixed(1)),
      ),
    ),
    ...parts.map(({ name, us }) => lineOf(`  ${name}`, [(us / 1000).toFixed(3)])),
  ]);
}

function lineOf(name: string, figures: readonly string[]): string {
  return [name.padEnd(64), ...figures.map((figure) => figure.padStart(8))].join(' ');
}

export function lastLine({ problems, levels, rate }: LatencyReport): string {
  const stored = levels.map(({ deliveries }) => deliveries).join(' and ');
  return lastLineOf(
    problems,
    `${KINDS.length} kinds of requests at ${rate}/s with ${stored} stored deliveries, every limit kept`,
  );
}
