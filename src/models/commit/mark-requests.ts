import assert from 'node:assert';
import type { EffectOf } from '../../ports/changes.ts';
import { REQUESTS } from '../request-shape.ts';
import type { Failure, Work } from './work.ts';

/**
 * Writes in the transaction of a change which request has made it. So a second try of the request makes no second change.
 */
export async function markRequests(
  { mongo, session }: Work,
  effects: readonly EffectOf<'mark_request'>[],
): Promise<Failure<'repeated' | 'stale'> | null> {
  const rows = mongo.collection(REQUESTS);
  const writes = effects.map(({ request, deliveryId }) => ({
    updateOne: { filter: { _id: request, changed: null }, update: { $set: { changed: deliveryId } } },
  }));
  const { matchedCount } = await rows.bulkWrite(writes, { session });
  if (matchedCount === effects.length) return null;
  const known = await rows.find({ _id: { $in: effects.map(({ request }) => request) } }, { session }).toArray();
  const changedBy = new Map(known.map(({ _id, changed }) => [_id, changed]));
  const late = effects.find(({ request, deliveryId }) => changedBy.get(request) !== deliveryId);
  assert(late !== undefined, 'a request without a mark has another one, or no row');
  const changed = changedBy.get(late.request) ?? null;
  // Without its row nobody knows whether another try has changed something. The next try begins with a new row.
  return changed === null ? { why: 'stale', faults: [late] } : { why: 'repeated', deliveryId: changed, faults: [late] };
}
