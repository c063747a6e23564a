import { z } from 'zod';
import { idSchema } from '../../../domain/ids.ts';
import { isoTime } from '../../../domain/time.ts';
import { amountOf } from '../../../money/amount.ts';
import {
  ADJUSTMENT_DECISIONS,
  ADJUSTMENT_STATES,
  MOST_ADJUSTED,
  type Adjustment,
} from '../../../money/wallets/adjustment.ts';
import type { AdjustmentFilter } from '../../../ports/money/adjustments.ts';
import { pageQuery, withPage } from '../../lists.ts';
import { PlatformListQuery } from '../deliveries/delivery-list.ts';
import { textOf } from '../../../domain/text.ts';

const signed = z.int().min(-MOST_ADJUSTED).max(MOST_ADJUSTED);

export const AdjustmentBody = z
  .strictObject({
    vendor_id: idSchema('ven').describe('The vendor whose wallet is adjusted, in its currency'),
    amount: signed
      .refine((amount) => amount !== 0, 'must not be 0')
      .describe('Minor units: above 0 into the wallet, below 0 out of it. At most 10^12'),
    reason: textOf(200).describe('Why, as the vendor reads it in its transactions. At most 200 characters'),
    live_mode: z.boolean().exactOptional().describe('True adjusts the live wallet. False by default'),
  })
  .transform(({ vendor_id: vendorId, amount, reason, live_mode: liveMode = false }) => ({
    vendorId,
    amount: amountOf(amount),
    reason,
    liveMode,
  }));

export const AdjustmentDecisionBody = z.strictObject({
  decision: z
    .enum(ADJUSTMENT_DECISIONS)
    .describe('`approve` books the adjustment. `reject` ends it, and no money moves'),
});

export const AdjustmentListQuery = z
  .strictObject({
    ...pageQuery,
    status: z.enum(ADJUSTMENT_STATES).exactOptional().describe('Only adjustments of this state'),
    vendor_id: idSchema('ven').exactOptional().describe('Only adjustments of the wallets of this vendor'),
    live_mode: PlatformListQuery.shape.live_mode.describe('True lists live wallets only, false test wallets only'),
  })
  .transform(({ status: state, vendor_id: vendorId, live_mode: liveMode, ...page }) =>
    withPage<AdjustmentFilter>(page, { state, vendorId, liveMode }),
  );

export const AdjustmentView = z.strictObject({
  id: idSchema('adj').describe('The id of the adjustment'),
  object: z.literal('adjustment').describe('The kind of object'),
  vendor_id: idSchema('ven').describe('The vendor whose wallet is adjusted'),
  live_mode: z.boolean().describe('The mode of the wallet'),
  status: z
    .enum(ADJUSTMENT_STATES)
    .describe('`awaiting_approval`: no money has moved yet. `booked`: a second person has approved it'),
  amount: signed.describe('Minor units: above 0 into the wallet, below 0 out of it'),
  currency: z.string().length(3).describe('ISO 4217 code of the currency of the wallet'),
  reason: z.string().describe('Why, as the vendor reads it'),
  requested_by: idSchema('stf').describe('The member of staff who asked for it'),
  decided_by: idSchema('stf').nullable().describe('The person who approved or rejected it; null while it waits'),
  created_at: z.iso.datetime().describe('When it was asked for, UTC'),
  updated_at: z.iso.datetime().describe('When it changed last, UTC'),
});

/** The adjustment as finance sees it. */
export function presentAdjustment(adjustment: Adjustment): z.output<typeof AdjustmentView> {
  const { id, vendorId, liveMode, state, amount, currency, reason } = adjustment;
  return {
    id,
    object: 'adjustment',
    vendor_id: vendorId,
    live_mode: liveMode,
    status: state,
    amount,
    currency,
    reason,
    requested_by: adjustment.requestedBy,
    decided_by: adjustment.decidedBy,
    created_at: isoTime(adjustment.createdAt),
    updated_at: isoTime(adjustment.updatedAt),
  };
}
