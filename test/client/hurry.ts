import { onTestFinished, vi } from 'vitest';
import { ANSWER_MS, HURRY_MS } from '../../packages/client/src/pause.ts';

/** Lets the client wait for answers for a fraction of the true time. Returns the waits of all timers since then. */
export function hurry(shortened: readonly number[] = [ANSWER_MS, HURRY_MS]): (number | undefined)[] {
  const real = setTimeout;
  const waits: (number | undefined)[] = [];
  const hurried = (run: () => void, ms?: number): NodeJS.Timeout => {
    waits.push(ms);
    return real(run, ms !== undefined && shortened.includes(ms) ? 400 : ms);
  };
  vi.stubGlobal('setTimeout', Object.assign(hurried, real));
  onTestFinished(() => void vi.unstubAllGlobals());
  return waits;
}
