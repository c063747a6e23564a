import { approveSuspense, decideSuspense } from '../../../money/suspense/decide-suspense.ts';
import { endpoint } from '../../endpoint.ts';
import { listAnswer, listOf, mapPage, pageRequest } from '../../lists.ts';
import {
  ApprovalBody,
  presentSuspense,
  SuspenseBody,
  SuspenseListQuery,
  SuspenseView,
} from '../../wire/wallets/suspense.ts';

const tag = 'Wallets';

/** Money that arrived and that belongs to nobody yet, for finance. */
export const SUSPENSE = [
  endpoint({
    route: 'GET /wallets/suspense',
    name: 'listSuspense',
    tag,
    summary: 'List money in suspense, newest first',
    description:
      'Lists payments that differ from their top-up in amount or currency, or that paid it once more, with their age. ' +
      'Nobody can spend this money until finance decides. After `SUSPENSE_ALERT_MS` (24 h by default) without a ' +
      'decision, the log has an error.',
    query: SuspenseListQuery,
    reply: listOf(SuspenseView),
    status: 200,
    run: async (ctx, { query: { filter, page }, url }) => {
      const scope = `suspense ${JSON.stringify(filter)}`;
      const found = await ctx.suspense.list(filter, pageRequest(ctx.signer, scope, page));
      const now = ctx.clock.now();
      return listAnswer(
        ctx.signer,
        scope,
        url,
        mapPage(found, (one) => presentSuspense(one, now)),
      );
    },
  }),
  endpoint({
    route: 'POST /wallets/suspense/{id}/decide',
    name: 'decideSuspense',
    tag,
    summary: 'Decide about money in suspense',
    description:
      'Credits the money to the wallet of the vendor, or notes that the payer gets it back. The transfer back is made at the ' +
      'gateway by a person. Above `SUSPENSE_APPROVAL_AMOUNT` the decision waits for the approval of a second member of ' +
      'finance, and another decision may replace it until then. The same decision again changes nothing.',
    id: 'suspense',
    body: SuspenseBody,
    reply: SuspenseView,
    status: 200,
    run: async (ctx, { caller, id, body }) =>
      presentSuspense(await decideSuspense(ctx, id, body, caller.staffId), ctx.clock.now()),
  }),
  endpoint({
    route: 'POST /wallets/suspense/{id}/approve',
    name: 'approveSuspense',
    tag,
    summary: 'Approve a decision about money in suspense',
    description:
      'Carries out a decision that is `awaiting_approval`, in the version that the approver has read. The person who ' +
      'decided cannot approve it. A repeat by the same person changes nothing.',
    id: 'suspense',
    body: ApprovalBody,
    reply: SuspenseView,
    status: 200,
    run: async (ctx, { caller, id, body }) =>
      presentSuspense(await approveSuspense(ctx, id, body, caller.staffId), ctx.clock.now()),
  }),
];
