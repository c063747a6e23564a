import type { Clock, Stop } from '../ports/process.ts';

export type Paced = {
  /** Requests a run in this many ms of machine time, or at the time of an earlier request if that is sooner. */
  request(inMs: number): void;
  /** Stops the runs and waits for a run in progress. */
  stop(): Promise<void>;
};

/**
 * Runs a task on request, never twice at once, and never sooner than `leastGapMs` of machine time after the last run
 * ended. A request during a run leads to one more run. The task must not throw.
 */
export function pace(clock: Pick<Clock, 'real'>, leastGapMs: number, task: () => Promise<void>): Paced {
  let timer: { readonly at: number; readonly cancel: Stop } | null = null;
  let running: Promise<void> | null = null;
  let requestedAt: number | null = null;
  let endedAt = -Infinity;
  let isStopped = false;
  const plan = (wantedAt: number): void => {
    const now = clock.real.elapsed();
    const at = Math.max(now, wantedAt, endedAt + leastGapMs);
    if (isStopped || (timer !== null && timer.at <= at)) return;
    timer?.cancel();
    timer = { at, cancel: clock.real.after(at - now, run) };
  };
  const run = (): void => {
    timer = null;
    running = task().finally(() => {
      running = null;
      endedAt = clock.real.elapsed();
      const next = requestedAt;
      requestedAt = null;
      if (next !== null) plan(next);
    });
  };
  return {
    request: (inMs) => {
      const at = clock.real.elapsed() + inMs;
      if (running === null) plan(at);
      else requestedAt = Math.min(requestedAt ?? Infinity, at);
    },
    stop: async () => {
      isStopped = true;
      timer?.cancel();
      await running;
    },
  };
}
