import type { DomainEvent } from '../domain/deliveries/events.ts';
import type { Context } from '../ports/context.ts';
import { startLed } from '../work/hold-lease.ts';

type Needs = Pick<Context, 'clock' | 'eventLog' | 'leases' | 'log'>;

/** Work on events of the log. It is not stored, so a few events may be lost or acted on twice. */
export type Hearing<Heard> = {
  /** The name of its lease. */
  readonly name: string;
  /** Service time between two turns. */
  readonly everyMs: number;
  /** Takes from an event the facts that the work needs; null if it needs none. */
  readonly hear: (event: DomainEvent) => Heard | null;
  /** Events may be missing. */
  readonly onGap: () => void;
  readonly act: (heard: readonly Heard[]) => Promise<void>;
};

/** Least machine time between two turns. */
const LEAST_TURN_MS = 500;
/** Machine time for which an event waits. A process that takes over the lease acts on nothing older. */
const FRESH_MS = 15_000;
/** How many events wait. Further ones are dropped. */
const MOST_WAITING = 2000;

/**
 * Acts on the event log, apart from the code that makes the events. Every process listens, and the owner of the lease
 * acts on what it heard. At a change of process a few events may be lost or acted on twice.
 */
export async function hearLog<Heard>(ctx: Needs, what: Hearing<Heard>): Promise<{ stop(): Promise<void> }> {
  const { real } = ctx.clock;
  /** In the order of arrival. */
  let waiting: { readonly heard: Heard; readonly at: number }[] = [];
  const dropOld = (): void => {
    const since = real.elapsed() - FRESH_MS;
    while (waiting[0] !== undefined && waiting[0].at < since) waiting.shift();
  };
  const hear = (event: DomainEvent): void => {
    const heard = what.hear(event);
    if (heard === null) return;
    // A process without the lease never empties the list, so each further event costs this.
    if (waiting.length >= MOST_WAITING) dropOld();
    if (waiting.length < MOST_WAITING) waiting.push({ heard, at: real.elapsed() });
  };
  const stopFollowing = await ctx.eventLog.follow(hear, () => what.onGap());
  const led = startLed(ctx, {
    name: what.name,
    everyMs: what.everyMs,
    leastRealMs: LEAST_TURN_MS,
    turn: async () => {
      dropOld();
      const taken = waiting;
      waiting = [];
      if (taken.length > 0) await what.act(taken.map(({ heard }) => heard));
    },
  });
  return {
    stop: async () => {
      stopFollowing();
      await led.stop();
    },
  };
}
