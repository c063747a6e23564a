import { z } from 'zod';
import {
  refusedTransfer,
  unseenTransfer,
  type Transfer,
  type TransferStatus,
} from '../../../money/payouts/transfer.ts';
import type { RefundOrder } from '../../../money/top-ups/top-up-refund.ts';
import type { GatewayRefunds } from '../../../ports/money/gateways.ts';
import { readAnswer, type askingWith } from '../ask-gateway.ts';

/** The meaning of each status of a refund. A status that is not in the table means that nothing is known yet. */
const STATUSES: Readonly<Record<string, TransferStatus>> = {
  processed: 'success',
  failed: 'failed',
  // Paystack wants a bank account of the payer.
  'needs-attention': 'needs_action',
};
/** The field of a refund that has our reference. Only we see it. */
const NOTE = 'merchant_note';
/** Refunds of a payment that are looked at. One has at most 20 of ours. */
const PER_PAGE = 100;

const Payment = z.object({ data: z.object({ id: z.int() }) });
const Refund = z.object({
  status: z.string(),
  amount: z.int(),
  currency: z.string(),
  [NOTE]: z.string().nullish(),
});
const Sent = z.object({ data: Refund });
const Listed = z.object({ data: z.array(Refund) });

/**
 * The refunds of Paystack. It has no idempotency keys, so the note of a refund has our reference, by which it is found. The
 * server sends a refund once: one that is not found may still appear, so a person must look.
 */
export function refundsAtPaystack(ask: ReturnType<typeof askingWith>): GatewayRefunds {
  const see = async ({ reference, paymentId }: RefundOrder): Promise<Transfer | null> => {
    const payment = await ask('GET', `/transaction/verify/${paymentId}`);
    const { id } = readAnswer(Payment, payment.json).data;
    // NOTE: The list knows a payment by its number. It is empty if it is asked for the reference of the payment.
    const { json } = await ask('GET', `/refund?transaction=${id}&perPage=${PER_PAGE}`);
    const own = readAnswer(Listed, json).data.find(({ [NOTE]: note }) => note?.includes(reference));
    return own === undefined ? null : transferOf(own);
  };
  return {
    find: async (order) => (await see(order)) ?? unseenTransfer(order),
    send: async (order) => {
      const known = await see(order);
      if (known !== null) return known;
      const { reference, paymentId, amount, currency } = order;
      const body = { transaction: paymentId, amount, currency, [NOTE]: reference };
      const { status, json } = await ask('POST', '/refund', body);
      if (status !== 200 && status !== 201) return refusedTransfer(order);
      return transferOf(readAnswer(Sent, json).data);
    },
  };
}

function transferOf({ status, amount, currency }: z.output<typeof Refund>): Transfer {
  const is = STATUSES[status] ?? 'pending';
  return { status: is, amount, currency, reason: is === 'success' || is === 'pending' ? null : status };
}
