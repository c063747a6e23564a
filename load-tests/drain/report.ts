// The figures of a stop and the sentences that make the bench fail.
import type { Read } from '../chaos-sockets/report.ts';
import { lastLineOf } from '../command-line.ts';
import { quantile } from '../statistics.ts';
import type { Left } from './clients.ts';

export type Facts = {
  /** The server closes all connections in this time, ms. */
  readonly withinMs: number;
  readonly left: readonly Left[];
  readonly exitCode: number | null;
  /** From SIGTERM to the end of the process, ms. */
  readonly endedMs: number;
  /** How late events were at the server that stays, before the stop and from it on, ms. */
  readonly quietLagMs: readonly number[];
  readonly stopLagMs: readonly number[];
  /** Readers of events on both servers. */
  readonly vendors: Read;
};

export type DrainReport = {
  readonly clients: number;
  readonly withinMs: number;
  readonly exitCode: number | null;
  readonly endedMs: number;
  /** Clients that left in each fifth of the time, as a share of an even fifth. */
  readonly rates: readonly number[];
  /** From the close to the next connection, ms. */
  readonly backMs: { readonly p50: number; readonly p99: number };
  readonly lag: { readonly quietP99: number; readonly stopP99: number };
  readonly lost: number;
  /** Empty when the run is good. */
  readonly problems: readonly string[];
};

const PARTS = 5;
/** The rate of a part of the time differs from the even rate by this share at most. */
const MOST_UNEVEN = 0.15;
const MOST_TIMES_QUIET = 2;
/** After its last connection is closed, a server ends its work in this time. */
const MOST_REST_MS = 5000;

/** Judges a run. */
export function judge({ withinMs, left, exitCode, endedMs, quietLagMs, stopLagMs, vendors }: Facts): DrainReport {
  const warnedAt = Math.min(...left.map((one) => one.warnedAt ?? Infinity));
  const partOf = ({ leftAt }: Left): number => Math.floor((PARTS * ((leftAt ?? Infinity) - warnedAt)) / withinMs);
  const rates = Array.from({ length: PARTS }, (_, part) => {
    // Clients that leave a moment after the end belong to the last part.
    const own = left.filter((one) => Math.min(partOf(one), PARTS - 1) === part);
    return (own.length * PARTS) / left.length;
  });
  const backs = left.flatMap(({ leftAt, backAt }) => (leftAt === null || backAt === null ? [] : [backAt - leftAt]));
  const lag = { quietP99: quantile(quietLagMs, 0.99), stopP99: quantile(stopLagMs, 0.99) };
  const unwarned = left.filter(({ warnedAt: at }) => at === null).length;
  const sentAway = left.filter(({ isSentAway }) => isSentAway).length;
  const problems = [
    ...(exitCode === 0 ? [] : [`the server ended with exit code ${exitCode}`]),
    ...(endedMs <= withinMs + MOST_REST_MS ? [] : [`the server took ${endedMs.toFixed(0)} ms to end`]),
    ...(unwarned > 0 ? [`${unwarned} clients got no warning`] : []),
    ...(sentAway > 0 ? [`${sentAway} clients were told to stay away`] : []),
    ...(backs.length < left.length ? [`${left.length - backs.length} clients have not come back`] : []),
    ...rates.flatMap((rate, part) =>
      Math.abs(rate - 1) <= MOST_UNEVEN
        ? []
        : [`${rate.toFixed(2)} of an even share left in part ${part + 1} of ${PARTS}`],
    ),
    ...(lag.stopP99 <= MOST_TIMES_QUIET * lag.quietP99
      ? []
      : [`events were late, p99 ${lag.stopP99} ms, at most ${MOST_TIMES_QUIET} times ${lag.quietP99} ms wanted`]),
    ...(vendors.due === 0 ? ['no event was due'] : []),
    ...(vendors.lost + vendors.doubled + vendors.outOfOrder > 0
      ? [
          `of ${vendors.due} events, ${vendors.lost} were lost, ${vendors.doubled} doubled, ${vendors.outOfOrder} out of order`,
        ]
      : []),
  ];
  const backMs = { p50: Math.round(quantile(backs, 0.5)), p99: Math.round(quantile(backs, 0.99)) };
  return { clients: left.length, withinMs, exitCode, endedMs, rates, backMs, lag, lost: vendors.lost, problems };
}

/** The report as lines of a table for readers. */
export function tableOf({ clients, withinMs, exitCode, endedMs, rates, backMs, lag, lost }: DrainReport): string[] {
  return [
    `connections              ${clients}, closed within ${withinMs} ms`,
    `left in each fifth       ${rates.map((rate) => rate.toFixed(2)).join(', ')} of an even share`,
    `connected again          p50 ${backMs.p50} ms, p99 ${backMs.p99} ms after the close`,
    `events late p99          ${lag.stopP99} ms, before the stop ${lag.quietP99} ms`,
    `events lost              ${lost}`,
    `the server ended         with exit code ${exitCode} after ${endedMs.toFixed(0)} ms`,
  ];
}

/** The last line of the output. */
export function lastLine({ problems, clients }: DrainReport): string {
  return lastLineOf(problems, `${clients} connections`);
}
