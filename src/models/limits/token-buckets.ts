import { loadScript } from '../../engines/redis/script.ts';
import type { RedisConnections } from '../../engines/redis/redis.ts';
import type { Bucket, LimitPorts, TokenTaken } from '../../ports/limits.ts';
import type { Clock } from '../../ports/process.ts';

/** Most buckets of this process. The least recently used one is forgotten first. */
const MOST_BUCKETS = 10_000;
const ROUNDING_MS = 1e-6;
const takeToken = loadScript('take-token');

/**
 * Token buckets in Redis, by its clock, one command for each request. While Redis is away, or answers late, a request
 * counts in a bucket of this process.
 */
export function createTokenBuckets(
  { commands, prefix, outage }: Pick<RedisConnections, 'commands' | 'prefix' | 'outage'>,
  clock: Pick<Clock, 'real'>,
): LimitPorts['takeToken'] {
  /** When each bucket of this process is full again, by its monotonic clock, ms. */
  const own = new Map<string, number>();
  const takeHere = (key: string, { perS, most }: Bucket): TokenTaken => {
    const { next, taken } = judgeToken({ perS, most }, own.get(key) ?? 0, clock.real.elapsed());
    // The map is in the order of use.
    own.delete(key);
    own.set(key, next);
    for (const oldest of own.keys()) {
      if (own.size <= MOST_BUCKETS) break;
      own.delete(oldest);
    }
    return taken;
  };
  return async (bucket) => {
    const key = `${prefix}rate:${bucket.name}:${bucket.subject}`;
    if (outage.isOn()) return takeHere(key, bucket);
    try {
      const args = [1_000_000 / bucket.perS, bucket.most];
      const [taken, left, waitUs] = (await takeToken(commands, [key], args)) as [number, number, number];
      return { isAllowed: taken === 1, left, waitMs: waitUs / 1000 };
    } catch {
      // Redis is away, or became a replica. The limit must hold all the same.
      return takeHere(key, bucket);
    }
  };
}

/** Does the same as `take-token.lua`. Returns when the bucket is full again, and the verdict; ms. */
export function judgeToken(
  { perS, most }: Pick<Bucket, 'perS' | 'most'>,
  fullAt: number,
  now: number,
): { readonly next: number; readonly taken: TokenTaken } {
  const each = 1000 / perS;
  const full = Math.max(now, fullAt) + each;
  const over = full - now - each * most;
  // The sum of rounded numbers may be a little off.
  if (over > ROUNDING_MS) return { next: fullAt, taken: { isAllowed: false, left: 0, waitMs: over } };
  const left = Math.max(0, Math.floor(-over / each));
  return { next: full, taken: { isAllowed: true, left, waitMs: each + over + left * each } };
}
