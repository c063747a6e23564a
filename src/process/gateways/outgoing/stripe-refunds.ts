import type { Stripe } from 'stripe';
import { Refusal } from '../../../domain/refusals/refusals.ts';
import { refusedTransfer, type Transfer, type TransferStatus } from '../../../money/payouts/transfer.ts';
import type { GatewayRefunds } from '../../../ports/money/gateways.ts';

/** The meaning of each status of a refund at Stripe. A status that is not in the table means that nothing is known yet. */
const STATUSES: Readonly<Record<string, TransferStatus>> = {
  pending: 'pending',
  requires_action: 'needs_action',
  succeeded: 'success',
  failed: 'failed',
  canceled: 'failed',
};
const PAGE = 100;

/**
 * The refunds of Stripe. Our reference is the idempotency key. It also stands in the metadata, by which a refund is found
 * again, because Stripe forgets keys after some days.
 * @param isRefusal says whether an error refuses the request itself. Any other error says nothing about the refund
 */
export function refundsAt(stripe: Stripe, isRefusal: (error: unknown) => boolean): GatewayRefunds {
  return {
    prepare: async (refund) => {
      const { reference, paymentId, amount } = refund;
      const orRefused = async <T>(asked: Promise<T>): Promise<T | 'refused'> => {
        try {
          return await asked;
        } catch (error) {
          if (isRefusal(error)) return 'refused';
          throw new Refusal('gateway_unavailable');
        }
      };
      const intent = await orRefused(intentOf(stripe, paymentId));
      if (intent === 'refused') return async () => refusedTransfer(refund);
      const order = { payment_intent: intent, amount, metadata: { refund_id: reference } };
      return async () => {
        const made = await orRefused(stripe.refunds.create(order, { idempotencyKey: reference }));
        return made === 'refused' ? refusedTransfer(refund) : transferOf(made);
      };
    },
    find: async ({ reference, paymentId }) => {
      try {
        const intent = await intentOf(stripe, paymentId);
        let own: Stripe.Refund | null = null;
        // The newest comes first, and ours is the oldest one with this reference.
        for await (const refund of stripe.refunds.list({ payment_intent: intent, limit: PAGE }))
          if (referenceOf(refund) === reference) own = refund;
        return own === null ? 'absent' : transferOf(own);
      } catch {
        throw new Refusal('gateway_unavailable');
      }
    },
  };
}

/** The refund of ours that a refund names in its metadata. */
export function referenceOf({ metadata }: Pick<Stripe.Refund, 'metadata'>): string | undefined {
  return metadata?.['refund_id'];
}

/** The payment of a checkout session, which a session that was paid has. */
async function intentOf(stripe: Stripe, sessionId: string): Promise<string> {
  const { payment_intent: intent } = await stripe.checkout.sessions.retrieve(sessionId);
  if (typeof intent !== 'string') throw new Refusal('gateway_unavailable');
  return intent;
}

function transferOf({ status, amount, currency, failure_reason: reason }: Stripe.Refund): Transfer {
  const is = STATUSES[status ?? ''] ?? 'pending';
  return { status: is, amount, currency: currency.toUpperCase(), reason: reason ?? null };
}
