import type { Log } from '../ports/process.ts';

/**
 * Makes a runner for work that repeats by itself. The runner never throws. It logs the first of several failures in a
 * row, and the recovery at a level that is on by default. A failure that an outage explains has no line of its own.
 */
export function keepGoing(log: Log, what: string): (task: () => Promise<void>) => Promise<void> {
  let failures = 0;
  let isReported = false;
  return async (task) => {
    try {
      await task();
      if (isReported) log.warn({ what, failures }, 'works again');
      failures = 0;
      isReported = false;
    } catch (error) {
      // The next run tries again from the stored state, so giving up now loses nothing.
      failures += 1;
      if (isReported || log.covers(error)) return;
      isReported = true;
      // The text of a refusal helps callers to repeat a request. An operator needs the cause.
      const cause = error instanceof Error ? (error.cause ?? error) : error;
      log.error({ what, error: String(cause) }, 'failed; will retry');
    }
  };
}
