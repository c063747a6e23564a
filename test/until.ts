import { setTimeout as pause } from 'node:timers/promises';

/**
 * Calls `check` again and again until it returns true, so that no test has to guess how long something takes. The limit
 * only ends a check that will never be true, also on a busy machine.
 * @throws when it has not returned true after `timeoutMs` milliseconds
 */
export async function until(check: () => boolean | Promise<boolean>, timeoutMs = 60_000): Promise<void> {
  const deadline = performance.now() + timeoutMs;
  while (!(await check())) {
    if (performance.now() > deadline) throw new Error(`not true within ${timeoutMs} ms: ${check.toString()}`);
    await pause(10);
  }
}
