import type { DomainEvent } from '../../domain/deliveries/events.ts';
import type { Context } from '../../ports/context.ts';
import { startLed } from '../../work/hold-lease.ts';

type Needs = Pick<Context, 'clock' | 'eventLog' | 'leases' | 'log'>;

/** The rules of one kind of learning from the event log. */
export type Learning<Heard> = {
  /** The name of its lease. */
  readonly name: string;
  /** The lesson of an event; null if it has none. */
  readonly hear: (event: DomainEvent) => Heard | null;
  /** Events may be missing. */
  readonly onGap: () => void;
  readonly learn: (heard: readonly Heard[]) => Promise<void>;
};

/** Service time between two turns, and the least machine time. */
const TURN_MS = 5000;
const LEAST_TURN_MS = 500;
/** Machine time for which a lesson waits. A process that takes over the lease learns nothing older. */
const FRESH_MS = 15_000;
/** How many lessons wait. Further ones are dropped. */
const MOST_WAITING = 2000;

/**
 * Learns from the event log, apart from the code that makes the events. Every process listens, and the owner of the
 * lease learns from what it heard. At a change of process a few lessons may be lost or learned twice. Among dozens of
 * fading samples this makes no difference, so nothing prevents it.
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
