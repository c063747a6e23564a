import { z } from 'zod';
import { AUDITED_ACTORS } from '../../../domain/audit.ts';
import { idSchema } from '../../../domain/ids.ts';
import { refuseField } from '../../../domain/refusals/refusals.ts';
import { isoTime } from '../../../domain/time.ts';
import { explainCodes } from '../../../domain/views/reason-words.ts';
import { DISPUTE_REASONS, DISPUTE_STATES, FAULT_PARTIES, type Dispute } from '../../../money/disputes/dispute.ts';
import type { DisputeFilter } from '../../../ports/money/disputes.ts';
import { pageQuery, withPage } from '../../lists.ts';
import { PlatformListQuery } from '../deliveries/delivery-list.ts';
import { MinorUnits } from '../place.ts';
import { textOf } from '../../../domain/text.ts';
import { DISPUTE_WORDS } from '../reason-words.ts';

const MOST_PROOFS = 10;

export const DisputeBody = z
  .strictObject({
    delivery_id: idSchema('del').describe('The delivery whose charge is disputed'),
    reason: z.enum(DISPUTE_REASONS).describe(explainCodes('The mistake in the delivery or its charge', DISPUTE_WORDS)),
    description: textOf(1000).describe('Your own words, at most 1,000 characters'),
    amount: MinorUnits.min(1)
      .exactOptional()
      .describe('The amount that you want back, with its tax, minor units. By default all that was not refunded yet'),
    proof_ids: z
      .array(idSchema('prf'))
      .max(MOST_PROOFS)
      .default([])
      .describe('Proofs of the delivery that support the dispute, from `GET /deliveries/{id}/proof`, at most 10'),
  })
  .transform(({ delivery_id: deliveryId, amount = null, proof_ids: proofIds, ...rest }) => ({
    ...rest,
    deliveryId,
    amount,
    proofIds,
  }));

export const VerdictBody = z
  .strictObject({
    outcome: z.enum(['accepted', 'rejected']).describe('Whether the vendor gets money back'),
    party_at_fault: z.enum(FAULT_PARTIES).describe('The side on which the cause lies'),
    amount: MinorUnits.min(1)
      .exactOptional()
      .describe('The amount that the vendor gets back, minor units: all that is disputed by default. Only to accept'),
    note: textOf(1000).describe('The decision in words, at most 1,000 characters. The vendor sees it'),
  })
  .transform(({ party_at_fault: partyAtFault, amount = null, ...rest }) => {
    if (amount !== null && rest.outcome === 'rejected')
      throw refuseField('/amount', 'not_allowed', 'must be left out in a rejection');
    return { ...rest, partyAtFault, amount };
  });

const narrowing = {
  ...pageQuery,
  status: z.enum(DISPUTE_STATES).exactOptional().describe('Disputes of this state'),
  delivery_id: idSchema('del').exactOptional().describe('Disputes about this delivery'),
};

export const DisputeListQuery = z
  .strictObject(narrowing)
  .transform(({ status: state, delivery_id: deliveryId, ...page }) =>
    withPage<DisputeFilter>(page, { state, deliveryId }),
  );

export const DisputeQueueQuery = z
  .strictObject({
    ...narrowing,
    vendor_id: idSchema('ven').exactOptional().describe('Disputes of this vendor'),
    live_mode: PlatformListQuery.shape.live_mode.describe('True lists live disputes only, false test disputes only'),
  })
  .transform(({ status: state, delivery_id: deliveryId, vendor_id: vendorId, live_mode: liveMode, ...page }) =>
    withPage<DisputeFilter>(page, { state, deliveryId, vendorId, liveMode }),
  );

const amount = z.number().int().min(1);

export const DisputeView = z.strictObject({
  id: idSchema('dsp').describe('The id of the dispute'),
  object: z.literal('dispute').describe('The kind of object'),
  delivery_id: idSchema('del').describe('The delivery whose charge is disputed'),
  vendor_id: idSchema('ven').describe('The vendor who raised it'),
  status: z
    .enum(DISPUTE_STATES)
    .describe('`open` and `in_review` wait for a decision. `accepted`: the vendor got money back'),
  reason: z.enum(DISPUTE_REASONS).describe(explainCodes('The mistake in the delivery or its charge', DISPUTE_WORDS)),
  description: z.string().describe('The words of the vendor'),
  proof_ids: z.array(idSchema('prf')).describe('Proofs of the delivery that support it'),
  amount: amount.describe('The amount that the vendor wants back, minor units'),
  refunded: amount.nullable().describe('The amount that the vendor got back, minor units; null unless it was accepted'),
  currency: z.string().length(3).describe('ISO 4217 code of the currency of all amounts'),
  party_at_fault: z
    .enum(FAULT_PARTIES)
    .nullable()
    .describe('The side on which the cause lies; null before the decision'),
  note: z.string().nullable().describe('The decision in words; null before it'),
  handled_by: z
    .enum(AUDITED_ACTORS)
    .nullable()
    .describe('The kind of caller who reviews it or has decided; null before'),
  live_mode: z.boolean().describe('The mode. Test money and live money never mix'),
  version: z.number().int().describe('Rises by one with each change'),
  created_at: z.iso.datetime().describe('When it was raised, UTC'),
  updated_at: z.iso.datetime().describe('When its status changed last, UTC'),
});

/** The dispute as its vendor and staff see it. */
export function presentDispute(dispute: Dispute): z.output<typeof DisputeView> {
  return {
    id: dispute.id,
    object: 'dispute',
    delivery_id: dispute.deliveryId,
    vendor_id: dispute.vendorId,
    status: dispute.state,
    reason: dispute.reason,
    description: dispute.description,
    proof_ids: [...dispute.proofIds],
    amount: dispute.amount,
    refunded: dispute.refunded,
    currency: dispute.currency,
    party_at_fault: dispute.partyAtFault,
    note: dispute.note,
    handled_by: dispute.handledBy?.type ?? null,
    live_mode: dispute.liveMode,
    version: dispute.version,
    created_at: isoTime(dispute.createdAt),
    updated_at: isoTime(dispute.updatedAt),
  };
}
