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
import { expectRefusal, isDone } from './read-outcome.ts';

/** The status of a payment that can be refunded, and those of payments that were never paid. */
const PAID = 'successful';
const UNPAID: ReadonlySet<string> = new Set(['failed', 'pending']);

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
  const see = async (order: RefundOrder, payment: string): Promise<Transfer | null> => {
    const { json } = await ask('GET', `/v3/refunds?id=${payment}`);
    const own = readAnswer(Listed, json).data.find(({ comment }) => comment?.includes(order.reference));
    return own === undefined ? null : transferOf(own, order);
  };
  const send = async (order: RefundOrder, payment: string): ReturnType<Sending> => {
    const { reference, amount, currency } = order;
    const body = { amount: Number(writeAmount(amount, currency)), comments: reference };
    const answer = await tell(`/v3/transactions/${payment}/refund`, body);
    if (answer === 'not_taken') return answer;
    const { status, json } = answer;
    if (isDone(status)) return transferOf(readAnswer(Sent, json).data, order);
    expectRefusal(status);
    return refusedTransfer(order);
  };
  return {
    find: async (order) => {
      // A refund may change the status of its payment.
      const paid = await paymentsOf(ask, order);
      if (paid.length === 0) throw new Refusal('gateway_unavailable');
      for (const payment of paid) {
        const seen = await see(order, payment.id);
        if (seen !== null) return seen;
      }
      return unseenRefund(order);
    },
    prepare: async (order) => {
      const [payment] = (await paymentsOf(ask, order, `&status=${PAID}`)).filter(({ status }) => status === PAID);
      if (payment === undefined) return async () => refusedTransfer(order);
      const known = await see(order, payment.id);
      return async () => known ?? send(order, payment.id);
    },
  };
}

/**
 * The payment that the refund names, if it was paid and is large enough, also if it was refunded since. A refund of an older
 * top-up names just the page, so it may be any such payment of the top-up; the oldest first.
 */
async function paymentsOf(
  ask: GatewayCalls['ask'],
  { topUpId, paymentId, amount, currency }: RefundOrder,
  filter = '',
): Promise<readonly { readonly id: string; readonly status: string }[]> {
  const { status: answered, json } = await ask('GET', `/v3/transactions?tx_ref=${topUpId}${filter}`);
  if (answered !== 200) throw new Refusal('gateway_unavailable');
  return readAnswer(Payments, json)
    .data.filter((one) => one.tx_ref === topUpId && one.currency === currency)
    .filter(({ id }) => paymentId === topUpId || paymentId === String(id))
    .filter((one) => !UNPAID.has(one.status) && readMajorAmount(one.amount, currency) >= amount)
    .toSorted((a, b) => Date.parse(a.created_at) - Date.parse(b.created_at))
    .map(({ id, status }) => ({ id: String(id), status }));
}

function transferOf({ status, amount_refunded: major }: z.output<typeof Refund>, order: RefundOrder): Transfer {
  const { currency } = order;
  const is = meaningOf(status);
  // One that has failed may say that nothing was refunded.
  const amount = is === 'failed' && major === 0 ? order.amount : readMajorAmount(major, currency);
  return { status: is, amount, currency, reason: is === 'failed' ? status : null };
}

/** The meaning of a status. Completed ones name the way: `completed-mpgs` is a card. Others mean that nothing is known yet. */
function meaningOf(status: string): TransferStatus {
  if (status.startsWith('completed') || status === 'successful') return 'success';
  return status.startsWith('failed') ? 'failed' : 'pending';
}
