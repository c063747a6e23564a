import { maySee } from '../../domain/access.ts';
import { changesOf } from '../../domain/audit.ts';
import type { Delivery } from '../../domain/deliveries/delivery.ts';
import type { DeliveryId, DisputeId, ProofId } from '../../domain/ids.ts';
import { Refusal, refuseField } from '../../domain/refusals/refusals.ts';
import { reserveDisputed } from '../../money/disputes/book-dispute.ts';
import type { Dispute } from '../../money/disputes/dispute.ts';
import { refundable } from '../../money/refunds/refund.ts';
import type { Context } from '../../ports/context.ts';
import type { Doer } from '../commands.ts';
import { counted } from '../../domain/refusals/shown-text.ts';

type Needs = Pick<Context, 'audit' | 'clock' | 'deliveries' | 'disputes' | 'settings'>;

const DAY_MS = 86_400_000;

/** A dispute to raise. The id is the same for each try of a request. */
export type RaiseDispute = Pick<Dispute, 'id' | 'reason' | 'description' | 'proofIds'> & {
  readonly deliveryId: DeliveryId;
  /** Minor units, above 0. Null for all that is left of the charge. */
  readonly amount: number | null;
};

/**
 * Raises a vendor’s dispute of the charge of one delivery. The disputed amount goes from the revenue to the reserve.
 * Refuses `delivery_not_found`, `refund_not_possible` and `refund_exceeds_charge` as a refund, and `dispute_open`,
 * `too_many_disputes` or `too_many_requests` beyond the limits.
 */
export async function raiseDispute(ctx: Needs, asked: RaiseDispute, doer: Doer): Promise<Dispute> {
  const { clock, disputes, settings } = ctx;
  const earlier = await disputes.find(asked.id);
  if (earlier !== null) return earlier;
  const delivery = await ctx.deliveries.find(asked.deliveryId);
  if (delivery === null || doer.type === 'system' || !maySee(doer, delivery)) throw new Refusal('delivery_not_found');
  refuseOtherProofs(delivery, asked.proofIds);
  const { id, vendorId, liveMode, currency } = delivery;
  const now = clock.now();
  const { mostOpen, mostPerDay, windowMs } = settings.disputes;
  const { wanted } = refundable(delivery, asked.amount, now, { windowMs });
  const dispute: Dispute = {
    ...asked,
    deliveryId: id,
    vendorId,
    liveMode,
    currency,
    amount: wanted,
    state: 'open',
    refunded: null,
    partyAtFault: null,
    note: null,
    handledBy: null,
    createdAt: now,
    updatedAt: now,
    version: 1,
  };
  const changes = changesOf(null, { delivery_id: id, amount: wanted, currency, reason: asked.reason });
  const entry = ctx.audit.draft({ action: 'dispute.raise', objectId: dispute.id, vendorId, liveMode, changes });
  const limits = { mostOpen, mostSince: mostPerDay, since: now - DAY_MS };
  const raised = await disputes.add(dispute, reserveDisputed(dispute), entry, limits);
  if (raised.ok) return raised.dispute;
  switch (raised.why) {
    case 'open': {
      const metadata = { dispute_id: raised.openId };
      throw new Refusal('dispute_open', { metadata });
    }
    case 'too_many_open':
      throw new Refusal('too_many_disputes', {
        detail: `An account has at most ${mostOpen} open disputes in each mode.`,
      });
    case 'too_many_since':
      throw new Refusal('too_many_requests', {
        detail: `An account can raise at most ${counted(mostPerDay, 'dispute')} within 24 hours in each mode.`,
      });
  }
}

function refuseOtherProofs({ pickup, dropOffs }: Delivery, proofIds: readonly ProofId[]): void {
  const own: ReadonlySet<DisputeId | ProofId> = new Set([pickup, ...dropOffs].flatMap(({ proof }) => proof?.id ?? []));
  if (proofIds.every((proofId) => own.has(proofId))) return;
  throw refuseField('/proof_ids', 'unknown', 'must be ids of proofs of this delivery');
}
