// The only file of this folder that knows the time. Engines live in machine time: no scale and no test clock applies.
import { setTimeout as sleep } from 'node:timers/promises';

/** Milliseconds of a clock that never goes backwards; only differences mean anything. */
export function nowMs(): number {
  return performance.now();
}

/** Milliseconds since an instant that a file's `mtimeMs` counts from as well. */
export function wallMs(): number {
  return Date.now();
}

/** Waits `ms` milliseconds. */
export async function pause(ms: number): Promise<void> {
  await sleep(ms);
}

/**
 * Asks `check` every `everyMs` until it says yes or `timeoutMs` have passed.
 * @returns whether it said yes in time
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
