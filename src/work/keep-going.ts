import type { Log } from '../ports/process.ts';

/**
 * Makes a runner for work that is tried again by itself: it never throws, and of failures in a row it logs the first
 * one and the recovery, so that an outage of an engine is two lines and not thousands.
 */
export function keepGoing(log: Log, what: string): (task: () => Promise<void>) => Promise<void> {
  let failures = 0;
  return async (task) => {
    try {
      await task();
      if (failures > 0) log.info({ what, failures }, 'works again');
      failures = 0;
    } catch (error) {
      // The next run tries again from what is stored; nothing here is lost by giving up now.
      failures += 1;
      if (failures === 1) log.error({ what, error: String(error) }, 'failed; will be tried again');
    }
  };
}
