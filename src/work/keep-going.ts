import type { Log } from '../ports/process.ts';

/**
 * Makes a runner for work that repeats by itself. The runner never throws. It logs the first of several failures in a
 * row, and the recovery at a level that is on by default. A failure that an outage explains has no line of its own.
 */
export function keepGoing(log: Log, what: string): (task: () => Promise<void>) => Promise<void> {
  let failures = 0;
  let reported: { readonly error: unknown } | null = null;
  return async (task) => {
    try {
      await task();
      // With the error, so that this line and the one of the failure are both written, or neither of them.
      if (reported !== null) log.warn({ what, failures, ...reported }, 'works again');
      failures = 0;
      reported = null;
    } catch (error) {
      // The next run tries again from the stored state, so giving up now loses nothing.
      failures += 1;
      if (reported !== null || log.covers(error)) return;
      reported = { error };
      log.error({ what, error }, 'failed; will retry');
    }
  };
}
