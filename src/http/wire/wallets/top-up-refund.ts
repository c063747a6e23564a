import { z } from 'zod';
import { idSchema } from '../../../domain/ids.ts';
import { isoTime } from '../../../domain/time.ts';
import { explainCodes } from '../../../domain/views/reason-words.ts';
import { amountOf } from '../../../money/amount.ts';
import { MOST_TOPPED_UP } from './top-up.ts';
import { OUTCOME_NAMES } from '../../../money/payouts/resolution.ts';
import { TOP_UP_REFUND_STATES, type TopUpRefund } from '../../../money/top-ups/top-up-refund.ts';
import { GATEWAY_NAMES } from '../../../money/gateways.ts';
import type { TopUpRefundFilter } from '../../../ports/money/top-up-refunds.ts';
import { pageQuery, withPage } from '../../lists.ts';
import { PlatformListQuery } from '../deliveries/delivery-list.ts';
import { ExternalIdBody } from '../place.ts';
import { textOf } from '../../../domain/text.ts';
import { OUTGOING_WORDS } from '../reason-words.ts';

export const TopUpRefundBody = z
  .strictObject({
    reference: ExternalIdBody.describe(
      'Your own name of the refund, 1 to 64 characters of `A-Z a-z 0-9 . _ ~ -`. The same reference makes one refund of the top-up, however often it is sent',
    ),
    reason: textOf(200).describe('Why the money goes back, at most 200 characters. The vendor sees it'),
    amount: z
      .int()
      .min(1)
      .max(MOST_TOPPED_UP)
      .exactOptional()
      .describe('The amount, minor units: at most what is left of the top-up. All of it by default'),
  })
  .transform(({ reference, reason: note, amount }) => ({
    reference,
    note,
    amount: amount === undefined ? null : amountOf(amount),
  }));

export const TopUpRefundListQuery = z
  .strictObject({
    ...pageQuery,
    status: z.enum(TOP_UP_REFUND_STATES).exactOptional().describe('Only refunds of this state'),
    top_up_id: idSchema('top').exactOptional().describe('Only refunds of this top-up'),
    live_mode: PlatformListQuery.shape.live_mode.describe('True lists live refunds only, false test ones only'),
  })
  .transform(({ status: state, top_up_id: topUpId, live_mode: liveMode, ...page }) =>
    withPage<TopUpRefundFilter>(page, { state, topUpId, liveMode }),
  );

export const TopUpRefundResolutionBody = z.strictObject({
  outcome: z
    .enum(OUTCOME_NAMES)
    .describe('`paid`: the payer has the money. `failed`: they never will, so the wallet gets it back'),
  reason: textOf(280).describe('How you know, for the audit log and the answer: 1 to 280 characters'),
});

const time = z.iso.datetime();

export const TopUpRefundView = z.strictObject({
  object: z.literal('top_up_refund').describe('The kind of object'),
  id: idSchema('tur').describe('The id of the refund, and its reference at the gateway'),
  top_up_id: idSchema('top').describe('The top-up whose payment is refunded'),
  vendor_id: idSchema('ven').describe('The vendor whose wallet pays it'),
  status: z
    .enum(TOP_UP_REFUND_STATES)
    .describe(
      'Where the money is. `processing`: the gateway has the refund, or may have it. `needs_action`: a person must act at the gateway. `paid`: the gateway has sent it to the payer. `failed` and `reversed`: the wallet has it again',
    ),
  failure: z
    .string()
    .nullable()
    .describe(
      explainCodes(
        'Why it failed, came back or needs a person: a code of the server, or the own word of the gateway. If a person ended it, their text. Null otherwise',
        OUTGOING_WORDS,
      ),
    ),
  reference: z.string().describe('The name that the caller gave it'),
  reason: z.string().describe('Why the money goes back'),
  amount: z.int().min(1).describe('The amount, minor units'),
  currency: z.string().length(3).describe('ISO 4217 code of the currency'),
  gateway: z.enum(GATEWAY_NAMES).describe('The payment gateway that carries it out'),
  requested_by: idSchema('stf').describe('The member of staff who asked for it'),
  resolved_by: idSchema('stf')
    .nullable()
    .describe('The member of staff who ended it when it waited for a person; null for none'),
  created_at: time.describe('When it was asked for, UTC'),
  updated_at: time.describe('When its status changed last, UTC'),
  live_mode: z.boolean().describe('The mode. Test money and live money never mix'),
});

/** The refund as finance sees it. */
export function presentTopUpRefund(refund: TopUpRefund): z.output<typeof TopUpRefundView> {
  const { id, topUpId, vendorId, state, reason, reference, note, amount, currency, gateway, liveMode } = refund;
  return {
    object: 'top_up_refund',
    id,
    top_up_id: topUpId,
    vendor_id: vendorId,
    status: state,
    failure: reason,
    reference,
    reason: note,
    amount,
    currency,
    gateway,
    requested_by: refund.requestedBy,
    resolved_by: refund.resolvedBy ?? null,
    created_at: isoTime(refund.createdAt),
    updated_at: isoTime(refund.updatedAt),
    live_mode: liveMode,
  };
}
