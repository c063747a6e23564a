import { z } from 'zod';
import type { BankDetails } from '../../../domain/couriers/bank-account.ts';
import { isId } from '../../../domain/ids.ts';
import { Refusal } from '../../../domain/refusals/refusals.ts';
import { isoTime } from '../../../domain/time.ts';
import { amountOf } from '../../../money/amount.ts';
import {
  refusedTransfer,
  type Sending,
  type TransferOrder,
  type TransferStatus,
} from '../../../money/payouts/transfer.ts';
import type { ListedTransfer } from '../../../money/reconcile/judge-transfers.ts';
import type { GatewayTransfers } from '../../../ports/money/gateways.ts';
import { readAnswer, readRows, type GatewayCalls } from '../ask-gateway.ts';
import { afterRefusal, isDone, readOutcome } from './read-outcome.ts';

/** The countries to whose banks Paystack pays, each with its type of recipient and its currency, which has hundredths. */
const RECIPIENTS: Readonly<Record<string, { readonly type: string; readonly currency: string }>> = {
  GH: { type: 'ghipss', currency: 'GHS' },
  KE: { type: 'kepss', currency: 'KES' },
  NG: { type: 'nuban', currency: 'NGN' },
  ZA: { type: 'basa', currency: 'ZAR' },
};
const PAID: ReadonlySet<string> = new Set(Object.values(RECIPIENTS).map(({ currency }) => currency));

/** The meaning of each status of a transfer. A status that is not in the table means that nothing is known yet. */
const STATUSES: Readonly<Record<string, TransferStatus>> = {
  success: 'success',
  failed: 'failed',
  reversed: 'reversed',
  otp: 'needs_action',
  // Nobody entered the one-time password, or a server of ours did not approve the transfer.
  abandoned: 'failed',
  blocked: 'failed',
  rejected: 'failed',
};
/** Transfers of a page of the list. Each takes up to 2 KB. */
const PER_PAGE = 50;

const Recipient = z.object({ data: z.object({ recipient_code: z.string() }) });
const Made = z.object({ status: z.string(), amount: z.int(), currency: z.string() });
const Sent = z.object({ data: Made });
const Absent = z.object({ status: z.literal(false), message: z.string().regex(/transfer/i) });
const Found = z.object({ data: Made.extend({ reference: z.string() }) });
const Listed = z.object({ data: z.array(z.unknown()) });
const ListedRow = z.object({
  transfer_code: z.string(),
  reference: z.string(),
  status: z.string(),
  amount: z.int().min(1),
  currency: z.string(),
  createdAt: z.iso.datetime(),
});

/** The transfers of Paystack, out of our balance there. The id of a payout is the reference, which names one for ever. */
export function transfersAtPaystack({ ask, tell }: GatewayCalls): GatewayTransfers {
  const find: GatewayTransfers['find'] = async (id) => {
    const { status, json } = await ask('GET', `/transfer/verify/${id}`);
    if (status === 404) {
      // A proxy may answer 404 too. Only Paystack itself says that there is no such transfer.
      readAnswer(Absent, json);
      return 'absent';
    }
    const { reference, ...made } = readAnswer(Found, json).data;
    if (reference !== id) throw new Refusal('gateway_unavailable');
    return readOutcome(STATUSES, made);
  };
  const send = async (order: TransferOrder, money: object): ReturnType<Sending> => {
    const sent = await tell('/transfer', { ...money, reference: order.reference, reason: 'Earnings' });
    if (sent === 'not_taken') return sent;
    return isDone(sent.status)
      ? readOutcome(STATUSES, readAnswer(Sent, sent.json).data)
      : afterRefusal(order, sent, find);
  };
  return {
    pays: (currency) => PAID.has(currency),
    find,
    prepare: async (order) => {
      const { amount, currency, to } = order;
      const type = typeFor(to, currency);
      if (type === null) return async () => refusedTransfer(order);
      const account = { account_number: to.number, bank_code: to.bankCode, currency };
      // The same account again is the same recipient.
      const named = await ask('POST', '/transferrecipient', { type, name: to.holderName, ...account });
      if (!isDone(named.status)) {
        const refused = await afterRefusal(order, named, find);
        return async () => refused;
      }
      const { recipient_code: recipient } = readAnswer(Recipient, named.json).data;
      return () => send(order, { source: 'balance', amount, currency, recipient });
    },
    list: async ({ from, to }, after) => {
      const page = Number(after ?? 1);
      const span = { from: isoTime(from), to: isoTime(to), status: 'success' };
      const query = new URLSearchParams({ ...span, perPage: `${PER_PAGE}`, page: `${page}` });
      const { json } = await ask('GET', `/transfer?${query.toString()}`);
      const { data } = readAnswer(Listed, json);
      const { read, unread } = readRows(ListedRow, data, 'transfer_code');
      const items = read.flatMap(listedOf).filter(({ createdAt }) => createdAt >= from && createdAt < to);
      return { items, unread, next: data.length < PER_PAGE ? null : `${page + 1}` };
    },
  };
}

/** The type of the recipient with this account; null if Paystack does not pay to it in this currency. */
function typeFor({ country, form }: BankDetails, currency: string): string | null {
  const recipient = form === 'local' ? RECIPIENTS[country] : undefined;
  return recipient?.currency === currency ? recipient.type : null;
}

/** A successful transfer; nothing for any other one. */
function listedOf(found: z.output<typeof ListedRow>): ListedTransfer[] {
  const { transfer_code: gatewayId, reference, status, amount, currency, createdAt } = found;
  if (status !== 'success') return [];
  const payoutId = isId('pay', reference) ? reference : null;
  return [{ gatewayId, payoutId, amount: amountOf(amount), currency, createdAt: Date.parse(createdAt) }];
}
