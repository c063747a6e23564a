import type { Clock } from '../ports/process.ts';
import type { Settings } from '../settings.ts';

/** How fast messages may come: per second of service time, and at once. */
export type Pace = { readonly perSecond: number; readonly burst: number };

/** Messages other than pings: a reader may ask for a resync of everything it shows, once. */
export const COMMAND_PACE: Pace = { perSecond: 20, burst: 250 };

/** Messages of a tracking page: it shows one delivery, and anybody may have its link. */
const PAGE_PACE: Pace = { perSecond: 1, burst: 10 };
/** New tokens for a live connection: each may cost a read, and a client renews its token once in the token's life. */
const AUTH_PACE: Pace = { perSecond: 0.2, burst: 5 };
/** `recordPositions` keeps the exact pace and tells the phone; this only keeps a flood away from it. */
const PING_SLACK = 5;

/** Machine time over which abuse is counted. */
export const WINDOW_MS = 5_000;
/** More than this many times the pace over a window is abuse. */
const ABUSE_FACTOR = 2;
/** Messages in one window that fit no schema. */
const MOST_GARBAGE = 20;
/** Packets in one window beside messages: heartbeats and acknowledgements of what the server sends. */
const MOST_ANSWERS = 500;

/** How fast a message other than a ping may come. */
export function commandPaceOf(name: string): Pace {
  return name === 'auth' ? AUTH_PACE : COMMAND_PACE;
}

/** How fast a tracking page's messages may come. */
export function pagePaceOf(name: string): Pace {
  return name === 'auth' ? AUTH_PACE : PAGE_PACE;
}

/** How fast a courier's pings may come. */
export function pingPaceOf({ batchesPerSecond, batchBurst }: Settings['positions']): Pace {
  return { perSecond: PING_SLACK * batchesPerSecond, burst: PING_SLACK * batchBurst };
}

/** Packets of one connection in a window; more than this is abuse, whatever they hold. */
export function mostInWindow({ positions }: Pick<Settings, 'positions'>, scale: number): number {
  const paces = [COMMAND_PACE, AUTH_PACE, pingPaceOf(positions)];
  return paces.reduce((sum, pace) => sum + mostOf(pace, scale), MOST_ANSWERS);
}

/** Messages of one pace in a window. */
function mostOf({ perSecond, burst }: Pace, scale: number): number {
  return burst + ABUSE_FACTOR * perSecond * (WINDOW_MS / 1000) * Math.max(1, scale);
}

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
    isAbused: () =>
      garbage > MOST_GARBAGE || [...buckets.values()].some(({ pace, seen }) => seen > mostOf(pace, clock.scale)),
  };
}
