import type { Clock, Leases, Log } from '../../ports/process.ts';
import type { RedisConnections } from './redis.ts';
import { loadScript } from './script.ts';

const hold = loadScript('hold-lease');
const giveBack = loadScript('release-lease');

/** A lease that failed and was not asked for again this long, in machine time, is of no concern to this process any more. */
const CONCERN_MS = 30_000;

type Needs = {
  readonly redis: RedisConnections;
  /** Unique to this run of the process: a restarted one is somebody else. */
  readonly processId: string;
  readonly clock: Pick<Clock, 'real'>;
  readonly log: Log;
};

/** Leases in Redis. They only save double work: whoever writes under one carries its fencing number to the database. */
export function createLeases({ redis, processId, clock, log }: Needs): Leases {
  const { commands, prefix, outage } = redis;
  const keyOf = (name: string): string => `${prefix}{lease:${name}}`;
  /** When each lease that fails now failed last. On a cluster some may fail while others are taken. */
  const failing = new Map<string, number>();
  const fail = (name: string, error: unknown): void => {
    // That all of Redis is away is told by the connections.
    if (outage.isOn()) return;
    if (failing.size === 0) log.error({ lease: name, error: String(error) }, 'a lease could not be taken');
    failing.set(name, clock.real.elapsed());
  };
  const work = (name: string): void => {
    if (failing.size === 0) return;
    failing.delete(name);
    for (const [other, at] of failing) if (at < clock.real.elapsed() - CONCERN_MS) failing.delete(other);
    if (failing.size === 0) log.info({ lease: name }, 'leases can be taken again');
  };
  return {
    tryHold: async (name, ttlMs) => {
      try {
        const fence = await hold(commands, [keyOf(name), `${keyOf(name)}:fence`], [processId, ttlMs]);
        work(name);
        return typeof fence === 'number' ? fence : null;
      } catch (error) {
        // Nobody can know who holds the lease, so this process does not.
        fail(name, error);
        return null;
      }
    },
    release: async (name) => {
      try {
        await giveBack(commands, [keyOf(name)], [processId]);
      } catch {
        // Redis is away: the lease runs out by itself.
      }
    },
  };
}
