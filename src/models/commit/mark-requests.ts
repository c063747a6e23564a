import type { CommitFailure, EffectOf } from '../../ports/changes.ts';
import { REQUESTS } from '../request-shape.ts';
import type { Work } from './work.ts';

/**
 * Writes in the transaction of a change which request has made it. So a second try of the request makes no second change.
 */
export async function markRequests(
  { mongo, session }: Work,
  effects: readonly EffectOf<'mark_request'>[],
): Promise<Extract<CommitFailure, { readonly why: 'repeated' }> | null> {
  const rows = mongo.collection(REQUESTS);
  for (const { request, deliveryId } of effects) {
    const unmarked = { _id: request, changed: null };
    const { matchedCount } = await rows.updateOne(unmarked, { $set: { changed: deliveryId } }, { session });
    if (matchedCount === 1) continue;
    const row = await rows.findOne({ _id: request }, { session });
    return { why: 'repeated', deliveryId: row?.changed ?? deliveryId };
  }
  return null;
}
