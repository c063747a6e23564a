import type { Delivery } from '../domain/delivery.ts';
import type { DomainEvent } from '../domain/events.ts';
import type { DeliveryId } from '../domain/ids.ts';
import { chooseEstimate, preparationKeyOf, readinessOf, samplePreparation } from '../domain/preparation.ts';
import type { Context } from '../ports.ts';
import { startLed } from './hold-lease.ts';

type Needs = Pick<
  Context,
  'clock' | 'deliveries' | 'eventLog' | 'leases' | 'log' | 'metrics' | 'preparation' | 'settings'
>;
type Heard = { readonly id: DeliveryId; readonly at: number };

/** Service time between two turns, and the machine time at least. */
const TURN_MS = 5000;
const LEAST_TURN_MS = 500;
/** Machine time for which a pickup waits to be learned from; who takes over the lease learns from no older one. */
const FRESH_MS = 15_000;
/** Pickups that wait; what is more is not learned from. */
const MOST_WAITING = 2000;

/**
 * Learns from the pickups in the event log how long the goods of each place take, in one process at a time and apart
 * from the pickup itself. At a change of process a few samples may be lost or counted twice: among dozens that fade it
 * makes no difference, so nothing is written to prevent it.
 */
export async function startLearning(ctx: Needs): Promise<{ stop(): Promise<void> }> {
  const { real } = ctx.clock;
  let waiting: Heard[] = [];
  const hear = (event: DomainEvent): void => {
    // Only couriers stand at the counter: a pickup that staff put right says nothing of the moment.
    if (event.type !== 'picked_up' || event.data.actor.type !== 'courier') return;
    if (waiting.length >= MOST_WAITING) waiting = waiting.filter(({ at }) => real.now() - at <= FRESH_MS);
    if (waiting.length < MOST_WAITING) waiting.push({ id: event.delivery_id, at: real.now() });
  };
  const stopFollowing = await ctx.eventLog.follow(hear, () => undefined);
  const led = startLed(ctx, {
    name: 'preparation',
    everyMs: TURN_MS,
    leastRealMs: LEAST_TURN_MS,
    turn: async () => {
      const fresh = waiting.filter(({ at }) => real.now() - at <= FRESH_MS);
      waiting = [];
      if (fresh.length > 0) await learn(ctx, await ctx.deliveries.findMany(fresh.map(({ id }) => id)));
    },
  });
  return {
    stop: async () => {
      stopFollowing();
      await led.stop();
    },
  };
}

async function learn(ctx: Needs, collected: readonly Delivery[]): Promise<void> {
  await measure(ctx, collected);
  const samples = collected.flatMap((delivery) => samplePreparation(delivery) ?? []);
  await ctx.preparation.record(samples, ctx.settings.preparation);
}

/** Says how far off the named times and the estimates were, of the pickups that told when the goods were ready. */
async function measure({ preparation, settings, metrics }: Needs, collected: readonly Delivery[]): Promise<void> {
  const known = collected.flatMap((delivery) => {
    const ready = delivery.kind === 'return' || delivery.robo !== null ? null : readinessOf(delivery);
    return ready === null || ready.isBound ? [] : [{ delivery, readyAt: ready.at }];
  });
  const learned = await preparation.findMany(known.map(({ delivery }) => preparationKeyOf(delivery)));
  for (const [index, { delivery, readyAt }] of known.entries()) {
    const own = learned[index];
    if (own === undefined) continue;
    const { ms, source } = chooseEstimate(own, settings.preparation);
    const { namedAt } = delivery.preparation;
    const errorMs = readyAt - (namedAt ?? delivery.times.createdAt + ms);
    const labels = { source: namedAt === null ? source : 'named', side: errorMs < 0 ? 'sooner' : 'later' };
    metrics.observe('prep_error_seconds', Math.abs(errorMs) / 1000, labels);
  }
}
