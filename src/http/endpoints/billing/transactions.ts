import type { z } from 'zod';
import type { DeliveryId } from '../../../domain/ids.ts';
import { BILLED_KINDS, kindsOf, TRANSACTION_KINDS, type Transaction } from '../../../money/billing/transactions.ts';
import { Refusal } from '../../../domain/refusals/refusals.ts';
import type { TransactionFilter } from '../../../ports/money/billing.ts';
import type { Page, PageRequest } from '../../../ports/pages.ts';
import { readSpan } from '../../../vendors/read-span.ts';
import { endpoint, type Answer, type FileContent } from '../../endpoint.ts';
import type { HttpContext } from '../../http-context.ts';
import { listAnswer, listOf, mapPage, pageRequest, pagesOf, tableAnswer } from '../../lists.ts';
import { payerOf } from '../../owner.ts';
import type { CallerOf, Route } from '../../policy.ts';
import {
  BILLING_TABLES,
  ChargesQuery,
  ChargeView,
  type NamedTransaction,
  type OwnNames,
  presentCharge,
  presentTransaction,
  TransactionsQuery,
  TransactionView,
} from '../../wire/billing/transactions.ts';

const tag = 'Billing';

const CSV =
  'As CSV it has all rows of the range at once, sent while they are read. Amounts are whole minor units. If the ' +
  'connection closes before the end, ask again.';

/** The transactions of a vendor, and its charges with their lines. */
export const TRANSACTIONS = [
  endpoint({
    route: 'GET /billing/transactions',
    name: 'listTransactions',
    tag,
    summary: 'List debits and credits, newest first',
    description:
      'Lists what changed the wallet or the debt of the vendor, with the balance of the wallet after each of them. ' +
      `Staff name the vendor. ${CSV}`,
    query: TransactionsQuery,
    reply: listOf(TransactionView),
    file: {
      type: 'text/csv',
      open: async (ctx, { caller, query }) =>
        tableOf(ctx, 'GET /billing/transactions', await filterOf(ctx, caller, query), BILLING_TABLES.transactions),
    },
    status: 200,
    refuses: [404],
    run: async (ctx, { caller, query, url }) => {
      const filter = await filterOf(ctx, caller, query);
      const scope = `transactions ${JSON.stringify(filter)}`;
      const page = await listNamed(ctx, filter, pageRequest(ctx.signer, scope, query));
      return listAnswer(ctx.signer, scope, url, mapPage(page, presentTransaction));
    },
  }),
  endpoint({
    route: 'GET /billing/transactions/{id}',
    name: 'getTransaction',
    tag,
    summary: 'Read a transaction',
    description: 'Returns one debit or credit with its lines.',
    id: 'transaction',
    reply: TransactionView,
    status: 200,
    run: async (ctx, { caller, id }) => {
      const found = await ctx.transactions.find(id);
      const [named] = found !== null && isTheirs(caller, found) ? await nameAll(ctx, [found]) : [];
      if (named === undefined) throw new Refusal('transaction_not_found');
      return presentTransaction(named);
    },
  }),
  endpoint({
    route: 'GET /vendor/settlement/charges',
    name: 'listCharges',
    tag,
    summary: 'List what was charged for each delivery, newest first',
    description:
      'Lists the charges of deliveries with their lines: the fee, the tip, waiting, a return and a cancellation. Refunds ' +
      'are among them, with negative amounts. The lines of a month add up to its invoice and the credit notes that ' +
      `were issued with it. Staff name the vendor. ${CSV} It has a row for each line.`,
    query: ChargesQuery,
    reply: listOf(ChargeView),
    file: {
      type: 'text/csv',
      open: async (ctx, { caller, query }) =>
        tableOf(ctx, 'GET /vendor/settlement/charges', await chargesOf(ctx, caller, query), BILLING_TABLES.charges),
    },
    status: 200,
    refuses: [404],
    run: async (ctx, { caller, query, url }) => {
      const filter = await chargesOf(ctx, caller, query);
      const scope = `charges ${JSON.stringify(filter)}`;
      const page = await listNamed(ctx, filter, pageRequest(ctx.signer, scope, query));
      return listAnswer(ctx.signer, scope, url, mapPage(page, presentCharge));
    },
  }),
];

type Reader = CallerOf<'GET /billing/transactions'>;

function isTheirs(caller: Reader, { vendorId, liveMode }: Transaction): boolean {
  return caller.type === 'staff' || (caller.vendorId === vendorId && caller.liveMode === liveMode);
}

type Asked = z.output<typeof TransactionsQuery>;

async function filterOf(ctx: HttpContext, caller: Reader, query: Asked): Promise<TransactionFilter> {
  const { type: direction, category } = query;
  const kinds = direction === undefined ? TRANSACTION_KINDS : kindsOf(direction);
  return {
    ...(await narrowed(ctx, caller, query)),
    kinds: kinds.filter((kind) => category === undefined || kind === category),
    ...(direction === undefined ? {} : { direction }),
  };
}

async function chargesOf(
  ctx: HttpContext,
  caller: Reader,
  query: z.output<typeof ChargesQuery>,
): Promise<TransactionFilter> {
  return { ...(await narrowed(ctx, caller, query)), kinds: BILLED_KINDS };
}

/** The account, the range and the delivery of a request. */
async function narrowed(
  ctx: HttpContext,
  caller: Reader,
  query: z.output<typeof ChargesQuery>,
): Promise<Omit<TransactionFilter, 'kinds'>> {
  const { date_range: range, delivery_id: about } = query;
  const payer = payerOf(caller, query);
  return {
    ...payer,
    ...(range === undefined ? {} : await readSpan(ctx, payer.vendorId, range)),
    ...(about === undefined ? {} : { about }),
  };
}

async function listNamed(
  ctx: HttpContext,
  filter: TransactionFilter,
  request: PageRequest,
): Promise<Page<NamedTransaction>> {
  const { items, next } = await ctx.transactions.list(filter, request);
  return { items: await nameAll(ctx, items), next };
}

const NAMELESS: OwnNames = { externalId: null, orderId: null };

/** Adds the names that vendors gave to the deliveries of their transactions. */
async function nameAll(
  { deliveries }: Pick<HttpContext, 'deliveries'>,
  transactions: readonly Transaction[],
): Promise<NamedTransaction[]> {
  const ids = new Set(transactions.flatMap(({ deliveryId }) => deliveryId ?? []));
  const found = ids.size === 0 ? [] : await deliveries.findMany([...ids]);
  const names = new Map<DeliveryId | null, OwnNames>();
  for (const { id, externalId, orderId = null } of found) names.set(id, { externalId, orderId });
  return transactions.map((one) => ({ ...one, ...(names.get(one.deliveryId) ?? NAMELESS) }));
}

type Form = (typeof BILLING_TABLES)[keyof typeof BILLING_TABLES];

/** The whole list as a table. */
function tableOf(ctx: HttpContext, route: Route, filter: TransactionFilter, form: Form): Answer<FileContent> {
  return tableAnswer(ctx, route, {
    tenant: filter,
    parts: pagesOf((page) => listNamed(ctx, filter, page)),
    form,
  });
}
