import { setTimeout as pause } from 'node:timers/promises';

/**
 * Asks again and again until `check` says yes, so that no test has to guess how long something takes; the
 * limit only ends what will never be so, on a machine that others keep busy too.
 * @throws when it has not said yes after `timeoutMs` milliseconds
 */
export async function until(check: () => boolean | Promise<boolean>, timeoutMs = 60_000): Promise<void> {
  const deadline = performance.now() + timeoutMs;
  while (!(await check())) {
    if (performance.now() > deadline) throw new Error(`not so within ${timeoutMs} ms: ${check.toString()}`);
    await pause(10);
  }
}
