const S = 1000;
const MINUTE = 60 * S;
const HOUR = 60 * MINUTE;

/** The delay of each try after the previous one, ms, from the Standard Webhooks specification: 75.6 h in total. */
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

/** Share of a step by which a try may be earlier or later, so that simultaneous failures spread out. */
const JITTER = 0.2;
const MOST_MS = 24 * HOUR;
const LEAST_WHEN_OVERLOADED_MS = MINUTE;
const GONE = 410;
const TOO_MANY = 429;

/** The outcome of a try: the HTTP status, or null without an answer. */
export type TryResult = {
  readonly status: number | null;
  readonly isTimeout: boolean;
  /** The delay that the receiver requested, ms; null if it did not. */
  readonly retryAfterMs: number | null;
};

/**
 * The delay after the `made`-th try, ms; null if it was the last one. It is the last one after a success (2xx), after a
 * 410, and after ten tries. Retry-After is respected between one and two steps.
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

/** Says whether a try succeeded. Only a 2xx counts. A redirect is a failure and is never followed. */
export function isSuccess(status: number | null): boolean {
  return status !== null && status >= 200 && status < 300;
}

/** Reads `Retry-After` in ms from seconds or an HTTP date; null if it is missing or invalid. */
export function parseRetryAfter(header: string | undefined, nowMs: number): number | null {
  if (header === undefined) return null;
  const seconds = Number(header);
  if (Number.isFinite(seconds) && seconds >= 0) return seconds * S;
  const at = Date.parse(header);
  return Number.isNaN(at) ? null : Math.max(0, at - nowMs);
}
