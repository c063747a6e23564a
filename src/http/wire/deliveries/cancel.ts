import { z } from 'zod';
import type { CancelDelivery } from '../../../dispatch/commands.ts';
import type { CancelTerms } from '../../../dispatch/deliveries/preview-cancel.ts';
import { ChargeLineView } from '../../../domain/deliveries/delivery-view.ts';
import { CANCEL_REASONS, CANCEL_REASONS_OF, STAFF_REASONS, STATES } from '../../../domain/deliveries/states.ts';
import { idSchema } from '../../../domain/ids.ts';
import { anyOf } from '../../../domain/refusals/refusals.ts';
import { isoTime } from '../../../domain/time.ts';
import { CANCEL_WORDS, explainCodes } from '../../../domain/views/reason-words.ts';
import { CANCEL_RULES } from '../../../money/charges/cancel-rules.ts';
import { MinorUnits } from '../place.ts';
import { textOf } from '../../../domain/text.ts';

const Reason = z
  .enum(
    CANCEL_REASONS_OF.staff,
    `must be one of ${anyOf(CANCEL_REASONS)}; only staff may also name ${anyOf(STAFF_REASONS)}`,
  )
  .exactOptional();

export const CancelBody = z
  .strictObject({
    reason: Reason.describe(explainCodes('Why the delivery is canceled', CANCEL_WORDS, CANCEL_REASONS_OF.staff)),
    comment: textOf(280).exactOptional().describe('Your own words, at most 280 characters. Couriers do not see them'),
    accept_fee: MinorUnits.exactOptional().describe(
      'The highest fee that you accept, in minor units. A cancel that costs more is refused with `cancellation_fee_changed`. Without this field, you accept any fee of the policy',
    ),
  })
  .transform(({ reason, comment, accept_fee: acceptFee }): Omit<CancelDelivery, 'deliveryId'> => ({
    reason: reason ?? null,
    ...(comment === undefined ? {} : { comment }),
    ...(acceptFee === undefined ? {} : { acceptFee }),
  }));

export const CancelPreviewQuery = z.strictObject({
  reason: Reason.describe(
    explainCodes('The reason that the cancel would have. The fee depends on it', CANCEL_WORDS, CANCEL_REASONS_OF.staff),
  ),
});

export const CancelPreviewView = z.strictObject({
  object: z.literal('cancel_preview'),
  delivery_id: idSchema('del'),
  status: z.enum(STATES).describe('The state that these terms are for'),
  version: z.number().int().describe('The version of the delivery that these terms are for'),
  allowed: z.boolean().describe('Whether the caller may cancel now'),
  reason: z
    .string()
    .nullable()
    .describe(
      'Why the caller may not cancel: `delivery_` and the end state, or the code of the refusal. Null if they may',
    ),
  policy_rule: z
    .enum(CANCEL_RULES)
    .nullable()
    .describe('The rule of the cancellation policy that applies. Null if the caller may not cancel'),
  opens_return: z.boolean().describe('Whether the cancel opens a return of the goods to the pickup'),
  fee: z.number().int().nullable().describe('The price of the cancel, minor units. Null if the caller may not cancel'),
  breakdown: z.array(ChargeLineView).describe('The lines of the fee. They sum to it'),
  refund: z
    .number()
    .int()
    .nullable()
    .describe('The amount that becomes available again in the wallet, minor units. Null if the caller may not cancel'),
  currency: z.string().describe('ISO 4217 code of the currency'),
  valid_until: z.iso.datetime().describe('Until when these terms hold, unless the delivery changes first'),
});

export function presentTerms({ delivery, ...terms }: CancelTerms): z.output<typeof CancelPreviewView> {
  return {
    object: 'cancel_preview',
    delivery_id: delivery.id,
    status: delivery.state,
    version: delivery.version,
    allowed: terms.rule !== null,
    reason: terms.whyNot,
    policy_rule: terms.rule,
    opens_return: terms.opensReturn,
    fee: terms.rule === null ? null : terms.fee,
    breakdown: terms.breakdown.map((line) => ({ ...line })),
    refund: terms.rule === null ? null : terms.refund,
    currency: delivery.currency,
    valid_until: isoTime(terms.validUntilAt),
  };
}
