import { Refusal } from '../../../domain/refusals/refusals.ts';
import { requestRefund } from '../../../money/top-ups/request-refund.ts';
import { resolveRefund } from '../../../money/top-ups/resolve-refund.ts';
import { Answer, endpoint } from '../../endpoint.ts';
import { listAnswer, listOf, mapPage, pageRequest } from '../../lists.ts';
import {
  presentTopUpRefund,
  TopUpRefundBody,
  TopUpRefundListQuery,
  TopUpRefundResolutionBody,
  TopUpRefundView,
} from '../../wire/wallets/top-up-refund.ts';

const tag = 'Wallets';

/** The refunds of top-ups to those who paid, for finance. */
export const TOP_UP_REFUNDS = [
  endpoint({
    route: 'POST /wallets/top-ups/{id}/refunds',
    name: 'refundTopUp',
    tag,
    summary: 'Refund a top-up, or a part of it, to the payer',
    description:
      'Takes the money out of the wallet of the vendor, and then has the gateway send it back the way it was paid. All ' +
      'refunds of a top-up together never exceed it, and a refund never exceeds what the wallet has available. If the ' +
      'gateway fails, the money is in the wallet again. In test mode the last two digits of the amount select how the ' +
      'refund goes. The same `reference` makes one refund.',
    id: 'topUp',
    body: TopUpRefundBody,
    reply: TopUpRefundView,
    status: 202,
    refuses: [402],
    run: async (ctx, { caller, id, body, newId }) => {
      const refund = await requestRefund(ctx, id, { id: newId('tur'), requestedBy: caller.staffId, ...body });
      return new Answer(presentTopUpRefund(refund), { headers: { Location: `/wallets/refunds/${refund.id}` } });
    },
  }),
  endpoint({
    route: 'GET /wallets/refunds',
    name: 'listTopUpRefunds',
    tag,
    summary: 'List refunds of top-ups, newest first',
    description: 'Returns all refunds of top-ups, or those of a top-up, of a mode or of a status.',
    query: TopUpRefundListQuery,
    reply: listOf(TopUpRefundView),
    status: 200,
    run: async (ctx, { query: { filter, page }, url }) => {
      const scope = `top-up refunds ${JSON.stringify(filter)}`;
      const found = await ctx.topUpRefunds.list(filter, pageRequest(ctx.signer, scope, page));
      return listAnswer(ctx.signer, scope, url, mapPage(found, presentTopUpRefund));
    },
  }),
  endpoint({
    route: 'GET /wallets/refunds/{id}',
    name: 'getTopUpRefund',
    tag,
    summary: 'Get a refund of a top-up',
    description: 'Returns a refund of a top-up, and where its money is.',
    id: 'topUpRefund',
    reply: TopUpRefundView,
    status: 200,
    run: async (ctx, { id }) => {
      const refund = await ctx.topUpRefunds.find(id);
      if (refund === null) throw new Refusal('top_up_refund_not_found');
      return presentTopUpRefund(refund);
    },
  }),
  endpoint({
    route: 'POST /wallets/refunds/{id}/resolve',
    name: 'resolveTopUpRefund',
    tag,
    summary: 'End a refund of a top-up that waits for a person',
    description:
      'Ends a refund that is `needs_action` as `paid` or `failed`. Look at the gateway first: the server does not ask it ' +
      'about this refund again. A failed refund returns the money to the wallet. If Stripe or Paystack makes the refund after all, ' +
      'the money leaves the wallet again as a chargeback. The person who asked for the refund cannot do it. A repeat by the same person changes nothing.',
    id: 'topUpRefund',
    body: TopUpRefundResolutionBody,
    reply: TopUpRefundView,
    status: 200,
    run: async (ctx, { caller, id, body }) => presentTopUpRefund(await resolveRefund(ctx, id, body, caller.staffId)),
  }),
];
