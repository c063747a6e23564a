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

/**
 * Repeats a piece of work in one process at a time: the one that owns the lease of this name. A process that stalls
 * past its lease may overlap with its successor, so each turn must be harmless if done twice.
 */
export function startLed(ctx: Needs, work: LedWork): { stop(): Promise<void> } {
  const { real, scale } = ctx.clock;
  const survive = keepGoing(ctx.log, work.name);
  let heldUntil = -Infinity;
  let running: Promise<void> | null = null;
  let isStopped = false;
  const isHeld = (): boolean => !isStopped && real.elapsed() < heldUntil;
  const renew = async (): Promise<void> => {
    const askedAt = real.elapsed();
    const fence = await ctx.leases.tryHold(work.name, LEASE_MS);
    heldUntil = fence === null ? -Infinity : askedAt + LEASE_MS;
    if (isStopped) await ctx.leases.release(work.name);
  };
  const turn = (): void => {
    if (!isHeld()) return;
    running ??= survive(() => work.turn(isHeld)).finally(() => {
      running = null;
    });
  };
  void survive(renew).then(turn);
  const stops = [
    real.every(RENEW_MS, () => void survive(renew)),
    real.every(Math.max(work.leastRealMs, work.everyMs / scale), turn),
  ];
  return {
    stop: async () => {
      const hadLease = isHeld();
      isStopped = true;
      for (const stop of stops) stop();
      await running;
      if (hadLease) await ctx.leases.release(work.name);
    },
  };
}
