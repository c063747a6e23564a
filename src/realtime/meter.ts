import type { Clock } from '../ports.ts';

/** How fast messages may come: per second of service time, and at once. */
export type Pace = { readonly perSecond: number; readonly burst: number };

/** Messages other than pings: a reader may ask for a resync of everything it shows, once. */
export const COMMAND_PACE: Pace = { perSecond: 20, burst: 250 };

/** Machine time over which abuse is counted. */
const WINDOW_MS = 5_000;
/** More than this many times the pace over a window is abuse. */
const ABUSE_FACTOR = 2;
/** Messages in one window that fit no schema. */
const MOST_GARBAGE = 20;

type Bucket = { readonly pace: Pace; tokens: number; at: number; seen: number };

export type Meter = {
  /** Takes one token for a message of this name; false when there is none. */
  take(name: string): boolean;
  countGarbage(): void;
  isAbused(): boolean;
};

/** One connection's token buckets, in memory: one per pace, since commands must get through beside many pings. */
export function createMeter(clock: Clock, paceOf: (name: string) => Pace): Meter {
  const buckets = new Map<Pace, Bucket>();
  let windowFrom = clock.real.elapsed();
  let garbage = 0;
  const turnWindow = (): void => {
    const now = clock.real.elapsed();
    if (now - windowFrom < WINDOW_MS) return;
    windowFrom = now;
    garbage = 0;
    for (const bucket of buckets.values()) bucket.seen = 0;
  };
  return {
    take: (name) => {
      turnWindow();
      const pace = paceOf(name);
      const now = clock.now();
      const bucket = buckets.get(pace) ?? { pace, tokens: pace.burst, at: now, seen: 0 };
      buckets.set(pace, bucket);
      bucket.tokens = Math.min(pace.burst, bucket.tokens + ((now - bucket.at) / 1000) * pace.perSecond);
      bucket.at = now;
      bucket.seen += 1;
      if (bucket.tokens < 1) return false;
      bucket.tokens -= 1;
      return true;
    },
    countGarbage: () => {
      turnWindow();
      garbage += 1;
    },
    isAbused: () => {
      const seconds = (WINDOW_MS / 1000) * Math.max(1, clock.scale);
      const isFlooded = ({ pace, seen }: Bucket): boolean =>
        seen > pace.burst + ABUSE_FACTOR * pace.perSecond * seconds;
      return garbage > MOST_GARBAGE || [...buckets.values()].some(isFlooded);
    },
  };
}
