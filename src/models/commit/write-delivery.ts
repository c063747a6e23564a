import { deliveriesIn, deliveryRow } from '../deliveries/delivery-rows.ts';
import type { Change, EffectOf } from '../../ports/changes.ts';
import { isDuplicateKey } from '../../engines/mongo.ts';
import type { Stale, Work } from './work.ts';

/** Stores the delivery of a change. The result is stale if the delivery has changed, or a new one already exists. */
export async function writeDelivery(
  { mongo, settings, session }: Work,
  { before, after }: Pick<Change, 'before' | 'after'>,
): Promise<Stale | null> {
  const deliveries = deliveriesIn(mongo);
  const row = deliveryRow(after, settings.search);
  if (before !== null) {
    const condition = { _id: before.id, state: before.state, version: before.version };
    const { matchedCount } = await deliveries.replaceOne(condition, row, { session });
    return matchedCount === 1 ? null : { why: 'stale' };
  }
  try {
    await deliveries.insertOne(row, { session });
    return null;
  } catch (error) {
    // An earlier try of the same create has stored it.
    if (isDuplicateKey(error)) return { why: 'stale' };
    throw error;
  }
}

/** Stores the deliveries that a change opens. Their own effects are written with those of the change. */
export async function openDeliveries(work: Work, effects: readonly EffectOf<'open_delivery'>[]): Promise<Stale | null> {
  for (const { change } of effects) {
    const failure = await writeDelivery(work, change);
    if (failure !== null) return failure;
  }
  return null;
}
