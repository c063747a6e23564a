import { z } from 'zod';
import { isId } from '../../domain/ids.ts';
import { Refusal } from '../../domain/refusals/refusals.ts';
import { amountOf } from '../../money/amount.ts';
import type { ListedChargeback } from '../../money/top-ups/chargeback.ts';
import type { Payment } from '../../money/top-ups/judge-payment.ts';
import type { TopUp } from '../../money/top-ups/top-up.ts';
import type { Signer } from '../../ports/access.ts';
import type { Gateway } from '../../ports/money/gateways.ts';
import { askGateway, readAnswer, readCallbackBody } from './ask-gateway.ts';
import { createSandboxRefunds, createSandboxTransfers } from './outgoing/sandbox-transfers.ts';

/** The sandbox as this server reaches it. The signer makes its credential and checks callbacks. */
type Sandbox = { readonly url: string; readonly signer: Signer; readonly realMs: number };

const Opened = z.object({ checkout_url: z.url(), reference: z.string(), expires_at: z.iso.datetime() });
const Paid = z.object({ amount: z.int().positive(), currency: z.string().regex(/^[A-Z]{3}$/) });
const Found = z.object({
  reference: z.string(),
  status: z.enum(['open', 'paid', 'declined', 'expired']),
  paid: Paid.nullable(),
  dispute: Paid.extend({ id: z.string(), status: z.enum(['under_review', 'lost', 'won']) }).nullable(),
});
/** A payment as the sandbox reports it; null if it knows none. */
type FoundPayment = z.output<typeof Found> | null;
const Listed = z.object({
  payments: z.array(
    z.object({
      reference: z.string(),
      amount: z.int().positive(),
      currency: z.string(),
      fee: z.int().min(0),
      created_at: z.iso.datetime(),
    }),
  ),
  next: z.string().nullable(),
});
const Notice = z.object({
  type: z.enum(['payment.paid', 'payment.declined', 'dispute.updated']),
  reference: z.string(),
});

const DISPUTES = { under_review: 'open', lost: 'final', won: 'returned' } as const;

/** The adapter of the sandbox gateway. It reaches the sandbox over HTTP alone, like any other gateway. */
export function createSandboxGateway({ url, signer, realMs }: Sandbox): Gateway {
  const headers = { authorization: `Bearer ${signer.sign('credential')}` };
  const find = async ({ id }: TopUp): Promise<FoundPayment> => {
    const at = `${url}/sandbox/payments/${id}`;
    const { status, json } = await askGateway({ method: 'GET', url: at, headers, realMs });
    return status === 404 ? null : readAnswer(Found, json);
  };
  return {
    name: 'sandbox',
    modes: ['test'],
    takes: () => true,
    payments: {
      list: async ({ from, to }, after) => {
        const query = new URLSearchParams({ from: `${from}`, to: `${to}`, ...(after === null ? {} : { after }) });
        const at = `${url}/sandbox/payments?${query.toString()}`;
        const { json } = await askGateway({ method: 'GET', url: at, headers, realMs });
        const { payments, next } = readAnswer(Listed, json);
        return { items: payments.map(listedOf), next };
      },
    },
    transfers: createSandboxTransfers({ url, signer, realMs }),
    refunds: createSandboxRefunds({ url, signer, realMs }),
    open: async ({ id, amount, currency, returnUrl }) => {
      const body = { reference: id, amount, currency, return_url: returnUrl };
      const { status, json } = await askGateway({
        method: 'POST',
        url: `${url}/sandbox/payments`,
        headers,
        body,
        realMs,
      });
      if (status !== 200 && status !== 201) throw new Refusal('top_up_refused');
      const { checkout_url: checkoutUrl, reference, expires_at: expiresAt } = readAnswer(Opened, json);
      return { url: checkoutUrl, gatewayId: reference, expiresAt: Date.parse(expiresAt) };
    },
    verify: async (topUp) => paymentOf(await find(topUp)),
    chargebacks: {
      // The sandbox knows payments by our references.
      referenceOf: async (paymentId) => paymentId,
      list: async (topUp) => chargebacksOf(await find(topUp)),
    },
    readCallback: (body, { 'x-sandbox-signature': signature }) => {
      const text = body.toString('utf8');
      if (typeof signature !== 'string' || !signer.verify(`callback ${text}`, signature)) return { is: 'forged' };
      const notice = readCallbackBody(Notice, body);
      if (notice === null) return { is: 'other' };
      const { type, reference } = notice;
      if (type === 'dispute.updated') return { is: 'taken_back', paymentId: reference };
      return { is: 'about', callback: { reference, isPaid: type === 'payment.paid' } };
    },
  };
}

function paymentOf(found: FoundPayment): Payment {
  if (found === null) return { is: 'unknown' };
  const { reference, status: is, paid } = found;
  if (is === 'expired') return { is: 'closed' };
  if (is !== 'paid' || paid === null) return { is: is === 'declined' ? 'declined' : 'open' };
  return { is: 'paid', reference, amount: amountOf(paid.amount), currency: paid.currency };
}

function chargebacksOf(found: FoundPayment): ListedChargeback[] {
  if (found === null || found.dispute === null) return [];
  const { id, status, amount, currency } = found.dispute;
  return [{ id, cause: 'dispute', state: DISPUTES[status], amount: amountOf(amount), currency, names: null }];
}

function listedOf({ reference, amount, currency, fee, created_at: at }: z.output<typeof Listed>['payments'][number]) {
  const topUpId = isId('top', reference) ? reference : null;
  const money = { amount: amountOf(amount), currency, fee: amountOf(fee) };
  return { gatewayId: reference, topUpId, ...money, createdAt: Date.parse(at) };
}
