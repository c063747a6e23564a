// The figures of bench:fleet and their limits. Pure.
import { lastLineOf } from '../command-line.ts';
import type { LoadResult } from '../pings/load.ts';
import { mean, quantile } from '../statistics.ts';

/** Resident memory of a server at a moment of the run. */
export type Sample = { readonly atS: number; readonly mb: number };

export type ServerFigures = {
  readonly name: string;
  readonly connections: number;
  /** The 99th percentile of the delays of its event loop under load, ms. */
  readonly delayP99Ms: number;
  /** CPU time as a share of one core. */
  readonly cpuShare: number;
  /** Memory without garbage: before its clients came, while they were idle, and after all of them had left. */
  readonly bareMb: number;
  readonly idleMb: number;
  readonly leftMb: number;
  readonly samples: readonly Sample[];
  /** The rest after all clients had left. Timers are those above the number before they came. */
  readonly left: { readonly sockets: number; readonly readers: number; readonly timers: number };
};

export type Facts = {
  readonly seconds: number;
  readonly tickMs: number;
  /** The result of each process with clients. */
  readonly crowds: readonly (LoadResult & { readonly reconnects: number })[];
  readonly servers: readonly ServerFigures[];
  readonly readers: number;
  /**
   * Events that the readers were entitled to, those that did not arrive, and readers who were entitled to none. The delays
   * are those of all events that arrived, ms.
   */
  readonly events: {
    readonly due: number;
    readonly lost: number;
    readonly without: number;
    readonly delaysMs: readonly number[];
  };
};

export type FleetReport = Facts & { readonly problems: readonly string[] };

/** Positions may be this much later than a tick. */
const MOST_MORE_MS = 150;
const MOST_DELAY_MS = 50;
/** Clients that send later than this measure themselves. */
const MOST_LATE_MS = 5;
/** Memory may grow by this much a minute, from the tenth minute on. It is judged if as much time follows. */
const MOST_SLOPE_MB = 1;
const GROWN_UP_S = 600;
/** Timers that may be there by chance, such as those of a request. */
const CHANCE_TIMERS = 20;
const KIB_PER_MB = 1024;

/** Names exactly the limits that were missed. */
export function judge(facts: Facts): FleetReport {
  const { crowds, servers, tickMs, events, readers } = facts;
  const lag = worstOf(facts, ({ readerMs }) => readerMs.p99);
  const late = worstOf(facts, ({ generatorP99Ms }) => generatorP99Ms);
  const [refused, unanswered, reconnects] = [
    totalOf(facts, (one) => one.refused),
    totalOf(facts, (one) => one.unanswered),
    totalOf(facts, (one) => one.reconnects),
  ];
  const problems = [
    ...(lag <= tickMs + MOST_MORE_MS ? [] : [`positions p99 ${lag} ms, at most ${tickMs + MOST_MORE_MS} ms wanted`]),
    ...(events.lost > 0 ? [`${events.lost} of ${events.due} events were lost`] : []),
    ...(events.without > 0 ? [`${events.without} of ${readers} readers had no event`] : []),
    ...(refused > 0 ? [`${refused} pings were refused`] : []),
    ...(crowds.some(({ acked, frames }) => acked === 0 || frames === 0)
      ? ['a process with clients had no answered ping, or no position']
      : []),
    // A connection that is closed may take the answer to its last ping with it.
    ...(unanswered > 0 && reconnects === 0 ? [`${unanswered} pings were not answered`] : []),
    ...(late <= MOST_LATE_MS ? [] : [`clients were late, p99 ${late} ms, at most ${MOST_LATE_MS} ms wanted`]),
    ...servers.flatMap((server) => problemsOf(server, facts.seconds)),
  ];
  return { ...facts, problems };
}

function problemsOf({ name, delayP99Ms, left, samples }: ServerFigures, seconds: number): string[] {
  const slope = slopeOf(samples);
  const kept = [
    ...(left.sockets > 0 ? [`${left.sockets} sockets`] : []),
    ...(left.readers > 0 ? [`${left.readers} readers`] : []),
    ...(left.timers > CHANCE_TIMERS ? [`${left.timers} timers`] : []),
  ];
  return [
    ...(delayP99Ms <= MOST_DELAY_MS
      ? []
      : [`${name}: event loop p99 ${delayP99Ms.toFixed(0)} ms, at most ${MOST_DELAY_MS} ms wanted`]),
    ...(kept.length > 0 ? [`${name} kept ${kept.join(', ')} of clients who had left`] : []),
    ...(seconds >= 2 * GROWN_UP_S && !(slope <= MOST_SLOPE_MB)
      ? [`${name}: memory grew by ${slope.toFixed(2)} MB a minute, at most ${MOST_SLOPE_MB} MB wanted`]
      : []),
  ];
}

/** The growth in MB a minute from the tenth minute on, by least squares. NaN without two samples. */
export function slopeOf(samples: readonly Sample[]): number {
  const late = samples.filter(({ atS }) => atS >= GROWN_UP_S);
  const [atS, mb] = [mean(late.map((one) => one.atS)), mean(late.map((one) => one.mb))];
  const over = late.reduce((sum, one) => sum + (one.atS - atS) * (one.mb - mb), 0);
  return (60 * over) / late.reduce((sum, one) => sum + (one.atS - atS) ** 2, 0);
}

/** The figure of the worst process with clients. No percentile of all clients is worse. */
function worstOf({ crowds }: Facts, figure: (one: LoadResult) => number): number {
  return Math.max(...crowds.map(figure));
}

function totalOf({ crowds }: Facts, figure: (one: Facts['crowds'][number]) => number): number {
  return crowds.reduce((sum, one) => sum + figure(one), 0);
}

/** The report as lines of a table for readers. */
export function tableOf(report: FleetReport): string[] {
  const { servers, tickMs, events, seconds } = report;
  const count = (figure: (one: Facts['crowds'][number]) => number): number => totalOf(report, figure);
  const worst = (figure: (one: LoadResult) => number): string => `${worstOf(report, figure)} ms`;
  const rows = servers.map(({ name, connections, delayP99Ms, cpuShare, bareMb, idleMb, leftMb, samples, left }) =>
    [
      name,
      connections,
      `${delayP99Ms.toFixed(0)} ms`,
      `${(cpuShare * 100).toFixed(0)} %`,
      [bareMb, idleMb, Math.max(...samples.map(({ mb }) => mb)), leftMb].map((mb) => mb.toFixed(0)).join(' / '),
      (((idleMb - bareMb) * KIB_PER_MB) / connections).toFixed(1),
      Number.isNaN(slopeOf(samples)) ? '–' : slopeOf(samples).toFixed(2),
      `${left.sockets} / ${left.readers} / ${left.timers}`,
    ].join(' | '),
  );
  return [
    `positions p50 / p99      ${worst(({ readerMs }) => readerMs.p50)} / ${worst(({ readerMs }) => readerMs.p99)} with a tick of ${tickMs} ms`,
    `pings answered p99       ${worst(({ ackMs }) => ackMs.p99)}, ${(count(({ acked }) => acked) / seconds).toFixed(0)} a second, ${count(({ unanswered }) => unanswered)} without an answer`,
    `frames, reconnects       ${count(({ frames }) => frames)}, ${count(({ reconnects }) => reconnects)}`,
    `events lost              ${events.lost} of ${events.due}`,
    `events p50 / p99 / max   ${[0.5, 0.99, 1].map((share) => quantile(events.delaysMs, share)).join(' / ')} ms`,
    `clients late p99         ${worst(({ generatorP99Ms }) => generatorP99Ms)}`,
    '',
    '| server | connections | event loop p99 | of a core | MB bare / idle / peak / all have left | idle KiB a connection | MB a minute | left: sockets / readers / timers |',
    '|---|---|---|---|---|---|---|---|',
    ...rows.map((row) => `| ${row} |`),
  ];
}

/** The last line of the output. */
export function lastLine({ problems, events, servers }: FleetReport): string {
  return lastLineOf(problems, `${servers.length} servers, ${events.due} events`);
}
