// The minimum and median of the repeats, and the ratios between contenders. Pure.
import { quantile, sum } from '../statistics.ts';
import type { LoadResult } from './load.ts';
import type { RedisCount } from './redis-info.ts';

/** The contenders that the others are compared with. */
export const RAW = 'raw ws relay';
export const ALONE = 'Socket.IO alone';

export type Round = {
  readonly name: string;
  readonly rate: number;
  readonly seconds: number;
  readonly result: LoadResult;
  readonly redis: RedisCount;
  /** Seconds between the two counts of Redis, with the wait for the last answers. */
  readonly countedS: number;
};

/** A server whose clients are connected and send nothing. */
export type Idle = { readonly name: string; readonly cpuMsPerS: number; readonly kibPerConnection: number };

const TICK_MS = 100;
/** Commands that only this bench sends. */
const OWN_CALLS = ['info', 'quit'];

/** The table as lines. `idle` is the load of Redis per second without pings. */
export function summarise(rounds: readonly Round[], idle: RedisCount): string[] {
  const rates = [...new Set(rounds.map(({ rate }) => rate))];
  return [
    '',
    ...rates.flatMap((rate) =>
      tableOf(
        rounds.filter((round) => round.rate === rate),
        rate,
      ),
    ),
    ...redisLines(rounds, idle),
  ];
}

/** The table of the servers at rest, as lines. */
export function idleLines(servers: readonly Idle[]): string[] {
  const head = ['at rest', 'CPU ms a second', 'memory per connection, KiB'];
  const rows = servers.map(({ name, cpuMsPerS, kibPerConnection }) => [
    name,
    cpuMsPerS.toFixed(1),
    kibPerConnection.toFixed(1),
  ]);
  return ['', line(head), line(head.map(() => '---')), ...rows.map(line), ''];
}

function tableOf(rounds: readonly Round[], rate: number): string[] {
  const names = [...new Set(rounds.map(({ name }) => name))];
  const costOf = (name: string): number[] =>
    rounds.filter((round) => round.name === name).map(({ result }) => result.cpuUsPerPing);
  const raw = costOf(RAW);
  const alone = costOf(ALONE);
  const rows = names.map((name) => {
    const cost = costOf(name);
    const own = rounds.filter((round) => round.name === name).map(({ result }) => result);
    const redisUs = rounds
      .filter((round) => round.name === name)
      .map(({ redis, result }) => (redis.cpuS * 1e6) / result.acked);
    return [
      name,
      `${Math.min(...cost).toFixed(1)} / ${quantile(cost, 0.5).toFixed(1)}`,
      ratio(cost, raw),
      ratio(cost, alone),
      Math.min(...redisUs).toFixed(1),
      `${quantile(
        own.map(({ ackMs }) => ackMs.p99),
        0.5,
      ).toFixed(1)}`,
      `${quantile(
        own.map(({ readerMs }) => readerMs.p50),
        0.5,
      ).toFixed(1)} / ${quantile(
        own.map(({ readerMs }) => readerMs.p99),
        0.5,
      ).toFixed(1)}`,
    ];
  });
  const head = [
    'contender',
    'CPU µs per fix, min / median',
    '÷ raw, min / median',
    '÷ Socket.IO alone, min / median',
    'Redis µs',
    'ack p99 ms',
    'reader p50 / p99 ms',
  ];
  return [`${rate} pings a second`, '', line(head), line(head.map(() => '---')), ...rows.map(line), ''];
}

/** The ratio of the minima, and that of the medians. */
function ratio(cost: readonly number[], base: readonly number[]): string {
  const medians = quantile(cost, 0.5) / quantile(base, 0.5);
  return `${(Math.min(...cost) / Math.min(...base)).toFixed(2)} / ${medians.toFixed(2)}`;
}

function line(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`;
}

/**
 * The commands of the full path beyond those of an idle server, for each tick of 100 ms, over all repeats: an idle server renews
 * its leases once a second, all at one moment, so a single span may have one moment more.
 */
function redisLines(rounds: readonly Round[], idle: RedisCount): string[] {
  const full = Map.groupBy(
    rounds.filter(({ name }) => name === 'full path'),
    ({ rate }) => rate,
  );
  return [...full].map(([rate, repeats]) => {
    const ticks = (sum(repeats.map(({ seconds }) => seconds)) * 1000) / TICK_MS;
    const countedS = sum(repeats.map((round) => round.countedS));
    const names = new Set(
      repeats.flatMap(({ redis }) => [...redis.calls.keys()]).filter((name) => !OWN_CALLS.includes(name)),
    );
    const extra = [...names]
      .map((name): [string, number] => {
        const count = sum(repeats.map(({ redis }) => redis.calls.get(name) ?? 0));
        return [name, (count - (idle.calls.get(name) ?? 0) * countedS) / ticks];
      })
      .filter(([, perTick]) => perTick > 0.05);
    const total = sum(extra.map(([, perTick]) => perTick));
    const named = extra.map(([name, perTick]) => `${name} ${perTick.toFixed(2)}`).join(', ');
    return `Redis commands per tick at ${rate}/s beyond the idle ones: ${total.toFixed(2)} (${named})`;
  });
}
