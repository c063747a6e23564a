import type { Clock, Stop } from './ports.ts';

/**
 * Machine time in epoch ms: the wall clock as it was at the start, and from then on the monotonic clock. A wall clock
 * that jumps therefore changes nothing here.
 */
export class MachineTime {
  #startedAt = Date.now() - performance.now();

  now(): number {
    return Math.floor(this.#startedAt + performance.now());
  }

  /** Goes forward to this time, epoch ms. A time that has passed changes nothing: this clock never runs backwards. */
  adopt(ms: number): void {
    this.#startedAt = Math.max(this.#startedAt, ms - performance.now());
  }
}

/**
 * The process's clock. Service time is counted from `originMs`, the machine time at which both were equal, and runs
 * `scale` times faster.
 */
export function createClock(scale = 1, originMs = 0, machine = new MachineTime()): Clock {
  const real = {
    now: (): number => machine.now(),
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
    now: () => Math.round(originMs + (machine.now() - originMs) * scale),
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
