// one table
import type { ReasonWords } from '../../domain/views/reason-words.ts';
import type { DisputeReason } from '../../money/disputes/dispute.ts';
import type { UnsentCause } from '../../money/payouts/payout.ts';
import type { OwnCause } from '../../money/payouts/transfer.ts';
import type { Unmatched } from '../../money/reconcile/reconciliation.ts';
import type { Chargeback } from '../../money/top-ups/chargeback.ts';
import type { TopUpReason } from '../../money/top-ups/top-up.ts';
import type { CoverageOf } from '../../vendors/judge-coverage.ts';

export const COVERAGE_WORDS: ReasonWords<NonNullable<NonNullable<CoverageOf['point']>['reason']>> = {
  drop_off_not_in_coverage: 'it lies outside all zones of the location',
  distance_too_long: 'the estimated way to it is longer than `max_distance_m`',
};

export const DISPUTE_WORDS: ReasonWords<DisputeReason> = {
  never_delivered: 'the recipient never got the goods',
  arrived_late: 'the goods came too late',
  delivered_early: 'the goods came too early',
  delivered_to_wrong_address: 'the goods went to a wrong place',
  missing_or_incorrect_items: 'goods were missing or wrong',
  damaged_items: 'goods were damaged',
  poor_delivery_experience: 'the courier did not behave well',
  overcharge: 'the charge is higher than the price that was agreed',
  wait_fee: 'the charge for waiting is wrong',
  cancellation_fee: 'the charge for the cancel is wrong',
  return_fee: 'the charge for the way back is wrong',
  other: 'another reason, which the description names',
};

export const TOP_UP_WORDS: ReasonWords<TopUpReason> = {
  refused: 'the gateway does not take this payment',
  declined: 'the gateway has declined the payment',
  not_paid: 'nobody has paid in time',
  unconfirmed: 'the payer has paid, and the gateway has not confirmed it for too long',
  mismatch: 'another amount or currency was paid. Finance decides about the money',
};

export const CHARGEBACK_WORDS: ReasonWords<Chargeback['cause']> = {
  dispute: 'the card holder has disputed the payment',
  refund: 'somebody has refunded the payment at the gateway',
};

export const UNMATCHED_WORDS: ReasonWords<Unmatched['why']> = {
  not_booked: 'the ledger does not have it, or has it as returned',
  amount_differs: 'it is booked with another amount or currency',
  fee_differs: 'its fee is booked with another amount',
  paid_twice: 'its top-up was paid a further time, and that is not booked yet',
  not_listed: 'it is booked, and the gateway does not list it',
};

export const OUTGOING_WORDS: ReasonWords<OwnCause> = {
  refused_by_gateway: 'the gateway refused it, or does not serve this account. It is not sent again',
  transfer_differs: 'the gateway reports another amount or currency than it was asked for, so a person must look',
  not_seen_at_gateway:
    'the server may have sent it, and the gateway does not show it. A person must find out whether it exists',
  no_usable_answer:
    'the looks at the gateway have failed for about 14 hours, so a person must find out what became of it',
  never_sent: 'the server has tried for about 14 hours to send it, and nothing was sent. A person may end it as failed',
};

export const UNSENT_WORDS: ReasonWords<UnsentCause> = {
  not_approved: 'nobody approved it in time',
  bank_account_unreadable: 'the server no longer has the key that encrypted the bank account',
  bank_account_replaced:
    'the courier has another bank account by now. The next batch pays to that one, once it may be used',
  courier_suspended: 'staff have suspended the courier, so it is sent only if a second person approves it',
};
