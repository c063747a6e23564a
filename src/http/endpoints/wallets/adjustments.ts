import { decideAdjustment, requestAdjustment } from '../../../money/wallets/decide-adjustment.ts';
import { endpoint } from '../../endpoint.ts';
import { listAnswer, listOf, mapPage, pageRequest } from '../../lists.ts';
import {
  AdjustmentBody,
  AdjustmentDecisionBody,
  AdjustmentListQuery,
  AdjustmentView,
  presentAdjustment,
} from '../../wire/wallets/adjustment.ts';

const tag = 'Wallets';

/** Adjustments of wallets by two members of finance. */
export const ADJUSTMENTS = [
  endpoint({
    route: 'POST /wallets/adjustments',
    name: 'requestAdjustment',
    tag,
    summary: 'Ask for an adjustment of a wallet',
    description:
      'Asks for money to be put into the wallet of a vendor or taken out of it, with a reason that the vendor reads. No ' +
      'money moves until a second member of finance approves it.',
    body: AdjustmentBody,
    reply: AdjustmentView,
    status: 201,
    refuses: [404],
    run: async (ctx, { caller, body, newId }) =>
      presentAdjustment(await requestAdjustment(ctx, body, caller.staffId, newId('adj'))),
  }),
  endpoint({
    route: 'GET /wallets/adjustments',
    name: 'listAdjustments',
    tag,
    summary: 'List adjustments of wallets, newest first',
    description: 'Returns the adjustments that finance asked for, also those of one status, mode or vendor only.',
    query: AdjustmentListQuery,
    reply: listOf(AdjustmentView),
    status: 200,
    run: async (ctx, { query: { filter, page }, url }) => {
      const scope = `adjustments ${JSON.stringify(filter)}`;
      const found = await ctx.adjustments.list(filter, pageRequest(ctx.signer, scope, page));
      return listAnswer(ctx.signer, scope, url, mapPage(found, presentAdjustment));
    },
  }),
  endpoint({
    route: 'POST /wallets/adjustments/{id}/decide',
    name: 'decideAdjustment',
    tag,
    summary: 'Approve or reject an adjustment of a wallet',
    description:
      'Books an adjustment that is `awaiting_approval`, or ends it without moving money. The person who asked for it may ' +
      'reject it and cannot approve it. If the wallet has less than is taken out of it, the answer is 402 and the ' +
      'adjustment still waits. A repeat by the same person changes nothing.',
    id: 'adjustment',
    body: AdjustmentDecisionBody,
    reply: AdjustmentView,
    status: 200,
    refuses: [402],
    run: async (ctx, { caller, id, body }) =>
      presentAdjustment(await decideAdjustment(ctx, id, body.decision, caller.staffId)),
  }),
];
