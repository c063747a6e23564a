import { Refusal } from '../../domain/refusals/refusals.ts';

/** Runs work; what it gives is the work's. */
export type Run = <T>(work: () => Promise<T>) => Promise<T>;

/**
 * Runs pieces of work in the order they came, `atOnce` at a time.
 * Refuses `too_many_requests` when `mostWaiting` pieces wait already.
 */
export function createTurns(atOnce: number, mostWaiting = Infinity): Run {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async (work) => {
    if (running >= atOnce) {
      if (waiting.length >= mostWaiting) throw new Refusal('too_many_requests');
      // Whoever ends hands its place on, so `running` stays as it is.
      await new Promise<void>((resolve) => void waiting.push(resolve));
    } else {
      running += 1;
    }
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next === undefined) running -= 1;
      else next();
    }
  };
}
