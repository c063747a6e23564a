// The figures of bench:sockets and their limits. Pure.
import { lastLineOf } from '../command-line.ts';
import { quantile } from '../statistics.ts';
import type { Opening } from './connections.ts';
import type { MapCosts } from './map.ts';
import type { FanOut } from './rooms.ts';
import type { Stall } from './stall.ts';

type Pair<T> = { readonly raw: T; readonly server: T };

/** The figures of one alternation. */
export type Round = {
  readonly smallRooms: Pair<FanOut>;
  readonly largeRooms: Pair<FanOut>;
  readonly map: MapCosts;
  readonly opening: Pair<Opening>;
  readonly stall: Stall;
};

/** The least and the median value of the rounds. */
type Least = { readonly min: number; readonly median: number };

type Judged = {
  readonly name: string;
  readonly server: Least;
  /** Null if the limit is an absolute one. */
  readonly raw: Least | null;
  /** The figure that the limit is for: a ratio of medians, or a median. */
  readonly figure: number;
  readonly most: number;
};

export type SocketsReport = {
  readonly rounds: readonly Round[];
  readonly judged: readonly Judged[];
  readonly problems: readonly string[];
};

type Row = {
  readonly name: string;
  readonly most: number;
  readonly server: (round: Round) => number;
  readonly raw?: (round: Round) => number;
};

// One row per line: this is a table.
// oxfmt-ignore
const ROWS: readonly Row[] = [
  { name: 'fan-out, rooms of 3: µs a frame',                most: 2,   server: (one) => one.smallRooms.server.us,       raw: (one) => one.smallRooms.raw.us },
  { name: 'fan-out, rooms of 100: µs a frame',              most: 1.6, server: (one) => one.largeRooms.server.us,       raw: (one) => one.largeRooms.raw.us },
  { name: 'map, 1 dispatcher: µs a position',               most: 4,   server: (one) => one.map.aloneUs },
  { name: 'map, many dispatchers: µs a position for each',  most: 1.5, server: (one) => one.map.sharedUs },
  { name: 'idle connection: KiB',                           most: 2.5, server: (one) => one.opening.server.kib,         raw: (one) => one.opening.raw.kib },
  { name: 'handshake with its token: µs',                   most: 3.5, server: (one) => one.opening.server.handshakeUs, raw: (one) => one.opening.raw.handshakeUs },
  { name: 'process without a reader: µs a position',        most: 1,   server: (one) => one.map.bystanderUs },
  { name: 'reader who does not read: KiB',                  most: 64,  server: (one) => one.stall.kib },
  { name: 'reader who reads again: old frames',             most: 1,   server: (one) => one.stall.oldFrames },
];
/** A figure of a fan-out counts only if so many of its frames arrived. */
const LEAST_ARRIVED = 0.9;

/** Judges the rounds. Names each limit that was missed, and each fan-out whose figure is worth nothing. */
export function judge(rounds: readonly Round[]): SocketsReport {
  const judged = ROWS.map(({ name, most, server, raw }): Judged => {
    const [own, base] = [leastOf(rounds.map(server)), raw === undefined ? null : leastOf(rounds.map(raw))];
    return { name, server: own, raw: base, figure: own.median / (base?.median ?? 1), most };
  });
  const missed = judged
    .filter(({ figure, most }) => !(figure <= most))
    .map(
      ({ name, raw, figure, most }) =>
        `${name}: ${figure.toFixed(2)}${raw === null ? '' : ' of raw'}, at most ${most} wanted`,
    );
  const fanOuts = rounds.flatMap(({ smallRooms, largeRooms }) =>
    [smallRooms, largeRooms].flatMap(({ raw, server }) => [raw, server]),
  );
  const refused = fanOuts.reduce((sum, one) => sum + one.refused, 0);
  const lost = fanOuts.filter(({ arrived }) => !(arrived >= LEAST_ARRIVED));
  return {
    rounds,
    judged,
    problems: [
      ...missed,
      ...(refused > 0 ? [`${refused} pings were refused`] : []),
      ...(lost.length > 0
        ? [`in ${lost.length} measurements under ${LEAST_ARRIVED * 100} % of the frames arrived`]
        : []),
    ],
  };
}

function leastOf(values: readonly number[]): Least {
  return { min: Math.min(...values), median: quantile(values, 0.5) };
}

/** The report as lines of a table for readers. */
export function tableOf({ judged }: SocketsReport): string[] {
  const both = (value: Least | null): string =>
    value === null ? '–' : `${value.min.toFixed(2)} / ${value.median.toFixed(2)}`;
  const head = ['minimum / median', 'server', 'raw', 'figure', 'limit'];
  const rows = judged.map(({ name, server, raw, figure, most }) => [
    name,
    both(server),
    both(raw),
    figure.toFixed(2),
    String(most),
  ]);
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`);
}

/** The last line of the output. */
export function lastLine({ problems, rounds }: SocketsReport): string {
  return lastLineOf(problems, `${rounds.length} alternations`);
}
