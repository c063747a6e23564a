import { createHmac } from 'node:crypto';
import { z } from 'zod';
import { isId, type TopUpId } from '../../domain/ids.ts';
import { Refusal } from '../../domain/refusals/refusals.ts';
import { isoTime } from '../../domain/time.ts';
import { amountOf } from '../../money/amount.ts';
import type { ListedPayment } from '../../money/reconcile/reconciliation.ts';
import type { CallbackVerdict, Gateway } from '../../ports/money/gateways.ts';
import { callsWith, isSameText, readAnswer, readCallbackBody, readRows } from './ask-gateway.ts';
import { refundsAtPaystack, takenBackAtPaystack } from './outgoing/paystack-refunds.ts';
import { transfersAtPaystack } from './outgoing/paystack-transfers.ts';
import { receiptAddress } from './receipt-address.ts';

type Options = {
  /** A secret key. Its beginning says which mode it is for, and Paystack signs callbacks with it. */
  readonly key: string;
  /** The address of Paystack's API. */
  readonly url: string;
  readonly realMs: number;
  /** Where payers go if a top-up names no page. */
  readonly homeUrl: string;
};

/** Currencies of Paystack whose units are those of ISO 4217. It counts hundredths of XOF, which has none. */
const TAKEN: ReadonlySet<string> = new Set(['GHS', 'KES', 'NGN', 'USD', 'ZAR']);
/** References of one top-up that may be tried. A further one is needed if the answer to the one before got lost. */
const MOST_REFERENCES = 5;
/** The statuses of a transaction that was refunded begin with this, such as `reversed`. */
const REFUNDED = 'revers';
/** Transactions of a page of the list. Each takes up to 4 KB. */
const PER_PAGE = 50;

/**
 * The meaning of each status of a transaction that was not paid. A payer may try again after a failed or abandoned payment, and a pending one waits for
 * them. A status that is not in the table means that nothing is known yet.
 */
const STATUSES: Readonly<Record<string, 'processing'>> = {
  processing: 'processing',
  queued: 'processing',
};

const Opened = z.object({ data: z.object({ authorization_url: z.url() }) });
const Found = z.object({
  data: z.object({
    reference: z.string(),
    status: z.string(),
    amount: z.int().min(1),
    currency: z.string().regex(/^[A-Z]{3}$/),
  }),
});
const Listed = z.object({ data: z.array(z.unknown()) });
const Transaction = z.object({
  reference: z.string(),
  status: z.string(),
  amount: z.int().min(0),
  currency: z.string(),
  fees: z.int().min(0).nullish(),
  created_at: z.iso.datetime(),
});
const Failed = z.object({ message: z.string() });
const Event = z.object({ event: z.string(), data: z.object({ reference: z.string() }) });
/** An event about a refund, and one about a dispute. */
const Back = z.union([
  z.object({ event: z.string().startsWith('refund.'), data: z.object({ transaction_reference: z.string() }) }),
  z.object({
    event: z.string().startsWith('charge.dispute.'),
    data: z.object({ transaction: z.object({ reference: z.string() }) }),
  }),
]);

/**
 * The adapter of Paystack. Its pages stay open for ever, so it never says that one is closed. Amounts are minor units.
 * A reference there has no underscore, and names one transaction for ever.
 */
export function createPaystackGateway({ key, url, realMs, homeUrl }: Options): Gateway {
  const calls = callsWith({ key, url, realMs });
  const { ask } = calls;
  return {
    name: 'paystack',
    modes: [key.startsWith('sk_live_') ? 'live' : 'test'],
    takes: (currency) => TAKEN.has(currency),
    open: async ({ id, amount, currency, returnUrl, expiresAt }, payer) => {
      const email = receiptAddress(payer, homeUrl);
      const body = { email, amount, currency, callback_url: returnUrl ?? homeUrl, metadata: { top_up_id: id } };
      for (let number = 1; number <= MOST_REFERENCES; number += 1) {
        const reference = referenceOf(id, number);
        const { status, json } = await ask('POST', '/transaction/initialize', { ...body, reference });
        if (status === 200 || status === 201)
          return { url: readAnswer(Opened, json).data.authorization_url, gatewayId: reference, expiresAt };
        // The answer to an earlier try got lost, and with it the address of a page that nobody has seen.
        if (!/duplicate transaction reference/i.test(readAnswer(Failed, json).message)) break;
      }
      throw new Refusal('top_up_refused');
    },
    verify: async ({ id, checkout }) => {
      if (checkout === null) return { is: 'unknown' };
      const { status, json } = await ask('GET', `/transaction/verify/${checkout.gatewayId}`);
      if (status !== 200) return { is: 'unknown' };
      const { reference, status: said, amount, currency } = readAnswer(Found, json).data;
      if (!wasPaid(said)) return { is: STATUSES[said] ?? 'open' };
      const named = reference === checkout.gatewayId ? id : reference;
      return { is: 'paid', reference: named, amount: amountOf(amount), currency };
    },
    payments: {
      list: async ({ from, to }, after) => {
        const page = Number(after ?? 1);
        // A filter for successful ones would leave out those that were refunded meanwhile.
        const query = new URLSearchParams({
          from: isoTime(from),
          to: isoTime(to),
          perPage: `${PER_PAGE}`,
          page: `${page}`,
        });
        const { json } = await ask('GET', `/transaction?${query.toString()}`);
        const { data } = readAnswer(Listed, json);
        const { read, unread } = readRows(Transaction, data, 'reference');
        return { items: read.flatMap(listedOf), unread, next: data.length < PER_PAGE ? null : `${page + 1}` };
      },
    },
    transfers: transfersAtPaystack(calls),
    refunds: refundsAtPaystack(calls),
    chargebacks: {
      referenceOf: async (paymentId) => topUpOf(paymentId),
      list: (topUp) => takenBackAtPaystack(ask, topUp),
    },
    readCallback: (body, { 'x-paystack-signature': signature }) => {
      const right = createHmac('sha512', key).update(body).digest('hex');
      if (typeof signature !== 'string' || !isSameText(signature, right)) return { is: 'forged' };
      return verdictOf(body);
    },
  };
}

/** Reads a callback that Paystack has signed. */
function verdictOf(body: Buffer): CallbackVerdict {
  const back = readCallbackBody(Back, body)?.data;
  if (back !== undefined) {
    const paymentId = 'transaction' in back ? back.transaction.reference : back.transaction_reference;
    return { is: 'taken_back', paymentId };
  }
  const event = readCallbackBody(Event, body);
  const reference = event === null ? null : topUpOf(event.data.reference);
  if (event === null || reference === null || !event.event.startsWith('charge.')) return { is: 'other' };
  return { is: 'about', callback: { reference, isPaid: event.event === 'charge.success' } };
}

/** A transaction that was paid as a payment; nothing for any other one. */
function listedOf({
  reference,
  status,
  amount,
  currency,
  fees,
  created_at: at,
}: z.output<typeof Transaction>): ListedPayment[] {
  if (!wasPaid(status)) return [];
  const id = topUpOf(reference);
  const topUpId = isId('top', id) ? id : null;
  const fee = fees === undefined || fees === null ? null : amountOf(fees);
  return [{ gatewayId: reference, topUpId, amount: amountOf(amount), currency, fee, createdAt: Date.parse(at) }];
}

/** Says whether the payer has paid, also if the money was refunded since. The refund is booked as one. */
function wasPaid(status: string): boolean {
  return status === 'success' || status.startsWith(REFUNDED);
}

/** The reference of a try: `top-` and the rest of the id, and from the second try on a point and its number. */
function referenceOf(id: TopUpId, number: number): string {
  return `${id.replace('_', '-')}${number === 1 ? '' : `.${number}`}`;
}

/** The top-up of a reference; null if it is not one of ours. */
function topUpOf(reference: string): string | null {
  const [, rest] = /^top-([0-9a-z]{26})(?:\.\d)?$/.exec(reference) ?? [];
  return rest === undefined ? null : `top_${rest}`;
}
