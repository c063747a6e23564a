import type { Clock, Stop } from '../src/ports/process.ts';

export type HandClock = Clock & { advance(ms: number): Promise<void> };

/** Makes nearly a minute of the 5 s that a commit has: 64 at once took 18 s while the machine had much else to do. */
const PATIENCE = 10;

type Timer = { at: number; every: number | null; task: () => void };

/** A clock that tests move by hand; service and machine time are the same. `advance` runs what falls due, in order. */
export function handClock(start = Date.UTC(2026, 0, 5, 12)): HandClock {
  let now = start;
  const timers = new Set<Timer>();
  const add = (timer: Timer): Stop => {
    timers.add(timer);
    return () => void timers.delete(timer);
  };
  const sleep = (ms: number): Promise<void> =>
    new Promise((resolve) => void add({ at: now + ms, every: null, task: resolve }));
  const every = (ms: number, task: () => void): Stop => add({ at: now + ms, every: ms, task });
  const after = (ms: number, task: () => void): Stop => add({ at: now + ms, every: null, task });
  const nextDue = (until: number): Timer | undefined =>
    [...timers].filter(({ at }) => at <= until).toSorted((a, b) => a.at - b.at)[0];
  return {
    scale: 1,
    now: () => now,
    sleep,
    every,
    // Spans count from the start, so that a mix of spans and instants shows.
    real: { now: () => now, elapsed: () => now - start, wall: () => now, sleep, every, after },
    advance: async (ms) => {
      const until = now + ms;
      for (let timer = nextDue(until); timer !== undefined; timer = nextDue(until)) {
        now = timer.at;
        if (timer.every === null) timers.delete(timer);
        else timer.at += timer.every;
        timer.task();
        await new Promise((resolve) => setImmediate(resolve));
      }
      now = until;
    },
  };
}

/** The same clock, whose delays pass later: a test's machine may be busier than one whose callers want an answer. */
export function patient(clock: Clock): Clock {
  return { ...clock, real: { ...clock.real, after: (ms, task) => clock.real.after(ms * PATIENCE, task) } };
}
