import { z } from 'zod';
import { Refusal } from '../../../domain/refusals/refusals.ts';
import { writeAmount } from '../../../money/currencies.ts';
import {
  refusedTransfer,
  unseenRefund,
  type Sending,
  type Transfer,
  type TransferStatus,
} from '../../../money/payouts/transfer.ts';
import type { RefundOrder } from '../../../money/top-ups/top-up-refund.ts';
import type { GatewayRefunds } from '../../../ports/money/gateways.ts';
import { readAnswer, readMajorAmount, type GatewayCalls } from '../ask-gateway.ts';
import { expectRefusal } from './refused-transfer.ts';

const Payments = z.object({
  data: z.array(
    z.object({
      id: z.union([z.string(), z.int()]),
      tx_ref: z.string(),
      status: z.string(),
      amount: z.number(),
      currency: z.string(),
      created_at: z.iso.datetime(),
    }),
  ),
});
const Refund = z.object({ status: z.string(), amount_refunded: z.number(), comment: z.string().nullish() });
const Sent = z.object({ data: Refund });
const Listed = z.object({ data: z.array(Refund) });

/**
 * The refunds of Flutterwave. It has no idempotency keys, so the comment of a refund has our reference, by which it is
 * found. The server sends a refund once: one that is not found may still appear, so a person must look.
 */
export function refundsAtFlutterwave({ ask, tell }: GatewayCalls): GatewayRefunds {
  const see = async ({ reference, currency }: RefundOrder, payment: string): Promise<Transfer | null> => {
    const { json } = await ask('GET', `/v3/refunds?id=${payment}`);
    const own = readAnswer(Listed, json).data.find(({ comment }) => comment?.includes(reference));
    return own === undefined ? null : transferOf(own, currency);
  };
  const send = async (order: RefundOrder, payment: string): ReturnType<Sending> => {
    const { reference, amount, currency } = order;
    const body = { amount: Number(writeAmount(amount, currency)), comments: reference };
    const answer = await tell(`/v3/transactions/${payment}/refund`, body);
    if (answer === 'not_taken') return answer;
    const { status, json } = answer;
    if (status === 200) return transferOf(readAnswer(Sent, json).data, currency);
    expectRefusal(status);
    return refusedTransfer(order);
  };
  return {
    find: async (order) => {
      const payment = await paymentOf(ask, order);
      if (payment === null) throw new Refusal('gateway_unavailable');
      return (await see(order, payment)) ?? unseenRefund(order);
    },
    prepare: async (order) => {
      const payment = await paymentOf(ask, order);
      if (payment === null) return async () => refusedTransfer(order);
      const known = await see(order, payment);
      return async () => known ?? send(order, payment);
    },
  };
}

/** Flutterwave's number of the payment to refund: the first successful one of the top-up that is large enough; null for none. */
async function paymentOf(
  ask: GatewayCalls['ask'],
  { paymentId, amount, currency }: RefundOrder,
): Promise<string | null> {
  const { status, json } = await ask('GET', `/v3/transactions?tx_ref=${paymentId}&status=successful`);
  if (status !== 200) throw new Refusal('gateway_unavailable');
  const [first] = readAnswer(Payments, json)
    .data.filter((one) => one.tx_ref === paymentId && one.status === 'successful' && one.currency === currency)
    .filter((one) => readMajorAmount(one.amount, currency) >= amount)
    .toSorted((a, b) => Date.parse(a.created_at) - Date.parse(b.created_at));
  return first === undefined ? null : String(first.id);
}

function transferOf({ status, amount_refunded: major }: z.output<typeof Refund>, currency: string): Transfer {
  const is = meaningOf(status);
  return { status: is, amount: readMajorAmount(major, currency), currency, reason: is === 'failed' ? status : null };
}

/** The meaning of a status. Completed ones name the way: `completed-mpgs` is a card. Others mean that nothing is known yet. */
function meaningOf(status: string): TransferStatus {
  if (status.startsWith('completed') || status === 'successful') return 'success';
  return status.startsWith('failed') ? 'failed' : 'pending';
}
