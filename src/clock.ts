import type { Clock, Stop } from './ports/process.ts';

/**
 * Machine time in epoch ms. It starts at the wall clock and then follows the monotonic clock, so that it is not affected
 * if the wall clock jumps.
 */
export class MachineTime {
  /** Offsets from the monotonic clock to this time and to the wall clock. */
  #offsetMs = wallOfMachine() - performance.now();
  #wallOffsetMs = this.#offsetMs;

  now(): number {
    return Math.floor(this.#offsetMs + performance.now());
  }

  wall(): number {
    return Math.floor(this.#wallOffsetMs + performance.now());
  }

  /** Moves forward to this time, epoch ms. A time in the past changes nothing, because this clock never runs backwards. */
  adopt(ms: number): void {
    this.#offsetMs = Math.max(this.#offsetMs, ms - performance.now());
  }

  /** Sets the wall clock, epoch ms. It may move in either direction. */
  setWall(ms: number): void {
    this.#wallOffsetMs = ms - performance.now();
  }
}

/** The wall clock of this machine in epoch ms, which may jump. */
export function wallOfMachine(): number {
  return Date.now();
}

/**
 * Creates the clock of the process. Service time equals machine time at `originMs` and runs `scale` times as fast from
 * there.
 * @param onLate receives how late each run of an `every` task begins, machine time in ms
 */
export function createClock(
  scale = 1,
  originMs = 0,
  machine = new MachineTime(),
  onLate: (lateMs: number) => void = () => undefined,
): Clock {
  const repeat = createRepeat(onLate);
  const repeatTogether = createBeat();
  const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
  const real = {
    now: (): number => machine.now(),
    elapsed: (): number => performance.now(),
    wall: (): number => machine.wall(),
    sleep: pause,
    pause,
    every: repeat,
    everyTogether: repeatTogether,
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

/** The shortest interval of a machine timer. Shorter intervals of service time use this one. */
const LEAST_INTERVAL_MS = 5;
/** The fractions of its multiples lie evenly between 0 and 1, however many there are (Weyl's equidistribution theorem). */
const GOLDEN_RATIO = (1 + Math.sqrt(5)) / 2;

/**
 * Returns a function that repeats tasks. The tasks of a process start at the same moment, and many have the same interval. So
 * each of them has its own moments within its interval and keeps to them, also after a stall of the process. Otherwise
 * all would run at once, and requests would wait for all of them.
 */
function createRepeat(onLate: (lateMs: number) => void): (ms: number, task: () => void) => Stop {
  let count = 0;
  return (ms, task) => {
    const intervalMs = Math.max(LEAST_INTERVAL_MS, ms);
    count += 1;
    let dueAt = performance.now() + ((count * GOLDEN_RATIO) % 1) * intervalMs;
    const wait = (): NodeJS.Timeout => setTimeout(run, Math.max(0, dueAt - performance.now()));
    const run = (): void => {
      const lateMs = Math.max(0, performance.now() - dueAt);
      // Moments that were missed are not made up for.
      dueAt += intervalMs * (1 + Math.floor(lateMs / intervalMs));
      timer = wait();
      onLate(lateMs);
      task();
    };
    let timer = wait();
    return () => clearTimeout(timer);
  };
}

/** Tasks that are due within this time of each other run together. A timer of Node may end a millisecond early. */
const SAME_MOMENT_MS = 2;

type Beating = { readonly intervalMs: number; readonly task: () => void; dueAt: number };

/**
 * Returns a function that repeats tasks at moments that they share: the multiples of their intervals since the start. So
 * the tasks of an interval all run at once, and so do those of its multiples. Moments that were missed are not made up for.
 */
function createBeat(): (ms: number, task: () => void) => Stop {
  const startedAt = performance.now();
  const beating = new Set<Beating>();
  let timer: NodeJS.Timeout | undefined;
  const wait = (): void => {
    clearTimeout(timer);
    const nextAt = Math.min(...Array.from(beating, ({ dueAt }) => dueAt));
    if (beating.size > 0) timer = setTimeout(run, Math.max(0, nextAt - performance.now()));
  };
  const after = (at: number, intervalMs: number): number =>
    startedAt + intervalMs * (1 + Math.floor((at - startedAt) / intervalMs));
  const run = (): void => {
    const until = performance.now() + SAME_MOMENT_MS;
    const due = [...beating].filter(({ dueAt }) => dueAt <= until);
    for (const one of due) one.dueAt = after(until, one.intervalMs);
    wait();
    // A task may end another one, which then must not run any more.
    for (const one of due) if (beating.has(one)) one.task();
  };
  return (ms, task) => {
    const intervalMs = Math.max(LEAST_INTERVAL_MS, ms);
    const one = { intervalMs, task, dueAt: after(performance.now() + SAME_MOMENT_MS, intervalMs) };
    beating.add(one);
    wait();
    return () => {
      beating.delete(one);
      wait();
    };
  };
}
