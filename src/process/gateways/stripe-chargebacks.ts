import type { Stripe } from 'stripe';
import { isId } from '../../domain/ids.ts';
import { Refusal } from '../../domain/refusals/refusals.ts';
import { amountOf } from '../../money/amount.ts';
import type { Chargeback, ChargebackState, ListedChargeback } from '../../money/top-ups/chargeback.ts';
import type { GatewayChargebacks } from '../../ports/money/gateways.ts';
import { referenceOf } from './outgoing/stripe-refunds.ts';

/** The statuses of disputes that have taken money. An inquiry has not taken any yet. */
const DISPUTES: Readonly<Record<string, ChargebackState>> = {
  needs_response: 'open',
  under_review: 'open',
  appeal_needs_response: 'open',
  appeal_under_review: 'open',
  lost: 'final',
  won: 'returned',
};

/** The statuses of refunds. */
const REFUNDS: Readonly<Record<string, ChargebackState>> = {
  pending: 'open',
  requires_action: 'open',
  succeeded: 'final',
  failed: 'returned',
  canceled: 'returned',
};

/** The most of a payment that one list returns. A payment has hardly more than two. */
const MOST = 100;

/** Disputes and refunds at Stripe. */
export function chargebacksAt(stripe: Stripe): GatewayChargebacks {
  return {
    referenceOf: (paymentId) =>
      asking(async () => {
        const { data } = await stripe.checkout.sessions.list({ payment_intent: paymentId, limit: 1 });
        return data[0]?.client_reference_id ?? null;
      }),
    list: ({ checkout }) =>
      asking(async () => {
        if (checkout === null) return [];
        const { payment_intent: intent } = await stripe.checkout.sessions.retrieve(checkout.gatewayId);
        if (typeof intent !== 'string') return [];
        const of = { payment_intent: intent, limit: MOST };
        const [disputes, refunds] = [await stripe.disputes.list(of), await stripe.refunds.list(of)];
        return [
          ...disputes.data.flatMap((one) => found(one, 'dispute', DISPUTES, null)),
          ...refunds.data.flatMap((one) => found(one, 'refund', REFUNDS, nameOf(one, refunds.data))),
        ];
      }),
  };
}

/** A dispute or a refund that has taken money; nothing for any other. */
function found(
  { id, amount, currency, status }: Pick<Stripe.Refund, 'id' | 'amount' | 'currency' | 'status'>,
  cause: Chargeback['cause'],
  states: Readonly<Record<string, ChargebackState>>,
  names: ListedChargeback['names'],
): ListedChargeback[] {
  const state = states[status ?? ''];
  if (state === undefined) return [];
  return [{ id, cause, state, amount: amountOf(amount), currency: currency.toUpperCase(), names }];
}

/** The refund of ours that this one carries out: the oldest that names it, and the newest comes first. Null for none. */
function nameOf(refund: Stripe.Refund, all: readonly Stripe.Refund[]): ListedChargeback['names'] {
  const reference = referenceOf(refund);
  const own = all.findLast((one) => referenceOf(one) === reference);
  return isId('tur', reference) && own === refund ? reference : null;
}

/** Any failure says nothing about the money. */
async function asking<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch {
    throw new Refusal('gateway_unavailable');
  }
}
