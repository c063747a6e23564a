import type { SessionId } from '../../../domain/ids.ts';
import type { RedisConnections } from '../../../engines/redis/redis.ts';
import { loadPipelined } from '../../../engines/redis/script.ts';
import type { Clock, Stop } from '../../../ports/process.ts';

/** The state is `unknown` if Redis may have lost the end of the session. */
export type DeniedState = 'ended' | 'running' | 'unknown';

/** Sessions that have ended while their access tokens are still valid. */
export type DeniedSessions = {
  /** Never throws. If Redis does not take the entry, the list is not believed any longer. */
  add(id: SessionId): Promise<void>;
  /** @throws Error while Redis is away */
  stateOf(id: SessionId): Promise<DeniedState>;
  /** Never throws. */
  close(): Promise<void>;
};

/** Machine time before a missing entry is reported, or again. Until then, other processes believe the list. */
const REPORT_AFTER_MS = 1000;

/**
 * The list in Redis, read for every token that a process has not seen lately. A failover or restart may lose its newest
 * entries, and a flush all of them. An entry may also be missing because a process could not write it. The list is then
 * useless until every token of that time has expired.
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
  /** Ends the wait before the next report; null if no entry is missing. */
  let stopWaiting: Stop | null = null;
  const reportSoon = (): void => {
    stopWaiting ??= real.after(REPORT_AFTER_MS, () => void tryReport());
  };
  /** Removes the mark if an entry is missing. The next reader makes a new one, which counts from then. */
  const report = async (): Promise<void> => {
    if (stopWaiting === null) return;
    stopWaiting();
    stopWaiting = null;
    try {
      await commands.del(mark);
    } catch (error) {
      reportSoon();
      throw error;
    }
  };
  // The next try follows.
  const tryReport = (): Promise<void> => report().catch(() => undefined);
  return {
    add: async (id) => {
      try {
        await commands.set(keyOf(id), '1', 'EX', lifeS);
      } catch {
        // Perhaps only this process does not reach Redis. Processes that do not reach it read the session's row.
        reportSoon();
      }
    },
    stateOf: async (id) => {
      await report();
      const found = await findDenied([keyOf(id), mark], [lifeS * 1000]);
      if (found === -1) return 'unknown';
      return found === 1 ? 'ended' : 'running';
    },
    close: async () => {
      await tryReport();
      stopWaiting?.();
    },
  };
}
