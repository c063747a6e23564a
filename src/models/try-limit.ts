import { createHmac } from 'node:crypto';
import { Refusal } from '../domain/refusals.ts';
import type { Clock } from '../ports.ts';
import type { RedisConnections } from './redis.ts';
import { loadScript } from './script.ts';

export type TryLimit = {
  /** Counts a try; refuses `too_many_requests` above the limit. */
  take(kind: string, subject: string): Promise<void>;
  /** Forgets the tries of a subject who has succeeded. */
  clear(kind: string, subject: string): Promise<void>;
};

const MOST = 5;
const WINDOW_MS = 15 * 60_000;
/** Subjects one process counts while Redis is away; the oldest are forgotten first. */
const MOST_SUBJECTS = 10_000;

const countTry = loadScript('count-try');

/** Five tries in 15 min of machine time per subject. Never open: without Redis each process counts for itself. */
export function createTryLimit(redis: RedisConnections, pepper: string, clock: Clock): TryLimit {
  const own = new Map<string, { count: number; until: number }>();
  const keyOf = (kind: string, subject: string): string =>
    `${redis.prefix}tries:${kind}:${createHmac('sha256', pepper).update(subject).digest('base64url')}`;
  const countHere = (key: string): [number, number] => {
    const now = clock.real.elapsed();
    const known = own.get(key);
    const entry = known !== undefined && known.until > now ? known : { count: 0, until: now + WINDOW_MS };
    entry.count += 1;
    own.set(key, entry);
    for (const oldest of own.keys()) {
      if (own.size <= MOST_SUBJECTS) break;
      own.delete(oldest);
    }
    return [entry.count, entry.until - now];
  };
  return {
    take: async (kind, subject) => {
      const key = keyOf(kind, subject);
      const [count, leftMs] = await (countTry(redis.commands, [key], [WINDOW_MS]) as Promise<[number, number]>).catch(
        // Redis is away.
        () => countHere(key),
      );
      if (count <= MOST) return;
      throw new Refusal('too_many_requests', { metadata: { retry_after_s: Math.ceil(leftMs / 1000) } });
    },
    clear: async (kind, subject) => {
      const key = keyOf(kind, subject);
      own.delete(key);
      // Redis is away: the counter there ends by itself.
      await redis.commands.del(key).catch(() => undefined);
    },
  };
}
