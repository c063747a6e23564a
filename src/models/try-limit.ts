import { createHmac } from 'node:crypto';
import { Refusal } from '../domain/refusals.ts';
import type { Clock } from '../ports.ts';
import type { RedisConnections } from './redis.ts';
import { loadScript } from './script.ts';

/** How often something may be tried: `free` times at once, and in the long run once per `paceMs`, machine time. */
export type Limit = {
  /** Tells it from other limits of the same subject. */
  readonly name: string;
  readonly free: number;
  /** The first wait; each further try doubles it, up to the pace. */
  readonly firstWaitMs: number;
  readonly paceMs: number;
};

/** One try, as one limit counts it. */
export type Counted = { readonly limit: Limit; readonly subject: string };

export type TryLimit = {
  /** Counts a try by each of these limits; refuses `too_many_requests` and counts it by none if one of them makes it wait. */
  take(tries: readonly Counted[]): Promise<void>;
  /** Refuses like `take`, and counts nothing. */
  check(tried: Counted): Promise<void>;
  /** Counts a try that `check` has let through. */
  count(tried: Counted): Promise<void>;
  /** Takes a try back that came to nothing. */
  giveBack(tries: readonly Counted[]): Promise<void>;
  /** Forgets all tries of a subject. */
  clear(tried: Counted): Promise<void>;
};

type Mode = 'try' | 'check' | 'count';
type Level = { readonly level: number; readonly at: number; readonly until: number };

/** Subjects that one process counts while Redis is away; the oldest are forgotten first. */
const MOST_SUBJECTS = 10_000;

const takeTry = loadScript('take-try');
const returnTry = loadScript('return-try');

/** Counts tries in Redis. Never open: while Redis is away each process counts by itself. */
export function createTryLimit(redis: RedisConnections, pepper: string, clock: Clock): TryLimit {
  const own = new Map<string, Level>();
  const keyOf = ({ limit, subject }: Counted): string => {
    const hash = createHmac('sha256', pepper).update(subject).digest('base64url');
    return `${redis.prefix}tries:${limit.name}:${hash}`;
  };
  const askHere = (key: string, limit: Limit, mode: Mode): number => {
    const { waitMs, next } = judgeTry(limit, own.get(key) ?? null, clock.real.elapsed(), mode);
    own.delete(key);
    own.set(key, next);
    for (const oldest of own.keys()) {
      if (own.size <= MOST_SUBJECTS) break;
      own.delete(oldest);
    }
    return waitMs;
  };
  const ask = (tried: Counted, mode: Mode): Promise<number> => {
    const key = keyOf(tried);
    const { free, firstWaitMs, paceMs } = tried.limit;
    const asked = takeTry(redis.commands, [key], [free, firstWaitMs, paceMs, mode]) as Promise<number>;
    return asked.catch(() => askHere(key, tried.limit, mode));
  };
  const giveBack: TryLimit['giveBack'] = async (tries) => {
    const keys = tries.map(keyOf);
    for (const key of keys) {
      const known = own.get(key);
      if (known !== undefined) own.set(key, { ...known, level: Math.max(0, known.level - 1), until: 0 });
    }
    // While Redis is away the try stays counted there, and is made up for in time.
    await Promise.all(keys.map((key) => returnTry(redis.commands, [key], []).catch(() => undefined)));
  };
  return {
    take: async (tries) => {
      for (const [index, tried] of tries.entries()) {
        const waitMs = await ask(tried, 'try');
        if (waitMs <= 0) continue;
        await giveBack(tries.slice(0, index));
        throw tooMany(waitMs);
      }
    },
    check: async (tried) => {
      const waitMs = await ask(tried, 'check');
      if (waitMs > 0) throw tooMany(waitMs);
    },
    count: async (tried) => void (await ask(tried, 'count')),
    giveBack,
    clear: async (tried) => {
      const key = keyOf(tried);
      own.delete(key);
      // While Redis is away the tries there are made up for in time.
      await redis.commands.del(key).catch(() => undefined);
    },
  };
}

function tooMany(waitMs: number): Refusal {
  const seconds = Math.ceil(waitMs / 1000);
  const detail = `Too many tries; the next one is possible in ${seconds} s.`;
  return new Refusal('too_many_requests', { detail, metadata: { retry_after_s: seconds } });
}

/** What `take-try.lua` does: how long a try must wait, 0 for one that is let through, and what is remembered then. */
export function judgeTry(
  limit: Limit,
  known: Level | null,
  now: number,
  mode: Mode = 'try',
): { waitMs: number; next: Level } {
  const before = known ?? { level: 0, at: now, until: 0 };
  const waitMs = Math.min(limit.paceMs, before.until - now);
  if (waitMs > 0 && mode !== 'count') return { waitMs, next: before };
  if (mode === 'check') return { waitMs: 0, next: before };
  const level = Math.max(0, before.level - (now - before.at) / limit.paceMs) + 1;
  const over = Math.ceil(level) - limit.free;
  const after = over < 0 ? 0 : Math.min(limit.paceMs, limit.firstWaitMs * 2 ** over);
  return { waitMs: 0, next: { level, at: now, until: now + after } };
}
