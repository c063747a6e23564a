import { setTimeout as pause } from 'node:timers/promises';

/** Most time between two checks. The first ones follow sooner, because most of what a test waits for comes at once. */
const MOST_PAUSE_MS = 10;

/**
 * Calls `check` again and again until it returns true, so that no test has to guess how long something takes. The limit
 * only ends a check that will never be true, also on a busy machine.
 * @param proceed runs between two checks instead of a short pause
 * @throws when it has not returned true after `timeoutMs` milliseconds
 */
export async function until(
  check: () => boolean | Promise<boolean>,
  timeoutMs = 60_000,
  proceed: (turn: number) => Promise<unknown> = (turn) => pause(Math.min(turn, MOST_PAUSE_MS)),
): Promise<void> {
  const deadline = performance.now() + timeoutMs;
  for (let turn = 1; !(await check()); turn += 1) {
    if (performance.now() > deadline) throw new Error(`not true within ${timeoutMs} ms: ${check.toString()}`);
    await proceed(turn);
  }
}
