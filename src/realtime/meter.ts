import type { Clock } from '../ports/process.ts';
import type { Settings } from '../settings.ts';

/** The allowed rate of messages: per second of service time, and at once. */
export type Pace = { readonly perSecond: number; readonly burst: number };

/** The pace of messages other than pings. A reader may resynchronise everything it shows at once. */
export const COMMAND_PACE: Pace = { perSecond: 20, burst: 250 };

/** The pace of a tracking page. It shows one delivery, and anybody may have its link. */
const PAGE_PACE: Pace = { perSecond: 1, burst: 10 };
/** The pace of new tokens for a connection. Each may read the database, and a client renews a token once in its life. */
const AUTH_PACE: Pace = { perSecond: 0.2, burst: 5 };
/** Allowance above the exact pace, which `recordPositions` enforces. This pace only stops a flood. */
const PING_SLACK = 5;

/** Machine time over which abuse is counted. */
export const WINDOW_MS = 5_000;
/** More than this many times the pace over a window is abuse. */
const ABUSE_FACTOR = 2;
/** Most messages in one window that match no schema. */
const MOST_GARBAGE = 20;
/** Most packets in one window that are not messages: heartbeats and acknowledgements. */
const MOST_ANSWERS = 500;

/** The pace of a message other than a ping. */
export function commandPaceOf(name: string): Pace {
  return name === 'auth' ? AUTH_PACE : COMMAND_PACE;
}

/** The pace of a message of a tracking page. */
export function pagePaceOf(name: string): Pace {
  return name === 'auth' ? AUTH_PACE : PAGE_PACE;
}

/** The pace of pings. */
export function pingPaceOf({ batchesPerSecond, batchBurst }: Settings['positions']): Pace {
  return { perSecond: PING_SLACK * batchesPerSecond, burst: PING_SLACK * batchBurst };
}

/** Most packets of one connection in a window. More is abuse, whatever their content. */
export function mostInWindow({ positions }: Pick<Settings, 'positions'>, scale: number): number {
  const paces = [COMMAND_PACE, AUTH_PACE, pingPaceOf(positions)];
  return paces.reduce((sum, pace) => sum + mostOf(pace, scale), MOST_ANSWERS);
}

/** Most messages of one pace in a window. */
function mostOf({ perSecond, burst }: Pace, scale: number): number {
  return burst + ABUSE_FACTOR * perSecond * (WINDOW_MS / 1000) * Math.max(1, scale);
}

type Bucket = { readonly pace: Pace; tokens: number; at: number; seen: number };

export type Meter = {
  /** Takes one token for a message of this name. Returns false if no token is left. */
  take(name: string): boolean;
  countGarbage(): void;
  isAbused(): boolean;
};

/** The token buckets of one connection, in memory: one per pace, so that pings do not block commands. */
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
