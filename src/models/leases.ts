import type { Leases } from '../ports.ts';
import type { RedisConnections } from './redis.ts';
import { loadScript } from './script.ts';

const hold = loadScript('hold-lease');
const giveBack = loadScript('release-lease');

/**
 * Leases in Redis. They only save double work: whoever writes under one carries its fencing number to the database.
 * @param processId unique to this run of the process: a restarted one is somebody else
 */
export function createLeases({ commands, prefix }: RedisConnections, processId: string): Leases {
  const keyOf = (name: string): string => `${prefix}{lease:${name}}`;
  return {
    tryHold: async (name, ttlMs) => {
      try {
        const fence = await hold(commands, [keyOf(name), `${keyOf(name)}:fence`], [processId, ttlMs]);
        return typeof fence === 'number' ? fence : null;
      } catch {
        // Redis is away: nobody can know who holds the lease, so this process does not.
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
