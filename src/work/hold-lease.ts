import type { Context } from '../ports/context.ts';
import { keepGoing } from './keep-going.ts';

type Needs = Pick<Context, 'clock' | 'leases' | 'log'>;

/** One turn. `ownsLease` says whether this process still owns the lease. A long turn calls it before each write. */
export type Turn = (ownsLease: () => boolean) => Promise<void>;

export type LedWork = {
  readonly name: string;
  /** Service time between two turns. */
  readonly everyMs: number;
  /** Least machine time between two turns, whatever the clock scale. */
  readonly leastRealMs: number;
  readonly turn: Turn;
};

/** Work that repeats until it is stopped. */
export type Led = { stop(): Promise<void> };

/** Machine time after which an unrenewed lease ends, so that another process replaces a dead one in under 5 s. */
export const LEASE_MS = 3000;
/** Machine time between two renewals of a lease. */
export const RENEW_MS = 1000;
/** Machine time between two looks at whether this process owns the lease by now. */
const LOOK_MS = 50;

/**
 * Repeats a piece of work in one process at a time: the one that owns the lease of this name. A process that stalls
 * past its lease may overlap with its successor, so each turn must be harmless if done twice.
 */
export function startLed(ctx: Needs, work: LedWork): Led {
  const { real, scale } = ctx.clock;
  const survive = keepGoing(ctx.log, work.name);
  const lease = keepLease(ctx, work.name);
  let running: Promise<void> | null = null;
  const turn = (): void => {
    if (!lease.ownsLease()) return;
    running ??= survive(() => work.turn(lease.ownsLease)).finally(() => {
      running = null;
    });
  };
  void lease.tried.then(turn);
  const stopTurns = real.everyTogether(Math.max(work.leastRealMs, work.everyMs / scale), turn);
  return {
    stop: () => {
      stopTurns();
      return lease.giveUp(() => running);
    },
  };
}

/**
 * Does a piece of work once, as soon as this process owns the lease of this name. As with `startLed`, a process that
 * stalls may overlap with its successor.
 */
export async function runLed<T>(ctx: Needs, name: string, run: (ownsLease: () => boolean) => Promise<T>): Promise<T> {
  const lease = keepLease(ctx, name);
  try {
    await lease.tried;
    while (!lease.ownsLease()) await ctx.clock.real.sleep(LOOK_MS);
    return await run(lease.ownsLease);
  } finally {
    await lease.giveUp(() => null);
  }
}

/** Does a turn once if no other process owns the lease of this name. */
export async function turnIfFree(ctx: Needs, name: string, turn: Turn): Promise<void> {
  const lease = keepLease(ctx, name);
  try {
    await lease.tried;
    if (lease.ownsLease()) await turn(lease.ownsLease);
  } finally {
    await lease.giveUp(() => null);
  }
}

type KeptLease = {
  readonly ownsLease: () => boolean;
  /** Resolves after the first try to take the lease. */
  readonly tried: Promise<void>;
  /** Ends the ownership at once. Other processes get the lease when the last work is done. */
  readonly giveUp: (lastWork: () => Promise<void> | null) => Promise<void>;
};

/** Tries to take a lease again and again, and renews it. */
function keepLease({ clock, leases, log }: Needs, name: string): KeptLease {
  const { real } = clock;
  const survive = keepGoing(log, name);
  let ownedUntil = -Infinity;
  let isGivenUp = false;
  const ownsLease = (): boolean => !isGivenUp && real.elapsed() < ownedUntil;
  const renew = async (): Promise<void> => {
    const requestedAt = real.elapsed();
    const fence = await leases.tryHold(name, LEASE_MS);
    ownedUntil = fence === null ? -Infinity : requestedAt + LEASE_MS;
    if (isGivenUp) await leases.release(name);
  };
  const tried = survive(renew);
  const stopRenewing = real.everyTogether(RENEW_MS, () => void survive(renew));
  return {
    ownsLease,
    tried,
    giveUp: async (lastWork) => {
      const hadLease = ownsLease();
      isGivenUp = true;
      stopRenewing();
      await lastWork();
      if (hadLease) await leases.release(name);
    },
  };
}
