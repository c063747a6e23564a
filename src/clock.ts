import type { Clock, Stop } from './ports.ts';

/**
 * The process's clock. Service time is counted from `originMs`, the machine time at which both were equal, and runs
 * `scale` times faster.
 */
export function createClock(scale = 1, originMs = 0): Clock {
  const real = {
    now: (): number => Date.now(),
    elapsed: (): number => performance.now(),
    wall: (): number => Date.now(),
    sleep: (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms)),
    every: repeat,
    after: (ms: number, task: () => void): Stop => {
      const timer = setTimeout(task, ms);
      return () => clearTimeout(timer);
    },
  };
  return {
    scale,
    now: () => Math.round(originMs + (Date.now() - originMs) * scale),
    sleep: (ms) => real.sleep(ms / scale),
    every: (ms, task) => repeat(ms / scale, task),
    real,
  };
}

/** Machine timers are no finer than this; a faster service clock is served as often as the machine can. */
const LEAST_INTERVAL_MS = 5;

function repeat(ms: number, task: () => void): Stop {
  const timer = setInterval(task, Math.max(LEAST_INTERVAL_MS, ms));
  return () => clearInterval(timer);
}
