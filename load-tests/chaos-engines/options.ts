import { parseArgs } from 'node:util';
import { wholeOf } from '../numbers.ts';
import { FAULT_NAMES, FAULTS, type FaultCounts } from './plan.ts';
import { REDIS_KINDS, type RedisKind } from './redis.ts';

export type EnginesOptions = {
  readonly orders: number;
  /** Minutes of the day in which the orders are placed. */
  readonly minutes: number;
  readonly couriers: number;
  readonly servers: number;
  /** How many times faster than the day. */
  readonly speed: number;
  readonly redis: RedisKind;
  readonly faults: FaultCounts;
  readonly seed: number;
  readonly json: string | null;
};

export const USAGE = `npm run chaos:engines -- [options]

  --redis KIND           pair: a primary and its replica behind one address; sentinel: the same
                         watched by three sentinels; cluster: three primaries, each with a replica (pair)
  --orders N             orders of the day (300)
  --minutes M            minutes of the day in which they are placed (240)
  --couriers N           couriers in all (45)
  --servers N            server processes (2)
  --speed S              how many times faster than the day (20)
  --step-downs N         times the primary of MongoDB must step down (6)
  --primary-kills N      kill -9 of the primary of MongoDB (3)
  --redis-failovers N    promotions of a replica of Redis; every other one after a kill -9 (2)
  --server-kills N       kill -9 of a server (4)
  --clock-steps N        steps of one server's wall clock by an hour, back and forward in turn (1)
  --seed N               seed of the day, the faults and the couriers' answers (1)
  --json FILE            write all figures there
  --help                 this text`;

const NAMES = ['redis', 'orders', 'minutes', 'couriers', 'servers', 'speed', ...FAULT_NAMES, 'seed', 'json'] as const;

/** Reads the command line. Null if the caller asks for the usage only. @throws Error with a sentence for the user */
export function parseEnginesOptions(args: readonly string[]): EnginesOptions | null {
  const named = Object.fromEntries(NAMES.map((name) => [name, { type: 'string' as const }]));
  const { values } = parseArgs({ args: [...args], options: { ...named, help: { type: 'boolean' as const } } });
  const given: Readonly<Record<string, string | boolean | undefined>> = values;
  if (given['help'] === true) return null;
  const text = (name: (typeof NAMES)[number]): string | undefined => {
    const value = given[name];
    return typeof value === 'string' ? value : undefined;
  };
  const whole = (name: (typeof NAMES)[number], or: number, low: number, high: number): number =>
    wholeOf(name, text(name), or, low, high);
  const redis = REDIS_KINDS.find((kind) => kind === (text('redis') ?? 'pair'));
  if (redis === undefined) throw new Error(`--redis must be one of ${REDIS_KINDS.join(', ')}`);
  const faults = FAULT_NAMES.map((fault) => [fault, whole(fault, FAULTS[fault], 0, 100)] as const);
  return {
    orders: whole('orders', 300, 1, 10_000),
    minutes: whole('minutes', 240, 1, 720),
    couriers: whole('couriers', 45, 1, 1000),
    // While one server is killed, the other one must answer.
    servers: whole('servers', 2, 2, 16),
    speed: whole('speed', 20, 1, 100),
    redis,
    faults: Object.fromEntries(faults) as FaultCounts,
    seed: whole('seed', 1, 0, 4_294_967_295),
    json: text('json') ?? null,
  };
}
