import type { Context } from '../ports/context.ts';
import { keepGoing } from './keep-going.ts';

type Needs = Pick<Context, 'clock' | 'leases' | 'log'>;

export type LedWork = {
  readonly name: string;
  /** Service time between two turns. */
  readonly everyMs: number;
  /** Least machine time between two turns, whatever the clock scale. */
  readonly leastRealMs: number;
  /** One turn. `isHeld` says whether this process still owns the lease. A long turn calls it before each write. */
  turn(isHeld: () => boolean): Promise<void>;
};

/** Machine time after which an unrenewed lease ends, so that another process replaces a dead one in under 5 s. */
export const LEASE_MS = 3000;
/** Machine time between two renewals of a lease. */
export const RENEW_MS = 1000;
/** Machine time between two looks whether the lease has come. */
const LOOK_MS = 50;

/**
 * Repeats a piece of work in one process at a time: the one that owns the lease of this name. A process that stalls
 * past its lease may overlap with its successor, so each turn must be harmless if done twice.
 */
export function startLed(ctx: Needs, work: LedWork): { stop(): Promise<void> } {
  const { real, scale } = ctx.clock;
  const survive = keepGoing(ctx.log, work.name);
  const lease = keepLease(ctx, work.name);
  let running: Promise<void> | null = null;
  const turn = (): void => {
    if (!lease.isHeld()) return;
    running ??= survive(() => work.turn(lease.isHeld)).finally(() => {
      running = null;
    });
  };
  void lease.tried.then(turn);
  const stopTurns = real.every(Math.max(work.leastRealMs, work.everyMs / scale), turn);
  return {
    stop: () => {
      stopTurns();
      return lease.giveUp(() => running);
    },
  };
}

/**
 * Does a piece of work once, as soon as this process holds the lease of this name. The rule of `startLed` for a process
 * that stalls holds here too.
 */
export async function runLed<T>(ctx: Needs, name: string, run: (isHeld: () => boolean) => Promise<T>): Promise<T> {
  const lease = keepLease(ctx, name);
  try {
    await lease.tried;
    while (!lease.isHeld()) await ctx.clock.real.sleep(LOOK_MS);
    return await run(lease.isHeld);
  } finally {
    await lease.giveUp(() => null);
  }
}

type KeptLease = {
  readonly isHeld: () => boolean;
  /** Resolves when the lease was asked for the first time. */
  readonly tried: Promise<void>;
  /** From now on the lease is not held here; others get it when the last work is done. */
  readonly giveUp: (lastWork: () => Promise<void> | null) => Promise<void>;
};

/** Asks for a lease again and again, and renews it. */
function keepLease({ clock, leases, log }: Needs, name: string): KeptLease {
  const { real } = clock;
  const survive = keepGoing(log, name);
  let heldUntil = -Infinity;
  let isGivenUp = false;
  const isHeld = (): boolean => !isGivenUp && real.elapsed() < heldUntil;
  const renew = async (): Promise<void> => {
    const askedAt = real.elapsed();
    const fence = await leases.tryHold(name, LEASE_MS);
    heldUntil = fence === null ? -Infinity : askedAt + LEASE_MS;
    if (isGivenUp) await leases.release(name);
  };
  const tried = survive(renew);
  const stopRenewing = real.every(RENEW_MS, () => void survive(renew));
  return {
    isHeld,
    tried,
    giveUp: async (lastWork) => {
      const hadLease = isHeld();
      isGivenUp = true;
      stopRenewing();
      await lastWork();
      if (hadLease) await leases.release(name);
    },
  };
}
