import { z } from 'zod';
import { ChargeLineView } from '../../../domain/deliveries/delivery-view.ts';
import type { Delivery } from '../../../domain/deliveries/delivery.ts';
import { idSchema } from '../../../domain/ids.ts';
import { chargedOf, type Refund } from '../../../domain/pricing/funds.ts';
import { isoTime } from '../../../domain/time.ts';
import { ExternalIdBody, MinorUnits } from '../place.ts';
import { textOf } from '../../../domain/text.ts';

export const RefundBody = z
  .strictObject({
    reference: ExternalIdBody.describe(
      'Your own name of the refund, 1 to 64 characters of `A-Z a-z 0-9 . _ ~ -`. The same reference makes one refund of the delivery, however often it is sent',
    ),
    reason: textOf(280).describe('Why the money goes back, at most 280 characters. The vendor sees it'),
    amount: MinorUnits.min(1)
      .exactOptional()
      .describe('The amount with its tax, minor units: at most what is left of the charge. All of it by default'),
  })
  .transform(({ amount = null, ...rest }) => ({ ...rest, amount }));

export const RefundView = z.strictObject({
  id: idSchema('rfd').describe('The id of the refund'),
  object: z.literal('refund').describe('The kind of object'),
  delivery_id: idSchema('del').describe('The delivery whose charge was refunded'),
  reference: z.string().describe('The name that the caller gave it'),
  reason: z.string().describe('Why the money went back'),
  dispute_id: idSchema('dsp').nullable().describe('The dispute that it decides; null for none'),
  amount: z.number().int().min(1).describe('The amount with its tax, minor units'),
  tax: z.number().int().min(0).describe('The tax in the amount, minor units'),
  currency: z.string().length(3).describe('ISO 4217 code of the currency of all amounts'),
  breakdown: z.array(ChargeLineView).describe('The parts of the lines of the charge. They sum to the amount'),
  live_mode: z.boolean().describe('The mode. Test money and live money never mix'),
  created_at: z.iso.datetime().describe('When it was made, UTC'),
});

/** A refund of this delivery. */
export function presentRefund(
  { id: deliveryId, currency, liveMode }: Delivery,
  { id, reference, reason, lines, disputeId, at }: Refund,
): z.output<typeof RefundView> {
  return {
    id,
    object: 'refund',
    delivery_id: deliveryId,
    reference,
    reason,
    dispute_id: disputeId ?? null,
    amount: chargedOf(lines),
    tax: lines.reduce((sum, { tax }) => sum + tax, 0),
    currency,
    breakdown: lines.map((line) => ({ ...line })),
    live_mode: liveMode,
    created_at: isoTime(at),
  };
}
