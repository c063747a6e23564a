import type { z } from 'zod';
import { Refusal } from '../../../domain/refusals/refusals.ts';
import { bookOf, vendorAccount } from '../../../money/ledger/accounts.ts';
import { startTopUp } from '../../../money/top-ups/start-top-up.ts';
import type { TopUpFilter } from '../../../ports/money/top-ups.ts';
import { Answer, endpoint } from '../../endpoint.ts';
import { listAnswer, listOf, mapPage, pageRequest } from '../../lists.ts';
import { payerOf, refuseOther } from '../../owner.ts';
import type { CallerOf } from '../../policy.ts';
import { BalanceQuery, BalanceView, presentBalance } from '../../wire/wallets/balance.ts';
import { presentTopUp, TopUpBody, TopUpListQuery, TopUpView } from '../../wire/wallets/top-up.ts';

/** The wallets of vendors. */
export const WALLETS = [
  endpoint({
    route: 'GET /wallets/balance',
    tag: 'Wallets',
    name: 'getWalletBalance',
    summary: 'Get the balance of the wallet',
    description:
      'Returns the funds of the vendor of the API key, in the currency of its account and the mode of the key. ' +
      'Each mode has a wallet of its own. A wallet on which nothing was ever booked has zero. Staff of the role finance ' +
      'name the vendor.',
    query: BalanceQuery,
    reply: BalanceView,
    status: 200,
    refuses: [404],
    run: async (ctx, { caller, query }) => {
      const { vendorId, liveMode } = payerOf(caller, query);
      const { currency } = await ctx.vendors.get(vendorId);
      const wallet = vendorAccount('wallet', vendorId, bookOf(liveMode, currency));
      const pending = await ctx.topUps.sumPaid(vendorId, liveMode, currency);
      return presentBalance(await ctx.ledger.balance(wallet), pending, currency, liveMode);
    },
  }),
  endpoint({
    route: 'POST /wallets/fund',
    tag: 'Wallets',
    name: 'fundWallet',
    summary: 'Start a top-up through a payment gateway',
    description:
      'Opens a payment at the gateway. Send the payer to `authorization_url`. The wallet is credited once the gateway ' +
      'has confirmed reference, amount and currency, and only once. In test mode the sandbox takes play money: the ' +
      'last two digits of the amount select how it behaves. Send an `Idempotency-Key`, so that a retry after 503 ' +
      'goes on with the same payment.',
    body: TopUpBody,
    reply: TopUpView,
    status: 202,
    run: async (ctx, { caller: { vendorId, liveMode }, body, newId }) => {
      const topUp = await startTopUp(ctx, { vendorId, liveMode, ...body }, newId('top'));
      return new Answer(presentTopUp(topUp), { headers: { Location: `/wallets/top-ups/${topUp.id}` } });
    },
  }),
  endpoint({
    route: 'GET /wallets/top-ups',
    tag: 'Wallets',
    name: 'listTopUps',
    summary: 'List top-ups, newest first',
    description:
      'Returns the top-ups of this account and mode. Staff of the role finance list those of all vendors, of one vendor or ' +
      'of one mode. A top-up without a payment is removed `RETENTION_TOP_UPS_MS` after its end.',
    query: TopUpListQuery,
    reply: listOf(TopUpView),
    status: 200,
    refuses: [404],
    run: async (ctx, { caller, query, url }) => {
      const filter = topUpFilter(caller, query);
      const scope = `top-ups ${JSON.stringify(filter)}`;
      const page = await ctx.topUps.list(filter, pageRequest(ctx.signer, scope, query));
      return listAnswer(ctx.signer, scope, url, mapPage(page, presentTopUp));
    },
  }),
  endpoint({
    route: 'GET /wallets/top-ups/{id}',
    tag: 'Wallets',
    name: 'getTopUp',
    summary: 'Get a top-up',
    description:
      'Returns a top-up of this account and mode, and where its payment stands. Staff of the role finance read all.',
    id: 'topUp',
    reply: TopUpView,
    status: 200,
    run: async (ctx, { id }) => {
      const topUp = await ctx.topUps.find(id);
      if (topUp === null) throw new Refusal('top_up_not_found');
      return presentTopUp(topUp);
    },
  }),
];

/** The top-ups that the caller may list, narrowed to what they ask for. */
function topUpFilter(
  caller: CallerOf<'GET /wallets/top-ups'>,
  { status: state, vendor_id: vendorId, live_mode: liveMode }: z.output<typeof TopUpListQuery>,
): TopUpFilter {
  const wanted = state === undefined ? {} : { state };
  if (caller.type === 'vendor') {
    refuseOther(caller, { vendorId: vendorId ?? null, liveMode: liveMode ?? null });
    return { ...wanted, vendorId: caller.vendorId, liveMode: caller.liveMode };
  }
  return {
    ...wanted,
    ...(vendorId === undefined ? {} : { vendorId }),
    ...(liveMode === undefined ? {} : { liveMode }),
  };
}
