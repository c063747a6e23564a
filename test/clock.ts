import type { Clock, Stop } from '../src/ports/process.ts';

export type HandClock = Clock & { advance(ms: number): Promise<void> };

/** Turns the 5 s of a commit into nearly a minute: on a busy machine 64 commits at once took 18 s. */
const PATIENCE = 10;

type Timer = { at: number; every: number | null; task: () => void };

/**
 * A clock that tests move by hand. Service and machine time are the same. `advance` runs everything that falls due, in
 * order.
 */
export function handClock(start = Date.UTC(2026, 0, 5, 12)): HandClock {
  let now = start;
  const timers = new Set<Timer>();
  const add = (timer: Timer): Stop => {
    timers.add(timer);
    return () => void timers.delete(timer);
  };
  const sleep = (ms: number): Promise<void> =>
    new Promise((resolve) => void add({ at: now + ms, every: null, task: resolve }));
  // Other programs do not follow the hand.
  const pause = (ms: number): Promise<void> => new Promise((resolve) => void setTimeout(resolve, ms));
  const every = (ms: number, task: () => void): Stop => add({ at: now + ms, every: ms, task });
  const after = (ms: number, task: () => void): Stop => add({ at: now + ms, every: null, task });
  /** The earliest timer that falls due until then; of several, the one that was set first. */
  const nextDue = (until: number): Timer | undefined => {
    let next: Timer | undefined;
    for (const timer of timers) if (timer.at <= until && (next === undefined || timer.at < next.at)) next = timer;
    return next;
  };
  return {
    scale: 1,
    now: () => now,
    sleep,
    every,
    // Spans count from the start, so a mix of spans and instants shows.
    real: {
      now: () => now,
      elapsed: () => now - start,
      wall: () => now,
      sleep,
      pause,
      every,
      everyTogether: every,
      after,
    },
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

/** The same clock with longer delays: a test's machine may be busier than a server with callers who want an answer. */
export function patient(clock: Clock): Clock {
  return { ...clock, real: { ...clock.real, after: (ms, task) => clock.real.after(ms * PATIENCE, task) } };
}
