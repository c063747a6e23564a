import type { SessionId } from '../../../domain/ids.ts';
import type { RedisConnections } from '../../../engines/redis/redis.ts';
import { loadPipelined } from '../../../engines/redis/script.ts';
import type { Clock, Stop } from '../../../ports/process.ts';

/** The state is `unknown` if Redis may have lost the end of the session. */
export type DeniedState = 'ended' | 'running' | 'unknown';

/** Sessions that have ended while their access tokens are still valid. */
export type DeniedSessions = {
  /** Never throws. If Redis does not take the entry, it is added later. */
  add(id: SessionId): Promise<void>;
  /** @throws Error while Redis is away */
  stateOf(id: SessionId): Promise<DeniedState>;
  /** Never throws. */
  close(): Promise<void>;
};

/** Machine time before missing entries are tried again. Until then, other processes believe the list without them. */
const AGAIN_AFTER_MS = 1000;
/** Most missing entries that a process writes later. If there are more, it declares the list useless. */
const MOST_MISSING = 1000;

/**
 * The list in Redis, read for every token that a process has not seen lately. A failover or restart may lose its newest
 * entries, and a flush all of them. The list is then useless until every token of that time has expired.
 * @param lifeS lifetime of an access token
 */
export function createDeniedSessions(
  { commands, prefix }: RedisConnections,
  { real }: Pick<Clock, 'real'>,
  lifeS: number,
): DeniedSessions {
  const findDenied = loadPipelined('find-denied', commands);
  // All keys share one hash tag, so that the list's mark and its entries are on the same node of a cluster.
  const keyOf = (name: string): string => `${prefix}{denied}:${name}`;
  const mark = keyOf('whole');
  const missing = new Set<SessionId>();
  /** Ends the wait before the next try; null if no entry is missing. */
  let stopWaiting: Stop | null = null;
  const write = (id: SessionId): Promise<unknown> => commands.set(keyOf(id), '1', 'EX', lifeS);
  const catchUpSoon = (): void => {
    stopWaiting ??= real.after(AGAIN_AFTER_MS, () => void tryToCatchUp());
  };
  const catchUp = async (): Promise<void> => {
    if (stopWaiting === null) return;
    stopWaiting();
    stopWaiting = null;
    const ids = [...missing];
    try {
      // The next reader makes a new mark, and believes the list when every token of today has expired.
      if (ids.length > MOST_MISSING) await commands.del(mark);
      else await Promise.all(ids.map(write));
    } catch (error) {
      catchUpSoon();
      throw error;
    }
    for (const id of ids) missing.delete(id);
  };
  // The next try follows.
  const tryToCatchUp = (): Promise<void> => catchUp().catch(() => undefined);
  return {
    add: async (id) => {
      try {
        await write(id);
      } catch {
        // Perhaps only this process does not reach Redis. Processes that do not reach it read the session's row.
        if (missing.size <= MOST_MISSING) missing.add(id);
        catchUpSoon();
      }
    },
    stateOf: async (id) => {
      // Redis would refuse each missing entry again for each token.
      if (missing.size > 0 && commands.status !== 'ready') throw new Error('Redis is away');
      await catchUp();
      const found = await findDenied([keyOf(id), mark], [lifeS * 1000]);
      if (found === -1) return 'unknown';
      return found === 1 ? 'ended' : 'running';
    },
    close: async () => {
      await tryToCatchUp();
      stopWaiting?.();
    },
  };
}
