import type { z } from 'zod';
import { Refusal } from '../../../domain/refusals/refusals.ts';
import { approveSettlement } from '../../../money/settlement/approve-settlement.ts';
import type { SettlementFilter } from '../../../ports/money/settlements.ts';
import { readSpan } from '../../../vendors/read-span.ts';
import { endpoint } from '../../endpoint.ts';
import type { HttpContext } from '../../http-context.ts';
import { listAnswer, listOf, mapPage, pageRequest, pagesOf, tableAnswer } from '../../lists.ts';
import { payerOf } from '../../owner.ts';
import type { CallerOf } from '../../policy.ts';
import {
  presentSettlement,
  presentSettlementPayout,
  SETTLEMENT_TABLE,
  SettlementPayoutsQuery,
  SettlementPayoutView,
  SettlementsQuery,
  SettlementView,
} from '../../wire/settlement/settlement.ts';

const tag = 'Billing';

/** The settlements of vendors. */
export const SETTLEMENTS = [
  endpoint({
    route: 'GET /settlement/vendors',
    name: 'listSettlements',
    tag,
    summary: 'List settlements: order values versus delivery costs of each period',
    description:
      'Lists the statements of days or weeks, the latest first. The server makes a statement after each cut-off, and pays ' +
      'the order values that the platform has collected. A period without any entry has none. Staff and internal services ' +
      'see all vendors, or the one that they name. As CSV it has all rows of the range at once, sent while they are read.',
    query: SettlementsQuery,
    reply: listOf(SettlementView),
    file: {
      type: 'text/csv',
      open: async (ctx, { caller, query }) => {
        const filter = await filterOf(ctx, caller, query);
        return tableAnswer(ctx, 'GET /settlement/vendors', {
          tenant: caller.type === 'vendor' ? caller : null,
          parts: pagesOf((page) => ctx.settlements.list(filter, page)),
          form: SETTLEMENT_TABLE,
        });
      },
    },
    status: 200,
    run: async (ctx, { caller, query, url }) => {
      const filter = await filterOf(ctx, caller, query);
      const scope = `settlements ${JSON.stringify(filter)}`;
      const page = await ctx.settlements.list(filter, pageRequest(ctx.signer, scope, query));
      return listAnswer(ctx.signer, scope, url, mapPage(page, presentSettlement));
    },
  }),
  endpoint({
    route: 'GET /settlement/vendors/{id}',
    name: 'getSettlement',
    tag,
    summary: 'Read a settlement',
    description: 'Returns a settlement with its statement.',
    id: 'settlement',
    reply: SettlementView,
    status: 200,
    run: async (ctx, { caller, id }) => {
      const found = await ctx.settlements.find(id);
      const isTheirs =
        caller.type !== 'vendor' || (found?.vendorId === caller.vendorId && found.liveMode === caller.liveMode);
      if (found === null || !isTheirs) throw new Refusal('settlement_not_found');
      return presentSettlement(found);
    },
  }),
  endpoint({
    route: 'POST /settlement/vendors/{id}/approve',
    name: 'approveSettlement',
    tag,
    summary: 'Approve a settlement above the limit',
    description:
      'Lets a `draft` be paid. Settlements above `SETTLEMENT_APPROVAL_AMOUNT` are drafts until a member of finance approves ' +
      'them. Until then nothing is paid, and no other settlement pays the same money. A draft cannot be changed, because it ' +
      'sums up the ledger. If a part of it is wrong, approve it and take that part out of the wallet with ' +
      '`POST /wallets/adjustments`, or leave it a draft. A repeat by the same person changes nothing.',
    id: 'settlement',
    reply: SettlementView,
    status: 200,
    run: async (ctx, { caller, id }) => presentSettlement(await approveSettlement(ctx, id, caller.staffId)),
  }),
  endpoint({
    route: 'GET /vendor/settlement/payouts',
    name: 'listSettlementPayouts',
    tag,
    summary: 'List what settlements have paid to the vendor',
    description:
      'Lists the payments of settlements with their status, the latest period first. Each goes into the wallet of the ' +
      'vendor, where a debt is paid from it first. Staff name the vendor.',
    query: SettlementPayoutsQuery,
    reply: listOf(SettlementPayoutView),
    status: 200,
    refuses: [404],
    run: async (ctx, { caller, query, url }) => {
      const payer = payerOf(caller, query);
      const { date_range: range } = query;
      const filter = { ...payer, ...(range === undefined ? {} : await readSpan(ctx, payer.vendorId, range)) };
      const scope = `settlement payouts ${JSON.stringify(filter)}`;
      const page = await ctx.settlements.listPaying(filter, pageRequest(ctx.signer, scope, query));
      return listAnswer(ctx.signer, scope, url, mapPage(page, presentSettlementPayout));
    },
  }),
];

async function filterOf(
  ctx: HttpContext,
  caller: CallerOf<'GET /settlement/vendors'>,
  { cycle, date_range: range, vendor_id: vendorId, live_mode: liveMode }: z.output<typeof SettlementsQuery>,
): Promise<SettlementFilter> {
  const owner =
    caller.type === 'vendor'
      ? payerOf(caller, {
          ...(vendorId === undefined ? {} : { vendor_id: vendorId }),
          ...(liveMode === undefined ? {} : { live_mode: liveMode }),
        })
      : { liveMode: liveMode ?? true, ...(vendorId === undefined ? {} : { vendorId }) };
  return {
    ...owner,
    ...(cycle === undefined ? {} : { cycle }),
    ...(range === undefined ? {} : await readSpan(ctx, owner.vendorId, range)),
  };
}
