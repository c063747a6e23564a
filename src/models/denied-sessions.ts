import type { SessionId } from '../domain/ids.ts';
import type { RedisConnections } from './redis.ts';

/** Sessions that have ended while their access tokens still run. */
export type DeniedSessions = {
  /** Never throws: while Redis is away it is told later. */
  add(id: SessionId): Promise<void>;
  /** @throws Error while Redis is away */
  has(id: SessionId): Promise<boolean>;
};

/** Ended sessions kept for a Redis that is away; their access tokens die by themselves within minutes. */
const MOST_UNTOLD = 1000;

/** The list in Redis, read for every token that a process has not seen lately. @param lifeS life of an access token */
export function createDeniedSessions({ commands, prefix }: RedisConnections, lifeS: number): DeniedSessions {
  const untold = new Set<SessionId>();
  const keyOf = (id: SessionId): string => `${prefix}denied:${id}`;
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
    has: async (id) => {
      if (untold.size > 0) await Promise.all([...untold].map(add));
      return (await commands.exists(keyOf(id))) === 1;
    },
  };
}
