import { onTestFinished, vi } from 'vitest';
import { HURRY_MS } from '../../packages/client/src/pause.ts';
import { ANSWER_MS } from '../../packages/client/src/sockets/connection.ts';

/** Lets the client wait for an answer for a fraction of the true time. Returns the waits of all timers since then. */
export function hurry(): (number | undefined)[] {
  const real = setTimeout;
  const waits: (number | undefined)[] = [];
  const hurried = (run: () => void, ms?: number): NodeJS.Timeout => {
    waits.push(ms);
    return real(run, ms === ANSWER_MS || ms === HURRY_MS ? 400 : ms);
  };
  vi.stubGlobal('setTimeout', Object.assign(hurried, real));
  onTestFinished(() => void vi.unstubAllGlobals());
  return waits;
}
