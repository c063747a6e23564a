import { auditedActorOf } from '../../../domain/audit.ts';
import { approvePayout } from '../../../money/payouts/approve-payout.ts';
import { listUnpaid } from '../../../money/payouts/list-unpaid.ts';
import { listPayouts } from '../../../money/payouts/list-payouts.ts';
import { resolvePayout } from '../../../money/payouts/resolve-payout.ts';
import { requestBatch } from '../../../money/payouts/request-batch.ts';
import { endpoint } from '../../endpoint.ts';
import { listAnswer, listOf, mapPage, pageRequest } from '../../lists.ts';
import {
  BatchBody,
  PayoutBatchView,
  PayoutListQuery,
  PayoutView,
  presentBatch,
  presentPayout,
  ResolutionBody,
} from '../../wire/payouts/payout.ts';

const tag = 'Wallets';

/** The payouts of couriers, for finance. */
export const PAYOUTS = [
  endpoint({
    route: 'POST /payouts/process',
    name: 'processPayouts',
    tag,
    summary: 'Pay all couriers what they have earned',
    description:
      'Asks for the batch of a mode, a currency and a date. The server then makes one payout for each courier who has ' +
      'earned at least `PAYOUTS_MIN_AMOUNT` and whose bank account may be used. It takes the money out of their earnings ' +
      'first and then calls the gateway. Payouts above `PAYOUTS_APPROVAL_AMOUNT`, and those of couriers whom staff have ' +
      'suspended, wait for a second person. Earnings without a bank account in their currency are not paid: the log names ' +
      'them, and so does `unpaid` of a batch that is made. The same batch again changes nothing, and shows how far it is.',
    body: BatchBody,
    reply: PayoutBatchView,
    status: 202,
    run: async (ctx, { caller, body, begunAt }) => {
      // A retry after midnight asks for the same batch.
      const asked = { ...body, askedAt: begunAt ?? ctx.clock.now() };
      const batch = await requestBatch(ctx, asked, auditedActorOf(caller));
      return presentBatch(batch, batch.state === 'made' ? await listUnpaid(ctx, batch.liveMode) : []);
    },
  }),
  endpoint({
    route: 'GET /payouts',
    name: 'listPayouts',
    tag,
    summary: 'List payouts, newest first',
    description:
      'Returns the payouts of a batch, of a courier or of a mode, also those of one status only. While a payout is ' +
      '`awaiting_approval`, its `reason` is `courier_suspended` also if staff have suspended the courier since it was made.',
    query: PayoutListQuery,
    reply: listOf(PayoutView),
    status: 200,
    run: async (ctx, { query: { filter, page }, url }) => {
      const scope = `payouts ${JSON.stringify(filter)}`;
      const found = await listPayouts(ctx, filter, pageRequest(ctx.signer, scope, page));
      return listAnswer(ctx.signer, scope, url, mapPage(found, presentPayout));
    },
  }),
  endpoint({
    route: 'POST /payouts/{id}/approve',
    name: 'approvePayout',
    tag,
    summary: 'Approve a payout above the limit or of a suspended courier',
    description:
      'Lets a payout that is `awaiting_approval` go to the gateway. The person who asked for the batch cannot approve it: ' +
      'a second member of staff must. If staff have suspended the courier by then, the answer has the reason ' +
      '`courier_suspended`, and the approval counts for that. If nobody approves it within `PAYOUTS_APPROVAL_MS` (7 days ' +
      'by default), it is canceled, and the courier has the earnings again. `POST /payouts/{id}/resolve` declines it. A ' +
      'repeat by the same person changes nothing.',
    id: 'payout',
    reply: PayoutView,
    status: 200,
    run: async (ctx, { caller, id }) => presentPayout(await approvePayout(ctx, id, caller.staffId)),
  }),
  endpoint({
    route: 'POST /payouts/{id}/resolve',
    name: 'resolvePayout',
    tag,
    summary: 'End or decline a payout that waits for a person',
    description:
      'Ends a payout that is `needs_action` as `paid` or `failed`. Look at the gateway first: the server does not ask it ' +
      'about this payout again. One that is `awaiting_approval` can only be `failed`, which declines it. A failed payout ' +
      'returns the money to the earnings, so the next batch pays it. The person who asked for the batch cannot do it. A ' +
      'repeat by the same person changes nothing.',
    id: 'payout',
    body: ResolutionBody,
    reply: PayoutView,
    status: 200,
    run: async (ctx, { caller, id, body }) => presentPayout(await resolvePayout(ctx, id, body, caller.staffId)),
  }),
];
