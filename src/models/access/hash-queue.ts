import { Refusal } from '../../domain/refusals/refusals.ts';
import type { Clock } from '../../ports/process.ts';

/** Runs work for somebody when their turn comes; refuses `busy` when too much waits. */
export type HashQueue = <T>(who: string, work: () => Promise<T>) => Promise<T>;

/** Some 5 s of hashing and resting. */
const MOST_WAITING = 32;
const MOST_OF_ONE = 16;
/** How much longer than the work the rest is: hashing takes a quarter of a processor at most. */
const REST = 3;

/**
 * Does one piece of work at a time, and rests before the next: hashes of passwords take a thread of the few that the
 * database's client and the file system use too, and the processor from everybody else. Those who wait take turns, so that
 * whoever asks for much waits for their own work alone.
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
