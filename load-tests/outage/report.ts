// The figures of bench:outage and their limits. Pure.
import { lastLineOf } from '../command-line.ts';
import { quantile } from '../statistics.ts';

/** One outage of Redis. */
export type Outage = {
  /** Memory of the server at the end of the outage above that before it, MB. */
  readonly grownMb: number;
  readonly pings: { readonly acked: number; readonly refused: number; readonly unanswered: number };
  /** The positions that readers received during the outage. */
  readonly positions: { readonly frames: number; readonly p99Ms: number };
  /** How long each change of a delivery took during the outage, and how many tries failed. */
  readonly changes: { readonly waitsMs: readonly number[]; readonly failed: number };
  /** From the return of Redis to the first position in it that is newer. */
  readonly firstWriteMs: number;
  /** Couriers whose position in Redis is from before its return although they have pinged since. */
  readonly old: number;
};

export type Facts = { readonly dead: Outage; readonly hung: Outage };
export type OutageReport = Facts & { readonly problems: readonly string[] };

const MOST_GROWN_MB = 10;
const MOST_FIRST_WRITE_MS = 1000;

/** Names exactly the limits that were missed. */
export function judge({ dead, hung }: Facts): OutageReport {
  return { dead, hung, problems: [...problemsOf('dead', dead), ...problemsOf('hung', hung)] };
}

function problemsOf(name: string, { grownMb, pings, positions, changes, firstWriteMs, old }: Outage): string[] {
  const problems = [
    ...(grownMb <= MOST_GROWN_MB
      ? []
      : [`memory grew by ${grownMb.toFixed(1)} MB, at most ${MOST_GROWN_MB} MB wanted`]),
    ...(firstWriteMs <= MOST_FIRST_WRITE_MS
      ? []
      : [`the first write came after ${firstWriteMs} ms, at most ${MOST_FIRST_WRITE_MS} ms wanted`]),
    ...(old === 0 ? [] : [`${old} couriers have an old position`]),
    ...(changes.failed === 0 ? [] : [`${changes.failed} changes of deliveries failed`]),
    ...(pings.refused + pings.unanswered === 0
      ? []
      : [`${pings.refused} pings were refused, and ${pings.unanswered} not answered`]),
    ...(pings.acked > 0 && positions.frames > 0 && changes.waitsMs.length > 0
      ? []
      : ['no ping, position or change went through']),
  ];
  return problems.map((problem) => `Redis ${name}: ${problem}`);
}

/** The report as lines of a table for readers. */
export function tableOf({ dead, hung }: OutageReport): string[] {
  const row = (name: string, { grownMb, pings, positions, changes, firstWriteMs, old }: Outage): string =>
    [
      name,
      grownMb.toFixed(1),
      `${pings.acked} / ${pings.refused} / ${pings.unanswered}`,
      positions.p99Ms,
      [0.5, 0.99, 1].map((share) => quantile(changes.waitsMs, share).toFixed(0)).join(' / '),
      changes.failed,
      firstWriteMs,
      old,
    ].join(' | ');
  return [
    '| Redis | memory grew by MB | pings accepted / refused / without an answer | positions p99 ms | changes p50 / p99 / max ms | failed | first write after ms | old positions |',
    '|---|---|---|---|---|---|---|---|',
    `| ${row('dead', dead)} |`,
    `| ${row('hung', hung)} |`,
  ];
}

/** The last line of the output. */
export function lastLine({ problems, dead, hung }: OutageReport): string {
  return lastLineOf(problems, `${dead.pings.acked + hung.pings.acked} pings without Redis`);
}
