import type { SessionId } from '../../../domain/ids.ts';
import type { RedisConnections } from '../../../engines/redis/redis.ts';
import { loadPipelined } from '../../../engines/redis/script.ts';

/** The state is `unknown` if Redis may have lost the end of the session. */
export type DeniedState = 'ended' | 'running' | 'unknown';

/** Sessions that have ended while their access tokens are still valid. */
export type DeniedSessions = {
  /** Never throws. While Redis is away, the entry is written later. */
  add(id: SessionId): Promise<void>;
  /** @throws Error while Redis is away */
  stateOf(id: SessionId): Promise<DeniedState>;
};

/** Most ended sessions kept while Redis is away. Their access tokens expire within minutes anyway. */
const MOST_UNTOLD = 1000;

/**
 * The list in Redis, read for every token that a process has not seen lately. A failover or restart may lose its newest
 * entries, and a flush all of them. The list is then useless until every token of that time has expired.
 * @param lifeS lifetime of an access token
 */
export function createDeniedSessions({ commands, prefix }: RedisConnections, lifeS: number): DeniedSessions {
  const findDenied = loadPipelined('find-denied', commands);
  const untold = new Set<SessionId>();
  // All keys share one hash tag, so that the list's mark and its entries are on the same node of a cluster.
  const keyOf = (name: string): string => `${prefix}{denied}:${name}`;
  const add = async (id: SessionId): Promise<void> => {
    try {
      await commands.set(keyOf(id), '1', 'EX', lifeS);
      untold.delete(id);
    } catch {
      // Redis is away. Readers cannot reach it either, and read the session's row.
      if (untold.size < MOST_UNTOLD) untold.add(id);
    }
  };
  return {
    add,
    stateOf: async (id) => {
      if (untold.size > 0) await Promise.all([...untold].map(add));
      const found = await findDenied([keyOf(id), keyOf('whole')], [lifeS * 1000]);
      if (found === -1) return 'unknown';
      return found === 1 ? 'ended' : 'running';
    },
  };
}
