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

/** Calls `task` every `everyMs`, and keeps no process alive for it. Returns what ends it. */
export function repeat(task: () => void, everyMs: number): () => void {
  const timer = setInterval(task, everyMs).unref();
  return () => clearInterval(timer);
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
