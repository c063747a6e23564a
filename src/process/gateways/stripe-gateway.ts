import type { Stripe } from 'stripe';
import { isId } from '../../domain/ids.ts';
import { chargebacksAt } from './stripe-chargebacks.ts';
import { Refusal } from '../../domain/refusals/refusals.ts';
import { amountOf } from '../../money/amount.ts';
import type { ListedPayment } from '../../money/reconcile/reconciliation.ts';
import type { Payment } from '../../money/top-ups/judge-payment.ts';
import type { TopUp } from '../../money/top-ups/top-up.ts';
import type { Gateway, GatewayPayments } from '../../ports/money/gateways.ts';
import type { Clock } from '../../ports/process.ts';
import { refundsAt } from './outgoing/stripe-refunds.ts';

type Options = {
  /** A secret key. Its beginning says which mode it is for. */
  readonly key: string;
  readonly webhookSecret: string;
  /** The address of Stripe's API. */
  readonly url: string;
  readonly realMs: number;
  /** Where payers go if a top-up names no page. */
  readonly homeUrl: string;
  /** The age of a callback is judged by its wall time, since the clock of one server may be wrong. */
  readonly clock: { readonly real: Pick<Clock['real'], 'wall'> };
};

/** Currencies of which Stripe counts other units than ISO 4217, so an amount would be a hundred times too large or small. */
const OTHER_UNITS: ReadonlySet<string> = new Set(['ISK', 'MGA', 'UGX']);
/** The states of an intent whose payment will not arrive. */
const LOST: ReadonlySet<string> = new Set(['requires_payment_method', 'canceled']);
/** How old the signature of a callback may be, seconds. */
const MOST_AGE_S = 300;
/** The start of the type of every event about a checkout session. */
const ABOUT_SESSIONS = 'checkout.session.';
/** The types of events about disputes and refunds. */
const TAKEN_BACK = /^(charge\.dispute\.|charge\.refund|refund\.)/;

/** The way from a listed session to the fee of its payment. */
const WITH_FEE = ['data.payment_intent.latest_charge.balance_transaction'];

/** The adapter of Stripe, on its official client. The client is loaded only if a key is configured. */
export async function createStripeGateway(options: Options): Promise<Gateway> {
  const { key, webhookSecret, url, realMs, homeUrl, clock } = options;
  const { Stripe: Client } = await import('stripe');
  const { protocol, hostname, port } = new URL(url);
  const address = {
    protocol: protocol === 'http:' ? ('http' as const) : ('https' as const),
    host: hostname,
    port: port === '' ? (protocol === 'http:' ? 80 : 443) : Number(port),
  };
  // Our own worker repeats, with pauses that it knows.
  const stripe = new Client(key, { ...address, timeout: realMs, maxNetworkRetries: 0, telemetry: false });
  /** An answer that refuses the request itself, such as a wrong amount; null if Stripe cannot answer now. */
  const refusalIn = (error: unknown): { readonly status: number } | null =>
    error instanceof Client.errors.StripeInvalidRequestError ? { status: error.statusCode ?? 400 } : null;
  return {
    name: 'stripe',
    modes: [key.includes('_live_') ? 'live' : 'test'],
    takes: (currency) => !OTHER_UNITS.has(currency),
    open: async (topUp) => {
      try {
        // The key must never come with other parameters, so nothing here depends on the time.
        const session = await stripe.checkout.sessions.create(sessionOf(topUp, homeUrl), { idempotencyKey: topUp.id });
        if (session.url === null) throw new Refusal('gateway_unavailable');
        return { url: session.url, gatewayId: session.id, expiresAt: session.expires_at * 1000 };
      } catch (error) {
        throw new Refusal(refusalIn(error) === null ? 'gateway_unavailable' : 'top_up_refused');
      }
    },
    verify: async ({ checkout }) => {
      if (checkout === null) return { is: 'unknown' };
      try {
        const expand = ['payment_intent'];
        return paymentOf(await stripe.checkout.sessions.retrieve(checkout.gatewayId, { expand }));
      } catch (error) {
        if (refusalIn(error)?.status === 404) return { is: 'unknown' };
        throw new Refusal('gateway_unavailable');
      }
    },
    payments: paymentsAt(stripe),
    chargebacks: chargebacksAt(stripe),
    refunds: refundsAt(stripe, (error) => refusalIn(error) !== null),
    readCallback: (body, { 'stripe-signature': signature }) => {
      const now = clock.real.wall();
      const event = readEvent(() =>
        stripe.webhooks.constructEvent(body, String(signature), webhookSecret, MOST_AGE_S, undefined, now),
      );
      if (event === null) return { is: 'forged' };
      const { object } = event.data;
      if (TAKEN_BACK.test(event.type) && 'payment_intent' in object && typeof object.payment_intent === 'string')
        return { is: 'taken_back', paymentId: object.payment_intent };
      if (!event.type.startsWith(ABOUT_SESSIONS)) return { is: 'other' };
      const session = object as Stripe.Checkout.Session;
      const { client_reference_id: reference, payment_status: status } = session;
      if (reference === null) return { is: 'other' };
      return { is: 'about', callback: { reference, isPaid: status === 'paid' } };
    },
  };
}

/** Reads a callback; null if its signature is wrong or too old. */
function readEvent(read: () => Stripe.Event): Stripe.Event | null {
  try {
    return read();
  } catch {
    // The client throws for every callback that it cannot prove, also if the body is not JSON.
    return null;
  }
}

function sessionOf({ id, amount, currency, returnUrl }: TopUp, homeUrl: string): Stripe.Checkout.SessionCreateParams {
  const price = { currency: currency.toLowerCase(), unit_amount: amount, product_data: { name: 'Wallet top-up' } };
  const page = returnUrl ?? homeUrl;
  return {
    mode: 'payment',
    client_reference_id: id,
    line_items: [{ quantity: 1, price_data: price }],
    success_url: page,
    cancel_url: page,
  };
}

function paymentOf(session: Stripe.Checkout.Session): Payment {
  const { payment_status: paid, status, amount_total: total, currency, client_reference_id: reference } = session;
  if (paid === 'paid' && total !== null && currency !== null) {
    return { is: 'paid', reference: reference ?? '', amount: amountOf(total), currency: currency.toUpperCase() };
  }
  // A session that has expired stays unpaid.
  if (status !== 'complete') return { is: status === 'expired' ? 'closed' : 'open' };
  const intent = session.payment_intent;
  const isLost = typeof intent === 'object' && intent !== null && LOST.has(intent.status);
  return { is: isLost ? 'declined' : 'processing' };
}

/** Lists sessions by the time at which they were made. Any failure says nothing about them. */
function paymentsAt(stripe: Stripe): GatewayPayments {
  return {
    list: async ({ from, to }, after) => {
      const created = { gte: Math.floor(from / 1000), lt: Math.ceil(to / 1000) };
      const start = after === null ? {} : { starting_after: after };
      try {
        const page = await stripe.checkout.sessions.list({ created, limit: 100, expand: WITH_FEE, ...start });
        const next = page.has_more ? (page.data.at(-1)?.id ?? null) : null;
        return { items: page.data.flatMap(listedOf), next };
      } catch {
        throw new Refusal('gateway_unavailable');
      }
    },
  };
}

/** A paid session as a payment; nothing for any other session. */
function listedOf(session: Stripe.Checkout.Session): ListedPayment[] {
  const { id: gatewayId, created, amount_total: total, currency } = session;
  if (session.payment_status !== 'paid' || total === null || currency === null) return [];
  const { client_reference_id: reference } = session;
  const topUpId = isId('top', reference) ? reference : null;
  const paid = { amount: amountOf(total), currency: currency.toUpperCase() };
  return [{ gatewayId, topUpId, ...paid, fee: feeOf(session), createdAt: created * 1000 }];
}

/** The fee of a paid session; null before Stripe knows it, or if the account is settled in another currency. */
function feeOf({ payment_intent: intent, currency }: Stripe.Checkout.Session): ListedPayment['fee'] {
  const charge = typeof intent === 'string' ? null : intent?.latest_charge;
  const balance = typeof charge === 'string' ? null : charge?.balance_transaction;
  if (typeof balance === 'string' || balance === null || balance === undefined) return null;
  return balance.currency === currency ? amountOf(balance.fee) : null;
}
