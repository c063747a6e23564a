import { z } from 'zod';
import { isoTime } from '../../../domain/time.ts';
import { explainCodes } from '../../../domain/views/reason-words.ts';
import { SUBJECTS, UNMATCHED_CAUSES, type Reconciliation } from '../../../money/reconcile/reconciliation.ts';
import { GATEWAY_NAMES } from '../../../money/gateways.ts';
import type { ReconciliationFilter } from '../../../ports/money/reconciliations.ts';
import { UNMATCHED_WORDS } from '../reason-words.ts';
import { pageQuery, withPage } from '../../lists.ts';

export const ReconciliationListQuery = z
  .strictObject({
    ...pageQuery,
    matched: z
      .enum(['true', 'false'])
      .transform((word) => word === 'true')
      .exactOptional()
      .describe('False lists only comparisons with unmatched payments or transfers, and true only those without'),
  })
  .transform(({ matched: isClean, ...page }) => withPage<ReconciliationFilter>(page, { isClean }));

const count = z.int().min(0);

export const ReconciliationView = z.strictObject({
  object: z.literal('reconciliation').describe('The kind of object'),
  id: z.string().describe('The gateway, the mode and the date, and the subject unless that is payments'),
  subject: z.enum(SUBJECTS).describe('Payments of top-ups, or transfers of payouts'),
  gateway: z.enum(GATEWAY_NAMES).describe('The payment gateway'),
  date: z.iso.date().describe('The UTC date on which the payments were begun, or the transfers made'),
  matched: count.describe('Payments or transfers that the gateway and the ledger have alike'),
  ours_only: count.describe('Those that the ledger has and the gateway does not list'),
  theirs_only: count.describe('Those of the gateway that the ledger does not have, or has otherwise'),
  unmatched: z
    .array(
      z.strictObject({
        side: z.enum(['ours', 'theirs']).describe('The side that has it'),
        reason: z.enum(UNMATCHED_CAUSES).describe(explainCodes('Why it is not matched', UNMATCHED_WORDS)),
        top_up_id: z
          .string()
          .nullable()
          .describe('The top-up; null for a transfer, or if the payment names none of ours'),
        payout_id: z
          .string()
          .nullable()
          .describe('The payout; null for a payment, or if the transfer names none of ours'),
        gateway_id: z.string().nullable().describe('Its name at the gateway; null if it is not listed'),
        amount: z.int().nullable().describe('The amount, minor units; null if the gateway says a part of a minor unit'),
        currency: z.string().length(3).describe('ISO 4217 code of the currency'),
      }),
    )
    .describe('The first 200 that are unmatched'),
  fees: z
    .array(
      z.strictObject({
        currency: z.string().length(3).describe('ISO 4217 code of the currency'),
        amount: z.int().describe('The sum of the fees, minor units'),
      }),
    )
    .describe('The fees that the gateway kept of matched payments. Each is booked once, as a cost of the platform'),
  fees_unknown: count.describe(
    'Matched payments whose fee the gateway does not name in their currency. Nothing is booked for it',
  ),
  runs: z.int().min(1).describe('How often the comparison was made'),
  ran_at: z.iso.datetime().describe('When it was made last, UTC'),
  live_mode: z.boolean().describe('The mode. Test money and live money never mix'),
});

/** The comparison as finance sees it. */
export function presentReconciliation(reconciliation: Reconciliation): z.output<typeof ReconciliationView> {
  const {
    id,
    subject,
    gateway,
    date,
    matched,
    oursOnly,
    theirsOnly,
    unmatched,
    fees,
    feesUnknown,
    runs,
    ranAt,
    liveMode,
  } = reconciliation;
  return {
    object: 'reconciliation',
    id,
    subject,
    gateway,
    date,
    matched,
    ours_only: oursOnly,
    theirs_only: theirsOnly,
    unmatched: unmatched.map(({ side, why, topUpId, payoutId, gatewayId, amount, currency }) => ({
      side,
      reason: why,
      top_up_id: topUpId,
      payout_id: payoutId,
      gateway_id: gatewayId,
      amount,
      currency,
    })),
    fees: fees.map(({ currency, amount }) => ({ currency, amount })),
    fees_unknown: feesUnknown,
    runs,
    ran_at: isoTime(ranAt),
    live_mode: liveMode,
  };
}
