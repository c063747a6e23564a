import type { StaffId, TopUpId, TopUpRefundId, VendorId } from '../../domain/ids.ts';
import { Refusal } from '../../domain/refusals/refusals.ts';
import { amountOf, type Amount } from '../amount.ts';
import type { Outgoing, OutgoingState } from '../payouts/outgoing.ts';
import type { TopUp } from './top-up.ts';

/** The states of a refund. Nobody has to approve one, so the others do not occur. */
export const TOP_UP_REFUND_STATES = [
  'pending',
  'processing',
  'needs_action',
  'paid',
  'failed',
  'reversed',
] as const satisfies readonly OutgoingState[];
export type TopUpRefundState = (typeof TOP_UP_REFUND_STATES)[number];

/** Money of a top-up that goes back to its payer. The id is the reference of the refund at the gateway. */
export type TopUpRefund = Outgoing & {
  readonly id: TopUpRefundId;
  readonly state: TopUpRefundState;
  readonly topUpId: TopUpId;
  /** The vendor whose wallet pays it. */
  readonly vendorId: VendorId;
  /** The gateway's own id of the payment that is booked, or of the page if the top-up does not name it. */
  readonly paymentId: string;
  /** The name that finance gave it, which is unique for the top-up. */
  readonly reference: string;
  /** Why the money goes back, as finance said. */
  readonly note: string;
  readonly requestedBy: StaffId;
};

/** A refund that finance asks for. Without an amount it is all that is left of the top-up. */
export type AskedRefund = Pick<TopUpRefund, 'id' | 'reference' | 'note' | 'requestedBy'> & {
  readonly amount: Amount | null;
};

/** A refund as a gateway is told. The reference names it for ever: a gateway carries it out once. */
export type RefundOrder = Pick<TopUpRefund, 'topUpId' | 'paymentId' | 'amount' | 'currency'> & {
  readonly reference: TopUpRefundId;
};

/** Refunds that one top-up may have, those that failed included. */
export const MOST_REFUNDS = 20;
/** The states in which the payer does not have the money, and will not get it. */
const UNDONE: readonly TopUpRefundState[] = ['failed', 'reversed'];

/**
 * Plans a refund of a top-up beside the ones that it has (`known`). Money that the gateway has taken back cannot be refunded.
 * A known reference returns its refund. Refuses `top_up_not_refundable`, `refund_exceeds_top_up`, and
 * `idempotency_key_reused` if the reference names another amount or reason.
 */
export function planRefund(topUp: TopUp, known: readonly TopUpRefund[], asked: AskedRefund, now: number): TopUpRefund {
  const same = known.find(({ reference }) => reference === asked.reference);
  if (same !== undefined) return sameOrRefuse(same, asked);
  const { id: topUpId, vendorId, liveMode, currency, gateway, checkout, paymentId, state } = topUp;
  if (state !== 'succeeded' || checkout === null)
    throw notRefundable(state, `The top-up is \`${state}\`. Only one that has \`succeeded\` can be refunded.`);
  if (known.length >= MOST_REFUNDS)
    throw notRefundable(state, `The top-up has ${MOST_REFUNDS} refunds, which is the most that one may have.`);
  const left = amountOf(Math.max(0, topUp.amount - refundedOf(known) - takenBackOf(topUp)));
  const { amount: wanted, ...named } = asked;
  const amount = wanted ?? left;
  if (amount > left || left === 0) throw exceeds(topUp.amount, left);
  const money = { liveMode, currency, amount, gateway, paymentId: paymentId ?? checkout.gatewayId };
  const begun = { state: 'pending', reason: null, looks: 0, failures: 0 } as const;
  const times = { dueAt: now, createdAt: now, updatedAt: now };
  return { ...named, topUpId, vendorId, ...money, ...begun, ...times, version: 1 };
}

/** Says whether the wallet has the money of a refund again. */
export function isUndone({ state }: Pick<TopUpRefund, 'state'>): boolean {
  return UNDONE.includes(state);
}

/** The sum of the refunds that the payer has, or may get. */
export function refundedOf(refunds: readonly TopUpRefund[]): Amount {
  const open = refunds.filter((refund) => !isUndone(refund));
  return amountOf(open.reduce((sum, { amount }) => sum + amount, 0));
}

/** The sum that the gateway has taken back from us and has not returned. Its payer has this money. */
function takenBackOf({ chargebacks = [], currency }: TopUp): number {
  const gone = chargebacks.filter((one) => one.state !== 'returned' && one.currency === currency);
  return gone.reduce((sum, { amount }) => sum + amount, 0);
}

function sameOrRefuse(same: TopUpRefund, { amount, note }: AskedRefund): TopUpRefund {
  if (note === same.note && (amount === null || amount === same.amount)) return same;
  throw new Refusal('idempotency_key_reused', { detail: '`/reference` names another refund of this top-up.' });
}

function notRefundable(status: TopUp['state'], detail: string): Refusal {
  return new Refusal('top_up_not_refundable', { detail, metadata: { status } });
}

function exceeds(amount: Amount, left: Amount): Refusal {
  const detail = `Of this top-up ${left} of ${amount} minor units can still be refunded.`;
  return new Refusal('refund_exceeds_top_up', { detail, metadata: { refundable: left, refunded: amount - left } });
}
