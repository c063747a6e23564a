import { z } from 'zod';
import { AUDITED_ACTORS } from '../../../domain/audit.ts';
import { idSchema } from '../../../domain/ids.ts';
import { refuseField } from '../../../domain/refusals/refusals.ts';
import { isoTime } from '../../../domain/time.ts';
import { explainCodes } from '../../../domain/views/reason-words.ts';
import { OUTGOING_STATES } from '../../../money/payouts/outgoing.ts';
import type { Payout, PayoutBatch, PayoutBatchId } from '../../../money/payouts/payout.ts';
import { MOST_UNPAID, type Unpaid } from '../../../money/payouts/list-unpaid.ts';
import { OUTCOME_NAMES } from '../../../money/payouts/resolution.ts';
import type { PayoutFilter } from '../../../ports/money/payouts.ts';
import { pageQuery, withPage } from '../../lists.ts';
import { CurrencyBody } from '../currency.ts';
import { PlatformListQuery } from '../deliveries/delivery-list.ts';
import { textOf } from '../../../domain/text.ts';
import { OUTGOING_WORDS, UNSENT_WORDS } from '../reason-words.ts';

const BATCH_FORM = /^(live|test)\.[A-Z]{3}\.[0-9]{4}-[0-9]{2}-[0-9]{2}$/;

export const BatchBody = z
  .strictObject({
    currency: CurrencyBody.describe('ISO 4217 code of the earnings that are paid out'),
    date: z.iso
      .date()
      .exactOptional()
      .describe('The date that names the batch, in UTC: today by default, or one of the 7 days before'),
    live_mode: z.boolean().exactOptional().describe('True pays couriers of live mode. False by default'),
  })
  .transform(({ currency, date = null, live_mode: liveMode = false }) => ({ currency, date, liveMode }));

const amount = z.number().int().min(0);
const batchId = z
  .string()
  .regex(BATCH_FORM, 'must be the id of a batch, such as test.EUR.2026-01-31')
  .describe('The batch: its mode, its currency and its date');

export const PayoutBatchView = z.strictObject({
  id: batchId,
  object: z.literal('payout_batch').describe('The kind of object'),
  live_mode: z.boolean().describe('False for couriers of test mode'),
  currency: z.string().describe('ISO 4217 code of all amounts'),
  date: z.iso.date().describe('The date that names it'),
  status: z.enum(['making', 'made']).describe('`made` once the server has looked at all couriers'),
  payouts: z.number().int().min(0).describe('How many payouts were made so far'),
  amount: amount.describe('The sum of these payouts, minor units'),
  requested_by: z
    .strictObject({
      type: z.enum(AUDITED_ACTORS).describe('The kind of caller'),
      id: z.string().nullable().describe('The member of staff, or the name of the service'),
    })
    .describe('The caller who asked for it first. They can approve none of its payouts'),
  unpaid: z
    .array(
      z.strictObject({
        courier_id: idSchema('cou').describe('The courier who has earned it'),
        currency: z.string().describe('ISO 4217 code of the earnings'),
        amount: amount.describe('The earnings that were not paid out, minor units'),
        bank_account_currency: z
          .string()
          .nullable()
          .describe('ISO 4217 code of the courier’s bank account; null if they have none'),
      }),
    )
    .max(MOST_UNPAID)
    .describe(
      'Earnings of the mode that no batch pays now, because the courier has no bank account in their currency. Set one with `PUT /couriers/{id}/bank-account` and ask for a batch of its currency. An operator can exchange earnings with `adjust-earnings`. Ordered by courier, at most 100. Empty while the batch is `making`',
    ),
  created_at: z.iso.datetime().describe('When it was asked for, UTC'),
});

export const ResolutionBody = z.strictObject({
  outcome: z
    .enum(OUTCOME_NAMES)
    .describe(
      '`paid`: the money has left for the courier. `failed`: it never will, so the earnings get it back. A payout that waits for an approval can only be `failed`',
    ),
  reason: textOf(280).describe(
    'How you know, or why you decline it, for the audit log and the answer: 1 to 280 characters',
  ),
});

/** A list is about a batch, or a courier, or a mode. */
export const PayoutListQuery = z
  .strictObject({
    ...pageQuery,
    status: z.enum(OUTGOING_STATES).exactOptional().describe('Payouts of this state'),
    batch_id: batchId.exactOptional().describe('Payouts of this batch. Leave out `courier_id` and `live_mode` then'),
    courier_id: idSchema('cou').exactOptional().describe('Payouts of this courier. Leave out `live_mode` then'),
    live_mode: PlatformListQuery.shape.live_mode.describe('True lists live payouts only, false test payouts only'),
  })
  .transform(({ status: state, batch_id: batch, courier_id: courierId, live_mode: liveMode, ...page }) => {
    if (batch !== undefined && courierId !== undefined) throw notBeside('courier_id', 'batch_id');
    if (batch !== undefined && liveMode !== undefined) throw notBeside('live_mode', 'batch_id');
    if (courierId !== undefined && liveMode !== undefined) throw notBeside('live_mode', 'courier_id');
    const batchId = batch as PayoutBatchId | undefined;
    return withPage<PayoutFilter>(page, { state, batchId, courierId, liveMode });
  });

function notBeside(name: string, other: string) {
  return refuseField(`/${name}`, 'not_allowed', `must be left out beside \`${other}\``);
}

export const PayoutView = z.strictObject({
  id: idSchema('pay').describe('The id of the payout, and the reference of the transfer at the gateway'),
  object: z.literal('payout').describe('The kind of object'),
  batch_id: batchId,
  courier_id: idSchema('cou').describe('The courier who is paid'),
  live_mode: z.boolean().describe('False for a courier of test mode'),
  currency: z.string().describe('ISO 4217 code of the amount'),
  amount: amount.describe('The amount, minor units'),
  gateway: z.string().describe('The payment gateway that carries it out'),
  bank_account_last4: z.string().describe('The last four characters of the number of the bank account'),
  status: z
    .enum(OUTGOING_STATES)
    .describe(
      'Where the money is. A payout above the limit, or of a suspended courier, waits for an approval. `processing`: the gateway has it, or may have it. `needs_action`: a person must act at the gateway. `failed`, `reversed` and `canceled`: the courier has the earnings again',
    ),
  reason: z
    .string()
    .nullable()
    .describe(
      explainCodes(
        'Why it failed, came back or waits for a person: a code of the server, or the own word of the gateway. If a person ended it, their text. `courier_suspended` stays after the approval until the payout has ended. Null otherwise',
        { ...OUTGOING_WORDS, ...UNSENT_WORDS },
        // Only a refund can be unseen. A gateway makes a transfer of one reference once.
        ['refused_by_gateway', 'transfer_differs', ...Object.keys(UNSENT_WORDS)],
      ),
    ),
  resolved_by: idSchema('stf')
    .nullable()
    .describe('The member of staff who ended it when it waited for a person; null for none'),
  approved_by: idSchema('stf').nullable().describe('The member of staff who approved it; null for none'),
  created_at: z.iso.datetime().describe('When it was made, UTC'),
  updated_at: z.iso.datetime().describe('When its status changed last, UTC'),
});

/** The batch as finance sees it. */
export function presentBatch(batch: PayoutBatch, unpaid: readonly Unpaid[]): z.output<typeof PayoutBatchView> {
  return {
    id: batch.id,
    object: 'payout_batch',
    live_mode: batch.liveMode,
    currency: batch.currency,
    date: batch.date,
    status: batch.state,
    payouts: batch.payouts,
    amount: batch.amount,
    requested_by: batch.requestedBy,
    unpaid: unpaid.map(({ courierId, currency, amount: earned, accountCurrency }) => ({
      courier_id: courierId,
      currency,
      amount: earned,
      bank_account_currency: accountCurrency,
    })),
    created_at: isoTime(batch.createdAt),
  };
}

/** The payout as finance sees it. */
export function presentPayout(payout: Payout): z.output<typeof PayoutView> {
  return {
    id: payout.id,
    object: 'payout',
    batch_id: payout.batchId,
    courier_id: payout.courierId,
    live_mode: payout.liveMode,
    currency: payout.currency,
    amount: payout.amount,
    gateway: payout.gateway,
    bank_account_last4: payout.last4,
    status: payout.state,
    reason: payout.reason,
    resolved_by: payout.resolvedBy ?? null,
    approved_by: payout.approvedBy,
    created_at: isoTime(payout.createdAt),
    updated_at: isoTime(payout.updatedAt),
  };
}
