const S = 1000;
const MINUTE = 60 * S;
const HOUR = 60 * MINUTE;

/** When each try comes after the one before, ms; the table of the Standard Webhooks specification: 75.6 h in all. */
export const STEPS_MS = [
  0,
  5 * S,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
  14 * HOUR,
  20 * HOUR,
  24 * HOUR,
];

/** Share of a step by which it may come earlier or later, so that receivers who failed together do not meet again. */
const JITTER = 0.2;
const MOST_MS = 24 * HOUR;
const LEAST_WHEN_OVERLOADED_MS = MINUTE;
const GONE = 410;
const TOO_MANY = 429;

/** How a try ended: the HTTP status, or null when there was no answer. */
export type TryResult = {
  readonly status: number | null;
  readonly isTimeout: boolean;
  /** What the receiver asked for, ms; null when it named nothing. */
  readonly retryAfterMs: number | null;
};

/**
 * How long to wait after the `made`-th try, ms; null when no more try follows: it succeeded (2xx), the receiver is gone
 * for good (410), or all ten were made. Retry-After is honoured between one and two steps.
 * @param jitter a number from 0 to below 1
 */
export function nextTryAfterMs(made: number, result: TryResult, jitter: number): number | null {
  if (isSuccess(result.status) || result.status === GONE) return null;
  const step = STEPS_MS[made];
  if (step === undefined) return null;
  const isOverloaded = result.isTimeout || result.status === TOO_MANY;
  const least = isOverloaded ? Math.max(step, LEAST_WHEN_OVERLOADED_MS) : step;
  const asked = result.retryAfterMs === null ? least : Math.min(2 * least, Math.max(least, result.retryAfterMs));
  const spread = asked * (1 - JITTER + 2 * JITTER * jitter);
  return Math.round(Math.min(MOST_MS, isOverloaded ? Math.max(LEAST_WHEN_OVERLOADED_MS, spread) : spread));
}

/** Only a 2xx counts; a redirect is a failure and is never followed. */
export function isSuccess(status: number | null): boolean {
  return status !== null && status >= 200 && status < 300;
}

/** `Retry-After` in ms: seconds or an HTTP date; null when there is none or it makes no sense. */
export function parseRetryAfter(header: string | undefined, nowMs: number): number | null {
  if (header === undefined) return null;
  const seconds = Number(header);
  if (Number.isFinite(seconds) && seconds >= 0) return seconds * S;
  const at = Date.parse(header);
  return Number.isNaN(at) ? null : Math.max(0, at - nowMs);
}
