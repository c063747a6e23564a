import { Refusal } from '../domain/refusals/refusals.ts';

/** Runs a task and returns its result. */
export type Run = <T>(work: () => Promise<T>) => Promise<T>;

/**
 * Runs tasks in their order, `atOnce` at a time. Refuses `too_many_requests` if `mostWaiting` tasks are waiting
 * already.
 */
export function createTurns(atOnce: number, mostWaiting = Infinity): Run {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async (work) => {
    if (running >= atOnce) {
      if (waiting.length >= mostWaiting) throw new Refusal('too_many_requests');
      // A task that ends passes its place on, so `running` stays the same.
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
