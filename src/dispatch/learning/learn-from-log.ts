import type { DomainEvent } from '../../domain/deliveries/events.ts';
import type { Context } from '../../ports/context.ts';
import { startLed } from '../../work/hold-lease.ts';

type Needs = Pick<Context, 'clock' | 'eventLog' | 'leases' | 'log'>;

/** What is learned from the event log, and how. */
export type Learning<Heard> = {
  /** The name of its lease. */
  readonly name: string;
  /** What an event teaches; null when nothing. */
  readonly hear: (event: DomainEvent) => Heard | null;
  /** Events may have been missed. */
  readonly onGap: () => void;
  readonly learn: (heard: readonly Heard[]) => Promise<void>;
};

/** Service time between two turns, and the machine time at least. */
const TURN_MS = 5000;
const LEAST_TURN_MS = 500;
/** Machine time for which something heard waits to be learned from; who takes over the lease learns from nothing older. */
const FRESH_MS = 15_000;
/** What waits; what is more is not learned from. */
const MOST_WAITING = 2000;

/**
 * Learns from the event log apart from what makes the events: every process listens, and the one that holds the lease
 * learns from what it heard. At a change of process a little may be lost or learned twice: among dozens of samples that
 * fade it makes no difference, so nothing is written to prevent it.
 */
export async function learnFromLog<Heard>(ctx: Needs, what: Learning<Heard>): Promise<{ stop(): Promise<void> }> {
  const { real } = ctx.clock;
  let waiting: { readonly heard: Heard; readonly at: number }[] = [];
  const fresh = (): typeof waiting => waiting.filter(({ at }) => real.elapsed() - at <= FRESH_MS);
  const hear = (event: DomainEvent): void => {
    const heard = what.hear(event);
    if (heard === null) return;
    if (waiting.length >= MOST_WAITING) waiting = fresh();
    if (waiting.length < MOST_WAITING) waiting.push({ heard, at: real.elapsed() });
  };
  const stopFollowing = await ctx.eventLog.follow(hear, () => what.onGap());
  const led = startLed(ctx, {
    name: what.name,
    everyMs: TURN_MS,
    leastRealMs: LEAST_TURN_MS,
    turn: async () => {
      const taken = fresh();
      waiting = [];
      if (taken.length > 0) await what.learn(taken.map(({ heard }) => heard));
    },
  });
  return {
    stop: async () => {
      stopFollowing();
      await led.stop();
    },
  };
}
