import { decideDispute, getDispute, reviewDispute, withdrawDispute } from '../../../dispatch/billing/decide-dispute.ts';
import { raiseDispute } from '../../../dispatch/billing/raise-dispute.ts';
import { auditedActorOf } from '../../../domain/audit.ts';
import type { DisputeId } from '../../../domain/ids.ts';
import { Refusal } from '../../../domain/refusals/refusals.ts';
import type { Dispute } from '../../../money/disputes/dispute.ts';
import type { DisputeFilter } from '../../../ports/money/disputes.ts';
import { Answer, endpoint } from '../../endpoint.ts';
import type { HttpContext } from '../../http-context.ts';
import { listAnswer, listOf, mapPage, pageRequest } from '../../lists.ts';
import type { CallerOf } from '../../policy.ts';
import {
  DisputeBody,
  DisputeListQuery,
  DisputeQueueQuery,
  DisputeView,
  presentDispute,
  VerdictBody,
} from '../../wire/disputes/dispute.ts';

const tag = 'Billing';

/** The disputes of vendors about charges, and their review by staff. */
export const DISPUTES = [
  endpoint({
    route: 'POST /vendor/disputes',
    name: 'raiseDispute',
    tag,
    summary: 'Raise a dispute about the charge of a delivery',
    description:
      'Asks for money of a charge back, within `DISPUTES_WINDOW_MS` (14 days by default) after the end of the delivery. ' +
      'The operator decides. A delivery has at most one open dispute: a second one answers 409 `dispute_open`. Send an ' +
      '`Idempotency-Key`, so that a retry answers with the same dispute.',
    body: DisputeBody,
    reply: DisputeView,
    status: 201,
    refuses: [404],
    run: async (ctx, { caller, body, newId }) => {
      const dispute = await raiseDispute(ctx, { id: newId('dsp'), ...body }, caller);
      return new Answer(presentDispute(dispute), { headers: { Location: `/vendor/disputes/${dispute.id}` } });
    },
  }),
  endpoint({
    route: 'GET /vendor/disputes',
    name: 'listDisputes',
    tag,
    summary: 'List your disputes, newest first',
    description: 'Returns the disputes of this account and mode, also those of one status or one delivery.',
    query: DisputeListQuery,
    reply: listOf(DisputeView),
    status: 200,
    run: (ctx, { caller: { vendorId, liveMode }, query: { filter, page }, url }) =>
      answerList(ctx, { vendorId, liveMode, ...filter }, page, url),
  }),
  endpoint({
    route: 'GET /vendor/disputes/{id}',
    name: 'getDispute',
    tag,
    summary: 'Read one of your disputes',
    description: 'Returns a dispute of this account and mode with its decision.',
    id: 'dispute',
    reply: DisputeView,
    status: 200,
    run: async (ctx, { caller, id }) => presentDispute(await getOwn(ctx, caller, id)),
  }),
  endpoint({
    route: 'POST /vendor/disputes/{id}/withdraw',
    name: 'withdrawDispute',
    tag,
    summary: 'Withdraw a dispute that is not decided',
    description:
      'Ends a dispute without money. The charge can be disputed again within the window. A repeat changes nothing.',
    id: 'dispute',
    reply: DisputeView,
    status: 200,
    run: async (ctx, { caller, id }) => {
      await getOwn(ctx, caller, id);
      return presentDispute(await withdrawDispute(ctx, id));
    },
  }),
  endpoint({
    route: 'GET /disputes',
    name: 'listDisputesForReview',
    tag,
    summary: 'List disputes for review, newest first',
    description: 'Returns the disputes of all vendors, narrowed by status, vendor, mode or delivery.',
    query: DisputeQueueQuery,
    reply: listOf(DisputeView),
    status: 200,
    run: (ctx, { query: { filter, page }, url }) => answerList(ctx, filter, page, url),
  }),
  endpoint({
    route: 'GET /disputes/{id}',
    name: 'getDisputeForReview',
    tag,
    summary: 'Read a dispute of any vendor',
    description: 'Returns a dispute with the words of the vendor and the decision.',
    id: 'dispute',
    reply: DisputeView,
    status: 200,
    run: async (ctx, { id }) => presentDispute(await getDispute(ctx, id)),
  }),
  endpoint({
    route: 'POST /disputes/{id}/review',
    name: 'reviewDispute',
    tag,
    summary: 'Take a dispute into review',
    description:
      'Makes an open dispute `in_review`, so that others leave it alone. Anybody who may review can still decide it.',
    id: 'dispute',
    reply: DisputeView,
    status: 200,
    run: async (ctx, { caller, id }) => presentDispute(await reviewDispute(ctx, id, auditedActorOf(caller))),
  }),
  endpoint({
    route: 'POST /disputes/{id}/decide',
    name: 'decideDispute',
    tag,
    summary: 'Accept or reject a dispute',
    description:
      'Decides a dispute that waits. An accepted one refunds the delivery at once: all that is disputed, or `amount`. If ' +
      'two people decide, the second gets 409 `dispute_closed`. The same decision by the same person can be repeated.',
    id: 'dispute',
    body: VerdictBody,
    reply: DisputeView,
    status: 200,
    run: async (ctx, { caller, id, body, newId }) => {
      const by = { doer: caller, actor: auditedActorOf(caller), refundId: newId('rfd') };
      return presentDispute(await decideDispute(ctx, id, body, by));
    },
  }),
];

async function getOwn(
  ctx: HttpContext,
  { vendorId, liveMode }: CallerOf<'GET /vendor/disputes/{id}'>,
  id: DisputeId,
): Promise<Dispute> {
  const dispute = await getDispute(ctx, id);
  if (dispute.vendorId !== vendorId || dispute.liveMode !== liveMode) throw new Refusal('dispute_not_found');
  return dispute;
}

async function answerList(
  ctx: HttpContext,
  filter: DisputeFilter,
  page: { limit: number; cursor?: string },
  url: string,
) {
  const scope = `disputes ${JSON.stringify(filter)}`;
  const found = await ctx.disputes.list(filter, pageRequest(ctx.signer, scope, page));
  return listAnswer(ctx.signer, scope, url, mapPage(found, presentDispute));
}
