import type { Delivery } from '../../domain/deliveries/delivery.ts';
import type { DeliveryId } from '../../domain/ids.ts';
import { chooseEstimate, preparationKeyOf, readinessOf, samplePreparation } from '../../domain/learning/preparation.ts';
import type { Context } from '../../ports/context.ts';
import { hearLog } from '../hear-log.ts';

type Needs = Pick<
  Context,
  'clock' | 'deliveries' | 'eventLog' | 'leases' | 'log' | 'metrics' | 'preparation' | 'settings'
>;

/** Service time between two turns. */
const TURN_MS = 5000;

/** Learns from the pickups in the event log how long the goods of each place take, apart from the pickup itself. */
export async function startLearning(ctx: Needs): Promise<{ stop(): Promise<void> }> {
  return hearLog<DeliveryId>(ctx, {
    name: 'preparation',
    everyMs: TURN_MS,
    // Only a courier at the pickup location knows the moment. Staff correct it later, and other callers report it from
    // elsewhere.
    hear: ({ type, data, delivery_id: id }) =>
      type === 'picked_up' && data.actor.type === 'courier' && data.override_reason === undefined ? id : null,
    onGap: () => undefined,
    act: async (ids) => learn(ctx, await ctx.deliveries.findMany(ids)),
  });
}

async function learn(ctx: Needs, collected: readonly Delivery[]): Promise<void> {
  await measure(ctx, collected);
  const samples = collected.flatMap((delivery) => samplePreparation(delivery) ?? []);
  await ctx.preparation.record(samples, ctx.settings.preparation);
}

/** Measures the error of named times and estimates, for pickups that show when the goods were ready. */
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
