import { cancelDelivery } from '../../../dispatch/deliveries/cancel-delivery.ts';
import { DeliveryView } from '../../../domain/deliveries/delivery-view.ts';
import { deliveryAnswer } from '../../answers.ts';
import { endpoint, type Endpoint } from '../../endpoint.ts';
import { CancelBody } from '../../wire/deliveries/delivery.ts';

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
      'is opened. Repeating the cancel changes nothing and answers with the canceled delivery.',
    id: 'delivery',
    body: CancelBody,
    reply: DeliveryView,
    status: 200,
    run: async (ctx, { caller, id, body }) =>
      deliveryAnswer(ctx, await cancelDelivery(ctx, { deliveryId: id, reason: body }, caller)),
  });
}
