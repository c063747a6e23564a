import { z } from 'zod';
import { isId } from '../../../domain/ids.ts';
import { Refusal } from '../../../domain/refusals/refusals.ts';
import { isoTime } from '../../../domain/time.ts';
import { readMajor, writeAmount } from '../../../money/currencies.ts';
import {
  refusedTransfer,
  type Sending,
  type Transfer,
  type TransferOrder,
  type TransferStatus,
} from '../../../money/payouts/transfer.ts';
import type { ListedTransfer } from '../../../money/reconcile/judge-transfers.ts';
import type { GatewayTransfers } from '../../../ports/money/gateways.ts';
import { readAnswer, readMajorAmount, readRows, type GatewayCalls } from '../ask-gateway.ts';
import { afterRefusal, isDone } from './read-outcome.ts';

/** The bank accounts that Flutterwave pays to with a bank code and a number alone. Others need facts that we do not have. */
const COUNTRY = 'NG';
const CURRENCY = 'NGN';

/** The meaning of each status of a transfer. A status that is not in the table means that nothing is known yet. */
const STATUSES: Readonly<Record<string, TransferStatus>> = { SUCCESSFUL: 'success', FAILED: 'failed' };
/** Characters of a cause that are kept. */
const MOST_REASON = 280;
const DAY_MS = 86_400_000;

const Told = z.object({
  id: z.int(),
  reference: z.string(),
  status: z.string(),
  amount: z.number(),
  currency: z.string(),
  complete_message: z.string().nullish(),
  requires_approval: z.int().nullish(),
  is_approved: z.int().nullish(),
  created_at: z.iso.datetime(),
});
const Sent = z.object({ data: Told });
const Found = z.object({ data: z.array(Told) });
const Listed = z.object({
  meta: z.object({ page_info: z.object({ total_pages: z.int().min(0) }) }),
  data: z.array(z.unknown()),
});
type Told = z.output<typeof Told>;

/**
 * The transfers of Flutterwave, out of our balance there. The id of a payout is the reference. A retry at Flutterwave would
 * be another transfer, so a transfer that has failed stays failed.
 */
export function transfersAtFlutterwave({ ask, tell }: GatewayCalls): GatewayTransfers {
  const find: GatewayTransfers['find'] = async (id) => {
    const { status, json } = await ask('GET', `/v3/transfers?reference=${id}`);
    if (status !== 200) throw new Refusal('gateway_unavailable');
    const { data } = readAnswer(Found, json);
    const own = data.find(({ reference }) => reference === id);
    if (own !== undefined) return transferOf(own);
    if (data.length === 0) return 'absent';
    // It has listed transfers of other references. Then this one may be on another page.
    throw new Refusal('gateway_unavailable');
  };
  const send = async (order: TransferOrder): ReturnType<Sending> => {
    const { reference, amount, currency, to } = order;
    const account = { account_bank: to.bankCode, account_number: to.number, beneficiary_name: to.holderName };
    const money = { amount: Number(writeAmount(amount, currency)), currency, debit_currency: currency };
    const sent = await tell('/v3/transfers', { ...account, ...money, reference, narration: 'Earnings' });
    if (sent === 'not_taken') return sent;
    return isDone(sent.status) ? transferOf(readAnswer(Sent, sent.json).data) : afterRefusal(order, sent, find);
  };
  return {
    pays: (currency) => currency === CURRENCY,
    find,
    prepare: async (order) => {
      const { currency, to } = order;
      const isServed = to.country === COUNTRY && to.form === 'local' && currency === CURRENCY;
      return async () => (isServed ? send(order) : refusedTransfer(order));
    },
    list: async ({ from, to }, after) => {
      const page = Number(after ?? 1);
      // Flutterwave filters by whole dates, and does not say whether the last one is a part of the list.
      const dates = { from: isoTime(from).slice(0, 10), to: isoTime(to + DAY_MS).slice(0, 10) };
      const query = new URLSearchParams({ ...dates, status: 'successful', page: `${page}` });
      const { json } = await ask('GET', `/v3/transfers?${query.toString()}`);
      const { meta, data } = readAnswer(Listed, json);
      const { read, unread } = readRows(Told, data, 'id');
      const items = read.flatMap(listedOf).filter(({ createdAt }) => createdAt >= from && createdAt < to);
      return { items, unread, next: page < meta.page_info.total_pages ? `${page + 1}` : null };
    },
  };
}

function transferOf(found: Told): Transfer {
  const { currency } = found;
  const money = { amount: readMajorAmount(found.amount, currency), currency };
  const status = STATUSES[found.status] ?? 'pending';
  if (status === 'pending' && found.requires_approval === 1 && found.is_approved !== 1)
    return { status: 'needs_action', ...money, reason: 'requires_approval' };
  const cause = status === 'failed' ? found.complete_message : null;
  return { status, ...money, reason: cause?.slice(0, MOST_REASON) ?? null };
}

/**
 * A successful transfer; nothing for any other one. The list has those of the whole account, so an amount that cannot be booked
 * must not refuse the others.
 */
function listedOf({ id, reference, status, amount: major, currency, created_at: at }: Told): ListedTransfer[] {
  if (status !== 'SUCCESSFUL') return [];
  const payoutId = isId('pay', reference) ? reference : null;
  const amount = readMajor(String(major), currency);
  return [{ gatewayId: String(id), payoutId, amount, currency, createdAt: Date.parse(at) }];
}
