import { Refusal } from '../../../domain/refusals/refusals.ts';
import type { Clock } from '../../../ports/process.ts';

/** Runs work when the turn of `who` comes. Refuses `busy` if too much work waits. */
export type HashQueue = <T>(who: string, work: () => Promise<T>) => Promise<T>;

/** About 5 s of hashing and resting. */
const MOST_WAITING = 32;
const MOST_OF_ONE = 16;
/** The rest is this many times as long as the work, so hashing takes at most a quarter of a processor. */
const REST = 3;

/**
 * Does one piece of work at a time, and rests before the next. Hashing passwords takes processor time from other work,
 * and one of the few threads that the database client and the file system share. Callers take turns, so that a caller
 * with much work delays only themselves.
 */
export function createHashQueue({ real }: Clock): HashQueue {
  const waiting = new Map<string, (() => void)[]>();
  let length = 0;
  let isWorking = false;
  const startNext = (): void => {
    const [first] = waiting;
    isWorking = first !== undefined;
    if (first === undefined) return;
    const [who, [start, ...later]] = first;
    waiting.delete(who);
    if (later.length > 0) waiting.set(who, later);
    length -= 1;
    start?.();
  };
  const queue = (who: string): Promise<void> => {
    const mine = waiting.get(who) ?? [];
    if (length >= MOST_WAITING || mine.length >= MOST_OF_ONE) throw new Refusal('busy');
    length += 1;
    return new Promise((resolve) => void waiting.set(who, [...mine, resolve]));
  };
  return async (who, work) => {
    if (isWorking) await queue(who);
    isWorking = true;
    const from = real.elapsed();
    try {
      return await work();
    } finally {
      const restMs = REST * (real.elapsed() - from);
      if (restMs <= 0) startNext();
      else real.after(restMs, startNext);
    }
  };
}
