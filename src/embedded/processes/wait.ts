// The only file of this folder that reads a clock. Engines use machine time, without a scale or a test clock.
import { setTimeout as sleep } from 'node:timers/promises';

/** Milliseconds of a monotonic clock. Only differences are meaningful. */
export function nowMs(): number {
  return performance.now();
}

/** Milliseconds since the epoch, like `mtimeMs` of a file. */
export function wallMs(): number {
  return Date.now();
}

/** Waits `ms` milliseconds. */
export async function pause(ms: number): Promise<void> {
  await sleep(ms);
}

/** Waits `ms` milliseconds, or until it is halted. */
export async function pauseUnless(halt: AbortSignal, ms: number): Promise<void> {
  try {
    await sleep(ms, undefined, { signal: halt });
  } catch (error) {
    if (!halt.aborted) throw error;
  }
}

/**
 * Calls `check` every `everyMs` until it returns true or `timeoutMs` have passed.
 * @returns whether it returned true in time
 */
export async function waitFor(
  check: () => boolean | Promise<boolean>,
  timeoutMs: number,
  everyMs = 20,
): Promise<boolean> {
  const deadline = nowMs() + timeoutMs;
  while (!(await check())) {
    if (nowMs() >= deadline) return false;
    await pause(everyMs);
  }
  return true;
}
