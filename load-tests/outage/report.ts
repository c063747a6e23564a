// The figures of bench:outage and their limits. Pure.
import { lastLineOf } from '../command-line.ts';
import { quantile, sum } from '../statistics.ts';

/** One outage of Redis. */
export type Outage = {
  /** How much more memory the server holds at the end of the outage than before it, MB. */
  readonly grownMb: number;
  /** The pings accepted during the outage. The other counts begin before it and end after it. */
  readonly pings: { readonly acked: number; readonly refused: number; readonly unanswered: number };
  /** The positions that readers received during the outage. */
  readonly positions: { readonly frames: number; readonly p99Ms: number };
  /** How long each change of a delivery took during the outage, and the tries that failed from before it until after it. */
  readonly changes: { readonly waitsMs: readonly number[]; readonly failed: Failed };
  /** The longest change before the outage, and around its begin, when the server does not know yet that Redis is away. */
  readonly longestMs: { readonly before: number; readonly atBegin: number };
  /** From the return of Redis to the first position in it that is newer; NaN for none. */
  readonly firstWriteMs: number;
  /** Couriers who have pinged since the return, and whose position in Redis is older or missing. */
  readonly old: number;
};

/** How many tries failed, by the code of the refusal or `no_answer`. */
export type Failed = Readonly<Record<string, number>>;

export type Facts = { readonly dead: Outage; readonly hung: Outage };
export type OutageReport = Facts & { readonly problems: readonly string[] };

const MOST_GROWN_MB = 10;
const MOST_FIRST_WRITE_MS = 1000;
/** A command to Redis fails within this time, so a change with one such command takes no longer than this and the usual time. */
const MOST_UNKNOWN_MS = 600;

/**
 * The couriers whose position is older than `since`, or missing.
 * @param received when the server received the positions that Redis has, epoch ms
 */
export function countOld(couriers: readonly string[], received: ReadonlyMap<string, number>, since: number): number {
  return couriers.filter((id) => (received.get(id) ?? 0) < since).length;
}

/** Names exactly the limits that were missed. */
export function judge({ dead, hung }: Facts): OutageReport {
  return { dead, hung, problems: [...problemsOf('dead', dead), ...problemsOf('hung', hung)] };
}

function problemsOf(
  name: string,
  { grownMb, pings, positions, changes, longestMs, firstWriteMs, old }: Outage,
): string[] {
  const problems = [
    ...(grownMb <= MOST_GROWN_MB
      ? []
      : [`the server keeps ${grownMb.toFixed(1)} MB more, at most ${MOST_GROWN_MB} MB wanted`]),
    ...(longestMs.atBegin <= MOST_UNKNOWN_MS + longestMs.before
      ? []
      : [
          `a change took ${longestMs.atBegin.toFixed(0)} ms when Redis went, ` +
            `at most ${MOST_UNKNOWN_MS} ms more than ${longestMs.before.toFixed(0)} ms wanted`,
        ]),
    ...(Number.isNaN(firstWriteMs) ? ['no newer position was written'] : []),
    ...(firstWriteMs > MOST_FIRST_WRITE_MS
      ? [`the first write came after ${firstWriteMs} ms, at most ${MOST_FIRST_WRITE_MS} ms wanted`]
      : []),
    ...(old === 0 ? [] : [`positions that are old or missing: ${old}`]),
    ...Object.entries(changes.failed).map(
      ([code, count]) => `tries to change a delivery that failed (${code}): ${count}`,
    ),
    ...(pings.refused === 0 ? [] : [`pings that were refused: ${pings.refused}`]),
    ...(pings.unanswered === 0 ? [] : [`pings without an answer: ${pings.unanswered}`]),
    ...(pings.acked > 0 ? [] : ['no ping was accepted']),
    ...(positions.frames > 0 ? [] : ['no reader received a position']),
    ...(changes.waitsMs.length > 0 ? [] : ['no delivery was changed']),
  ];
  return problems.map((problem) => `Redis ${name}: ${problem}`);
}

/** The report as lines of a table for readers. */
export function tableOf({ dead, hung }: OutageReport): string[] {
  const row = (name: string, { grownMb, pings, positions, changes, longestMs, firstWriteMs, old }: Outage): string =>
    [
      name,
      grownMb.toFixed(1),
      `${pings.acked} / ${pings.refused} / ${pings.unanswered}`,
      positions.p99Ms,
      [0.5, 0.99, 1].map((share) => quantile(changes.waitsMs, share).toFixed(0)).join(' / '),
      longestMs.atBegin.toFixed(0),
      sum(Object.values(changes.failed)),
      firstWriteMs,
      old,
    ].join(' | ');
  return [
    '| Redis | keeps MB more | pings accepted / refused / without an answer | positions p99 ms | changes p50 / p99 / max ms | longest when it went ms | failed | first write after ms | old or missing positions |',
    '|---|---|---|---|---|---|---|---|---|',
    `| ${row('dead', dead)} |`,
    `| ${row('hung', hung)} |`,
  ];
}

/** The last line of the output. */
export function lastLine({ problems, dead, hung }: OutageReport): string {
  return lastLineOf(problems, `${dead.pings.acked + hung.pings.acked} pings without Redis`);
}
