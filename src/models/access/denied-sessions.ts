import type { SessionId } from '../../domain/ids.ts';
import type { RedisConnections } from '../../engines/redis/redis.ts';
import { loadScript } from '../../engines/redis/script.ts';

/** Unknown: Redis may have forgotten the end of the session. */
export type DeniedState = 'ended' | 'running' | 'unknown';

/** Sessions that have ended while their access tokens still run. */
export type DeniedSessions = {
  /** Never throws: while Redis is away it is told later. */
  add(id: SessionId): Promise<void>;
  /** @throws Error while Redis is away */
  stateOf(id: SessionId): Promise<DeniedState>;
};

/** Ended sessions kept for a Redis that is away; their access tokens die by themselves within minutes. */
const MOST_UNTOLD = 1000;

const findDenied = loadScript('find-denied');

/**
 * The list in Redis, read for every token that a process has not seen lately. A failover or a restart may lose its newest
 * entries, and a flush all of them; then the list is of no use until every token of that time has expired.
 * @param lifeS life of an access token
 */
export function createDeniedSessions({ commands, prefix }: RedisConnections, lifeS: number): DeniedSessions {
  const untold = new Set<SessionId>();
  // One hash tag for all, so that the mark of the list lies on the same node of a cluster as its entries.
  const keyOf = (name: string): string => `${prefix}{denied}:${name}`;
  const add = async (id: SessionId): Promise<void> => {
    try {
      await commands.set(keyOf(id), '1', 'EX', lifeS);
      untold.delete(id);
    } catch {
      // Redis is away: whoever asks cannot ask Redis either, and goes by the session's row.
      if (untold.size < MOST_UNTOLD) untold.add(id);
    }
  };
  return {
    add,
    stateOf: async (id) => {
      if (untold.size > 0) await Promise.all([...untold].map(add));
      const found = await findDenied(commands, [keyOf(id), keyOf('whole')], [lifeS * 1000]);
      if (found === -1) return 'unknown';
      return found === 1 ? 'ended' : 'running';
    },
  };
}
