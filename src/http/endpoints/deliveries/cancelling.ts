import { cancelDelivery } from '../../../dispatch/deliveries/cancel-delivery.ts';
import { cancelTerms } from '../../../dispatch/deliveries/preview-cancel.ts';
import { hereOf } from '../../../dispatch/move-delivery.ts';
import { DeliveryView } from '../../../domain/deliveries/delivery-view.ts';
import { deliveryAnswer, etagOf, getVisible } from '../../answers.ts';
import { Answer, endpoint, type Endpoint } from '../../endpoint.ts';
import { CancelBody, CancelPreviewQuery, CancelPreviewView, presentTerms } from '../../wire/deliveries/cancel.ts';

/** The row that cancels a delivery. The platform and external businesses use the same one under two routes. */
export function cancelling(
  route: 'POST /deliveries/{id}/cancel' | 'POST /express/deliveries/{id}/cancel',
  { name, tag }: Pick<Endpoint, 'name' | 'tag'>,
): Endpoint {
  return endpoint({
    route,
    name,
    tag,
    summary: 'Cancel a delivery that has not ended',
    description:
      'Cancels a delivery before its goods are delivered. If the courier has collected the goods, a return to the pickup ' +
      'is opened. The fee of the cancellation policy is charged, and the rest of the hold becomes available again. ' +
      'With `accept_fee`, a higher fee is refused with 409 `cancellation_fee_changed`. Repeating the cancel changes ' +
      'nothing and answers with the canceled delivery.',
    id: 'delivery',
    body: CancelBody,
    reply: DeliveryView,
    status: 200,
    run: async (ctx, { caller, id, body }) =>
      deliveryAnswer(ctx, await cancelDelivery(ctx, { deliveryId: id, ...body }, caller)),
  });
}

/** The row that shows the terms of a cancel before it is made, under the same two routes. */
export function previewing(
  route: 'GET /deliveries/{id}/cancel-preview' | 'GET /express/deliveries/{id}/cancel-preview',
  { name, tag }: Pick<Endpoint, 'name' | 'tag'>,
): Endpoint {
  return endpoint({
    route,
    name,
    tag,
    summary: 'Read the terms of a cancel before making it',
    description:
      'Says whether the caller may cancel the delivery now, which rule of the cancellation policy applies, what the ' +
      'cancel costs, and whether the goods come back to the pickup. It changes nothing.',
    id: 'delivery',
    query: CancelPreviewQuery,
    reply: CancelPreviewView,
    status: 200,
    run: async (ctx, { caller, id, query }) => {
      const delivery = await getVisible(ctx, caller, id);
      const here = await hereOf(ctx, delivery);
      const terms = cancelTerms(delivery, caller, here, query.reason ?? null);
      return new Answer(presentTerms(terms), { headers: { ETag: etagOf(delivery) } });
    },
  });
}
