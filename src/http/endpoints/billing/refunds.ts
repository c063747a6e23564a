import { refundDelivery } from '../../../dispatch/billing/refund-delivery.ts';
import { getVisible } from '../../answers.ts';
import { Answer, endpoint } from '../../endpoint.ts';
import { listOf } from '../../lists.ts';
import { presentRefund, RefundBody, RefundView } from '../../wire/billing/refund.ts';

const tag = 'Billing';

/** The refunds of what the ends of deliveries charged. */
export const REFUNDS = [
  endpoint({
    route: 'POST /deliveries/{id}/refunds',
    name: 'refundDelivery',
    tag,
    summary: 'Refund the charge of a delivery, or a part of it',
    description:
      'Gives money of the charge back to the wallet of the vendor, where it first pays what the vendor owes. All ' +
      'refunds of a delivery together never exceed its charge. The courier keeps their pay. The same `reference` makes ' +
      'one refund: a repeat answers 200 with it.',
    id: 'delivery',
    body: RefundBody,
    reply: RefundView,
    status: 201,
    also: { 200: 'The refund that an earlier request with the same reference made' },
    run: async (ctx, { caller, id, body, newId }) => {
      const refundId = newId('rfd');
      const made = await refundDelivery(ctx, { deliveryId: id, id: refundId, ...body }, caller);
      return new Answer(presentRefund(made.delivery, made.refund), { status: made.refund.id === refundId ? 201 : 200 });
    },
  }),
  endpoint({
    route: 'GET /deliveries/{id}/refunds',
    name: 'listRefunds',
    tag,
    summary: 'List the refunds of a delivery, newest first',
    description: 'Returns all refunds of the charge of a delivery, newest first, on one page. There are at most 20.',
    id: 'delivery',
    reply: listOf(RefundView),
    status: 200,
    run: async (ctx, { caller, id }) => {
      const delivery = await getVisible(ctx, caller, id);
      const refunds = (delivery.funds?.refunds ?? []).toReversed();
      const data = refunds.map((refund) => presentRefund(delivery, refund));
      return { object: 'list' as const, data, has_more: false, next_cursor: null };
    },
  }),
];
