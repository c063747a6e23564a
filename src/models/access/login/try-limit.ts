import { createHmac } from 'node:crypto';
import { Refusal } from '../../../domain/refusals/refusals.ts';
import type { Clock } from '../../../ports/process.ts';
import type { RedisConnections } from '../../../engines/redis/redis.ts';
import { loadScript } from '../../../engines/redis/script.ts';

/** How many tries are allowed: `free` at once, and in the long run one per `paceMs` of machine time. */
export type Limit = {
  /** Distinguishes the limit from other limits of the same subject. */
  readonly name: string;
  readonly free: number;
  /** The first wait. Each further try doubles it, up to the pace. */
  readonly firstWaitMs: number;
  readonly paceMs: number;
};

/** One try, as one limit counts it. */
export type Counted = { readonly limit: Limit; readonly subject: string };

export type TryLimit = {
  /**
   * Counts a try by each of these limits. If one of them makes it wait, refuses `too_many_requests` and counts nothing.
   * @returns a function that takes the try back; waits that later tries have set stay
   */
  take(tries: readonly Counted[]): Promise<GiveBack>;
  /** Refuses like `take`, but counts nothing. */
  check(tried: Counted): Promise<void>;
  /** Counts a try that `check` has allowed. */
  count(tried: Counted): Promise<void>;
  /** Forgets all tries of a subject. */
  clear(tried: Counted): Promise<void>;
};

export type GiveBack = () => Promise<void>;
type Asked = { readonly waitMs: number; readonly giveBack: GiveBack };
type Mode = 'try' | 'check' | 'count';
type Level = {
  readonly level: number;
  readonly at: number;
  readonly until: number;
  /** The name of the try that set `until`; null once that try was taken back. */
  readonly last: string | null;
  /** When the first of these tries was counted. A try from before, which is forgotten, is not taken back from them. */
  readonly born: number;
};

/** Most subjects that one process counts while Redis is away. The oldest are forgotten first. */
const MOST_SUBJECTS = 10_000;

const takeTry = loadScript('take-try');
const returnTry = loadScript('return-try');

/** Counts tries in Redis. While Redis is away, each process counts by itself, so the limit never fails open. */
export function createTryLimit(redis: RedisConnections, pepper: string, clock: Clock): TryLimit {
  const own = new Map<string, Level>();
  const keyOf = ({ limit, subject }: Counted): string => {
    const hash = createHmac('sha256', pepper).update(subject).digest('base64url');
    return `${redis.prefix}tries:${limit.name}:${hash}`;
  };
  const askHere = (key: string, limit: Limit, mode: Mode): Asked => {
    const { waitMs, next } = judgeTry(limit, own.get(key) ?? null, clock.real.elapsed(), mode);
    own.delete(key);
    own.set(key, next);
    for (const oldest of own.keys()) {
      if (own.size <= MOST_SUBJECTS) break;
      own.delete(oldest);
    }
    const giveBack = async (): Promise<void> => {
      const known = own.get(key);
      if (known !== undefined) own.set(key, returnedTry(limit, known, next.last));
    };
    return { waitMs, giveBack };
  };
  const askRedis = async (key: string, { free, firstWaitMs, paceMs }: Limit, mode: Mode): Promise<Asked> => {
    const numbers = [free, firstWaitMs, paceMs];
    const [waitMs, name] = (await takeTry(redis.commands, [key], [...numbers, mode])) as [number, string];
    // While Redis is away, the try stays counted there until it fades.
    const giveBack = async (): Promise<void> =>
      void (await returnTry(redis.commands, [key], [name, ...numbers]).catch(() => undefined));
    return { waitMs, giveBack };
  };
  const ask = (tried: Counted, mode: Mode): Promise<Asked> => {
    const key = keyOf(tried);
    return askRedis(key, tried.limit, mode).catch(() => askHere(key, tried.limit, mode));
  };
  return {
    take: async (tries) => {
      const taken: Asked[] = [];
      const giveBack = async (): Promise<void> => void (await Promise.all(taken.map((each) => each.giveBack())));
      for (const tried of tries) {
        const asked = await ask(tried, 'try');
        if (asked.waitMs > 0) {
          await giveBack();
          throw tooMany(asked.waitMs);
        }
        taken.push(asked);
      }
      return giveBack;
    },
    check: async (tried) => {
      const { waitMs } = await ask(tried, 'check');
      if (waitMs > 0) throw tooMany(waitMs);
    },
    count: async (tried) => void (await ask(tried, 'count')),
    clear: async (tried) => {
      const key = keyOf(tried);
      own.delete(key);
      // While Redis is away, the tries stay counted there until they fade.
      await redis.commands.del(key).catch(() => undefined);
    },
  };
}

function tooMany(waitMs: number): Refusal {
  const seconds = Math.ceil(waitMs / 1000);
  const detail = `Too many tries. The next one is possible in ${seconds} s.`;
  return new Refusal('too_many_requests', { detail, metadata: { retry_after_s: seconds } });
}

/** Does the same as `take-try.lua`: returns how long a try must wait (0 if it is allowed), and the level to store. */
export function judgeTry(
  limit: Limit,
  known: Level | null,
  now: number,
  mode: Mode = 'try',
): { waitMs: number; next: Level } {
  const before = known ?? { level: 0, at: now, until: 0, last: null, born: now };
  const waitMs = Math.min(limit.paceMs, before.until - now);
  if (waitMs > 0 && mode !== 'count') return { waitMs, next: before };
  if (mode === 'check') return { waitMs: 0, next: before };
  const level = Math.max(0, before.level - (now - before.at) / limit.paceMs) + 1;
  const { born } = before;
  const last = `${born}:${now}:${level}`;
  return { waitMs: 0, next: { level, at: now, until: now + waitAfter(limit, level), last, born } };
}

/** How long the next try must wait after a try that raised the level to this value, ms. */
function waitAfter({ free, firstWaitMs, paceMs }: Limit, level: number): number {
  const over = Math.ceil(level) - free;
  return over < 0 ? 0 : Math.min(paceMs, firstWaitMs * 2 ** over);
}

/** Does the same as `return-try.lua` with the try of this name. */
export function returnedTry(limit: Limit, known: Level, name: string | null): Level {
  if (name?.split(':')[0] !== String(known.born)) return known;
  const level = Math.max(0, known.level - 1);
  if (known.last === name) return { ...known, level, until: 0, last: null };
  return known.last === null ? { ...known, level } : { ...known, level, until: known.at + waitAfter(limit, level) };
}
