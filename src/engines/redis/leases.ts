import type { Clock, Leases, Log } from '../../ports/process.ts';
import type { RedisConnections } from './redis.ts';
import { loadPipelined, loadScript } from './script.ts';

const giveBack = loadScript('release-lease');

/** A failed lease that was not requested again for this long is no longer reported by this process; machine time. */
const CONCERN_MS = 30_000;

type Needs = {
  readonly redis: RedisConnections;
  /** Unique to this run of the process. A restarted process has another one. */
  readonly processId: string;
  readonly clock: Pick<Clock, 'real'>;
  readonly log: Log;
};

/**
 * Leases in Redis. They only save double work: every write under a lease carries its fencing number to the database.
 * Leases that are requested at once share a command.
 */
export function createLeases({ redis, processId, clock, log }: Needs): Leases {
  const { commands, prefix, outage } = redis;
  const hold = loadPipelined('hold-lease', commands);
  const keyOf = (name: string): string => `${prefix}{lease:${name}}`;
  /** When each failing lease last failed. On a cluster some leases may fail while others work. */
  const failing = new Map<string, number>();
  let reported: unknown;
  const fail = (name: string, error: unknown): void => {
    // The connections report an outage of all of Redis.
    if (outage.isOn()) return;
    if (failing.size === 0) {
      reported = error;
      log.error({ lease: name, error }, 'a lease could not be taken');
    }
    failing.set(name, clock.real.elapsed());
  };
  const work = (name: string): void => {
    if (failing.size === 0) return;
    failing.delete(name);
    for (const [other, at] of failing) if (at < clock.real.elapsed() - CONCERN_MS) failing.delete(other);
    if (failing.size === 0) log.warn({ lease: name, error: reported }, 'leases can be taken again');
  };
  return {
    tryHold: async (name, ttlMs) => {
      try {
        const fence = await hold([keyOf(name), `${keyOf(name)}:fence`], [processId, ttlMs]);
        work(name);
        return typeof fence === 'number' ? fence : null;
      } catch (error) {
        // The owner of the lease is unknown, so this process does not own it.
        fail(name, error);
        return null;
      }
    },
    release: async (name) => {
      try {
        await giveBack(commands, [keyOf(name)], [processId]);
      } catch {
        // Redis is unreachable. The lease expires by itself.
      }
    },
  };
}
