import { createHmac } from 'node:crypto';
import { z } from 'zod';
import { isId } from '../../domain/ids.ts';
import { Refusal } from '../../domain/refusals/refusals.ts';
import { isoTime } from '../../domain/time.ts';
import { amountOf, type Amount } from '../../money/amount.ts';
import { readMajor, writeAmount } from '../../money/currencies.ts';
import type { ListedPayment } from '../../money/reconcile/reconciliation.ts';
import type { PaidPart, Payment } from '../../money/top-ups/judge-payment.ts';
import type { CallbackHeaders, Gateway } from '../../ports/money/gateways.ts';
import { callsWith, isSameText, readAnswer, readCallbackBody, readMajorAmount, readRows } from './ask-gateway.ts';
import { refundsAtFlutterwave } from './outgoing/flutterwave-refunds.ts';
import { transfersAtFlutterwave } from './outgoing/flutterwave-transfers.ts';
import { receiptAddress } from './receipt-address.ts';

type Options = {
  /** A secret key. Its beginning says which mode it is for. */
  readonly key: string;
  /** The text that proves callbacks. */
  readonly secretHash: string;
  /** The address of Flutterwave's API, version 3. */
  readonly url: string;
  readonly realMs: number;
  /** Where payers go if a top-up names no page. */
  readonly homeUrl: string;
};

/** The currencies in which Flutterwave takes payments. */
// oxfmt-ignore
const TAKEN: ReadonlySet<string> = new Set([
  'EGP', 'EUR', 'GBP', 'GHS', 'KES', 'MWK', 'NGN', 'RWF', 'TZS', 'UGX', 'USD', 'XAF', 'XOF', 'ZAR', 'ZMW',
]);
const MINUTE_MS = 60_000;
/** The longest session of a page. */
const MOST_MINUTES = 1440;
const DAY_MS = 86_400_000;

const Opened = z.object({ data: z.object({ link: z.url() }) });
/** The number of a transaction, which is the same in all answers. */
const Id = z.union([z.string(), z.int()]).transform(String);
const Found = z.object({
  data: z.object({
    id: Id,
    tx_ref: z.string(),
    status: z.string(),
    amount: z.number(),
    currency: z.string().regex(/^[A-Z]{3}$/),
  }),
});
const Transaction = z.object({
  id: Id,
  tx_ref: z.string(),
  status: z.string(),
  amount: z.number(),
  currency: z.string(),
  app_fee: z.number().nullish(),
  amount_settled: z.number().nullish(),
  created_at: z.iso.datetime(),
});
type Transaction = z.output<typeof Transaction>;
const OfTopUp = z.object({ data: z.array(Transaction) });
const Listed = z.object({
  meta: z.object({ page_info: z.object({ total_pages: z.int().min(0) }) }),
  data: z.array(z.unknown()),
});
const Event = z.object({ event: z.string(), data: z.object({ tx_ref: z.string(), status: z.string() }) });

/**
 * The adapter of Flutterwave. Amounts there are major units, which it converts digit by digit. Until a payer tries to pay,
 * Flutterwave does not know the reference, and a payer may try again after a failure. So it never says that a page is closed.
 */
export function createFlutterwaveGateway({ key, secretHash, url, realMs, homeUrl }: Options): Gateway {
  const calls = callsWith({ key, url, realMs });
  const { ask } = calls;
  return {
    name: 'flutterwave',
    modes: [key.startsWith('FLWSECK_TEST-') ? 'test' : 'live'],
    takes: (currency) => TAKEN.has(currency),
    open: async ({ id, amount, currency, returnUrl, createdAt, expiresAt }, payer) => {
      const minutes = Math.ceil((expiresAt - createdAt) / MINUTE_MS);
      const { status, json } = await ask('POST', '/v3/payments', {
        tx_ref: id,
        amount: writeAmount(amount, currency),
        currency,
        redirect_url: returnUrl ?? homeUrl,
        customer: { email: receiptAddress(payer, homeUrl) },
        customizations: { title: 'Wallet top-up' },
        session_duration: Math.min(minutes, MOST_MINUTES),
      });
      if (status !== 200) throw new Refusal('top_up_refused');
      return { url: readAnswer(Opened, json).data.link, gatewayId: id, expiresAt };
    },
    verify: async ({ id, checkout }): Promise<Payment> => {
      if (checkout === null) return { is: 'unknown' };
      const { status, json } = await ask('GET', `/v3/transactions/verify_by_reference?tx_ref=${id}`);
      if (status !== 200) return { is: 'unknown' };
      const { id: paymentId, tx_ref: reference, status: said, amount, currency } = readAnswer(Found, json).data;
      if (said !== 'successful') return { is: 'open' };
      return { is: 'paid', reference, paymentId, amount: readMajorAmount(amount, currency), currency };
    },
    payments: {
      list: async ({ from, to }, after) => {
        const page = Number(after ?? 1);
        // Flutterwave filters by whole dates, and does not say whether the last one is a part of the list.
        const dates = { from: isoTime(from).slice(0, 10), to: isoTime(to + DAY_MS).slice(0, 10) };
        const query = new URLSearchParams({ ...dates, status: 'successful', page: `${page}` });
        const { json } = await ask('GET', `/v3/transactions?${query.toString()}`);
        const { meta, data } = readAnswer(Listed, json);
        const { read, unread } = readRows(Transaction, data, 'id');
        const paid = read.filter(isPaid).map(listedOf);
        const items = paid.filter(({ createdAt }) => createdAt >= from && createdAt < to);
        return { items, unread, next: page < meta.page_info.total_pages ? `${page + 1}` : null };
      },
    },
    transfers: transfersAtFlutterwave(calls),
    refunds: refundsAtFlutterwave(calls),
    paymentsOf: async ({ id }) => {
      const query = new URLSearchParams({ tx_ref: id, status: 'successful' });
      const { json } = await ask('GET', `/v3/transactions?${query.toString()}`);
      const found = readAnswer(OfTopUp, json).data.filter((one) => isPaid(one) && one.tx_ref === id);
      return found.toSorted((a, b) => Date.parse(a.created_at) - Date.parse(b.created_at)).map(partOf);
    },
    readCallback: (body, sent) => {
      if (!isProven(body, sent, secretHash)) return { is: 'forged' };
      const event = readCallbackBody(Event, body);
      if (event === null || event.event !== 'charge.completed') return { is: 'other' };
      const { tx_ref: reference, status } = event.data;
      return { is: 'about', callback: { reference, isPaid: status === 'successful' } };
    },
  };
}

function isPaid({ status }: Transaction): boolean {
  return status === 'successful';
}

/** A successful transaction as one of the payments of its top-up. */
function partOf({ id, amount, currency }: Transaction): PaidPart {
  return { id, amount: readMajorAmount(amount, currency), currency };
}

/**
 * A successful transaction as a payment. The list has those of the whole account, so an amount that cannot be booked must not
 * refuse the others.
 */
function listedOf({
  id,
  tx_ref: reference,
  amount: major,
  currency,
  app_fee: appFee,
  amount_settled: settled,
  created_at: at,
}: Transaction): ListedPayment {
  const topUpId = isId('top', reference) ? reference : null;
  const amount = readMajor(String(major), currency);
  const fee = amount === null ? null : feeOf(amount, currency, { appFee, settled });
  return { gatewayId: id, topUpId, amount, currency, fee, createdAt: Date.parse(at) };
}

/**
 * The part of a payment that Flutterwave keeps: the amount without what it settles, because its own fee contains no stamp
 * duty. Before it says what it settles, it is that fee. Null if it says neither, or a part of a minor unit.
 */
function feeOf(
  amount: Amount,
  currency: string,
  { appFee, settled }: { readonly appFee?: number | null | undefined; readonly settled?: number | null | undefined },
): Amount | null {
  const minor = readMajor(String(settled ?? appFee), currency);
  if (minor === null || minor > amount) return null;
  return (settled ?? null) === null ? minor : amountOf(amount - minor);
}

/** Newer accounts sign the body. Older ones send the text itself, which a proof of the body replaces. */
function isProven(body: Buffer, sent: CallbackHeaders, secretHash: string): boolean {
  const [signature, echo] = [sent['flutterwave-signature'], sent['verif-hash']];
  if (signature === undefined) return typeof echo === 'string' && isSameText(echo, secretHash);
  const right = createHmac('sha256', secretHash).update(body).digest('base64');
  return typeof signature === 'string' && isSameText(signature, right);
}
