import type { Clock, Stop } from './ports/process.ts';

/**
 * Machine time in epoch ms: the wall clock as it was at the start, and from then on the monotonic clock. A wall clock
 * that jumps therefore changes nothing here.
 */
export class MachineTime {
  /** What must be added to the monotonic clock to get this time, and to get the wall clock that others go by. */
  #offsetMs = wallOfMachine() - performance.now();
  #wallOffsetMs = this.#offsetMs;

  now(): number {
    return Math.floor(this.#offsetMs + performance.now());
  }

  wall(): number {
    return Math.floor(this.#wallOffsetMs + performance.now());
  }

  /** Goes forward to this time, epoch ms. A time that has passed changes nothing: this clock never runs backwards. */
  adopt(ms: number): void {
    this.#offsetMs = Math.max(this.#offsetMs, ms - performance.now());
  }

  /** Sets the wall clock, epoch ms. It may go either way. */
  setWall(ms: number): void {
    this.#wallOffsetMs = ms - performance.now();
  }
}

/** The wall clock of this machine in epoch ms, which may jump. */
export function wallOfMachine(): number {
  return Date.now();
}

/**
 * The process's clock. Service time is counted from `originMs`, the machine time at which both were equal, and runs
 * `scale` times faster.
 */
export function createClock(scale = 1, originMs = 0, machine = new MachineTime()): Clock {
  const real = {
    now: (): number => machine.now(),
    elapsed: (): number => performance.now(),
    wall: (): number => machine.wall(),
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
