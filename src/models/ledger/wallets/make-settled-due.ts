import type { mongo } from 'mongoose';
import type { TopUpId } from '../../../domain/ids.ts';
import type { GatewayName } from '../../../money/gateways.ts';
import type { Clock } from '../../../ports/process.ts';
import type { TopUpRow } from './top-up-shape.ts';

/** Top-ups whose money is booked. */
export const SETTLED = { $or: [{ state: 'succeeded' as const }, { reason: 'mismatch' as const }] };

/** Makes a top-up whose money is booked due for a look at its gateway now. Returns false if there is none. */
export async function makeSettledDue(
  rows: mongo.Collection<TopUpRow>,
  clock: Clock,
  id: TopUpId,
  gateway: GatewayName,
  options: { readonly session?: mongo.ClientSession } = {},
): Promise<boolean> {
  const sets = { dueAt: clock.now(), looks: 0 };
  const { matchedCount } = await rows.updateOne({ _id: id, gateway, ...SETTLED }, { $set: sets }, options);
  return matchedCount > 0;
}
