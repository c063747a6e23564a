import type { Clock } from '../../ports/process.ts';

/** Tries of one push. */
const MOST_TRIES = 3;
/** The first wait before another try; each further one is twice as long. */
const FIRST_WAIT_MS = 250;

/** A failed try that another one may mend. `waitMs` is the wait that the service asked for, or null. */
export class Passing extends Error {
  readonly waitMs: number | null;

  constructor(message: string, waitMs: number | null = null) {
    super(message);
    this.waitMs = waitMs;
  }
}

/**
 * Runs a try, and again after a passing failure. It gives up after three tries, or if the next one could not begin
 * before the deadline. Other failures end it at once. Machine time.
 * @param untilMs the deadline, in `clock.real.elapsed()`
 */
export async function tryAgain<T>(clock: Clock, untilMs: number, once: () => Promise<T>): Promise<T> {
  for (let tried = 1; ; tried += 1) {
    try {
      return await once();
    } catch (error) {
      if (!(error instanceof Passing) || tried === MOST_TRIES) throw error;
      const waitMs = error.waitMs ?? FIRST_WAIT_MS * 2 ** (tried - 1);
      if (clock.real.elapsed() + waitMs >= untilMs) throw error;
      await clock.real.sleep(waitMs);
    }
  }
}

/** The wait that an answer asks for in `Retry-After`, ms; null without one. A date is not understood. */
export function waitOf(header: string | string[] | undefined): number | null {
  const seconds = Number(Array.isArray(header) ? header[0] : header);
  return Number.isFinite(seconds) && seconds >= 0 ? seconds * 1000 : null;
}

/** Says whether a status means that the same request may succeed later. */
export function isPassing(status: number): boolean {
  return status === 429 || status >= 500;
}
