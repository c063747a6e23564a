import { z } from 'zod';
import { isId, type TopUpRefundId } from '../../../domain/ids.ts';
import { amountOf } from '../../../money/amount.ts';
import {
  refusedTransfer,
  unseenRefund,
  type Sending,
  type Transfer,
  type TransferStatus,
} from '../../../money/payouts/transfer.ts';
import type { ChargebackState, ListedChargeback } from '../../../money/top-ups/chargeback.ts';
import type { RefundOrder } from '../../../money/top-ups/top-up-refund.ts';
import type { TopUp } from '../../../money/top-ups/top-up.ts';
import type { GatewayRefunds } from '../../../ports/money/gateways.ts';
import { readAnswer, type GatewayCalls } from '../ask-gateway.ts';
import { expectRefusal, isDone, readOutcome } from './read-outcome.ts';

/** The meaning of each status of a refund. A status that is not in the table means that nothing is known yet. */
const STATUSES: Readonly<Record<string, TransferStatus>> = {
  processed: 'success',
  failed: 'failed',
  // Paystack wants a bank account of the payer.
  'needs-attention': 'needs_action',
};
/** The id of a refund of ours in a note, which may have words around it. */
const OURS = /tur_[0-9a-z]{26}/;
/** The meaning of each status for money that a refund has taken back. Paystack takes it when the refund is begun. */
const TAKEN_BACK: Readonly<Record<string, ChargebackState>> = {
  pending: 'open',
  processing: 'open',
  'needs-attention': 'open',
  processed: 'final',
  failed: 'returned',
};
/** The field of a refund that has our reference. Only we see it. */
const NOTE = 'merchant_note';
/** Refunds of a payment that are looked at. One has at most 20 of ours. */
const PER_PAGE = 100;

const Payment = z.object({ data: z.object({ id: z.int() }) });
const Refund = z.object({
  id: z.int(),
  status: z.string(),
  amount: z.int(),
  currency: z.string(),
  [NOTE]: z.string().nullish(),
  /** The dispute that it settles; null for none. */
  dispute: z.unknown().optional(),
});
const Sent = z.object({ data: Refund });
const List = z.object({ data: z.array(Refund) });
type Listed = z.output<typeof Refund>;

/**
 * The refunds of Paystack. It has no idempotency keys, so the note of a refund has our reference, by which it is found. The
 * server sends a refund once: one that is not found may still appear, so a person must look.
 */
export function refundsAtPaystack({ ask, tell }: GatewayCalls): GatewayRefunds {
  const see = async ({ reference, paymentId }: RefundOrder): Promise<Transfer | null> => {
    const own = ownOf(await listRefunds(ask, paymentId), reference);
    return own === null ? null : readOutcome(STATUSES, own);
  };
  const send = async (order: RefundOrder): ReturnType<Sending> => {
    const { reference, paymentId, amount, currency } = order;
    const answer = await tell('/refund', { transaction: paymentId, amount, currency, [NOTE]: reference });
    if (answer === 'not_taken') return answer;
    const { status, json } = answer;
    if (isDone(status)) return readOutcome(STATUSES, readAnswer(Sent, json).data);
    expectRefusal(status);
    return refusedTransfer(order);
  };
  return {
    find: async (order) => (await see(order)) ?? unseenRefund(order),
    prepare: async (order) => {
      const known = await see(order);
      return async () => known ?? send(order);
    },
  };
}

/**
 * The refund that carries out ours: one whose note is our reference, else the oldest whose note contains it; null for none. Others
 * with this reference were made by somebody who writes about ours.
 */
function ownOf(refunds: readonly Listed[], reference: string): Listed | null {
  const naming = refunds.filter(({ [NOTE]: note }) => note?.includes(reference)).toSorted((a, b) => a.id - b.id);
  return naming.find(({ [NOTE]: note }) => note === reference) ?? naming[0] ?? null;
}

/** All refunds of the payment with this reference at Paystack. */
async function listRefunds(ask: GatewayCalls['ask'], paymentId: string) {
  const payment = await ask('GET', `/transaction/verify/${paymentId}`);
  const { id } = readAnswer(Payment, payment.json).data;
  // NOTE: The list knows a payment by its number. It is empty if it is asked for the reference of the payment.
  const { json } = await ask('GET', `/refund?transaction=${id}&perPage=${PER_PAGE}`);
  return readAnswer(List, json).data;
}

/**
 * The refunds of the payment of a top-up at Paystack. Those that name no refund of ours were made by somebody in the dashboard, or
 * settle a dispute.
 */
export async function takenBackAtPaystack(
  ask: GatewayCalls['ask'],
  { checkout }: Pick<TopUp, 'checkout'>,
): Promise<readonly ListedChargeback[]> {
  if (checkout === null) return [];
  const refunds = await listRefunds(ask, checkout.gatewayId);
  return refunds.flatMap((refund) => {
    const { id, status, amount, currency, dispute } = refund;
    const state = TAKEN_BACK[status];
    if (state === undefined) return [];
    const cause = (dispute ?? null) === null ? 'refund' : 'dispute';
    const names = nameOf(refund, refunds);
    return [{ id: String(id), cause, state, amount: amountOf(amount), currency, names } as const];
  });
}

/** The refund of ours that this one carries out; null for none. */
function nameOf(refund: Listed, all: readonly Listed[]): TopUpRefundId | null {
  const [reference] = OURS.exec(refund[NOTE] ?? '') ?? [];
  return isId('tur', reference) && ownOf(all, reference) === refund ? reference : null;
}
