import { DeliveryView } from '../../../domain/deliveries/delivery-view.ts';
import { answerCreate } from '../../answers.ts';
import { endpoint } from '../../endpoint.ts';
import { ownerOf } from '../../owner.ts';
import { OrderBody } from '../../wire/vendors/order.ts';

/** The vendor's own orders. */
export const ORDERS = [
  endpoint({
    route: 'POST /vendor/orders/{order_id}/dispatch',
    name: 'dispatchVendorOrder',
    tag: 'Vendor',
    summary: 'Make a vendor order into a delivery and start the search for a courier',
    description:
      'Creates the delivery of one of the vendor’s own orders, which the path names. An order has at most one open ' +
      'delivery: the same request again returns it, and other content is refused with `duplicate_delivery`. After that ' +
      'delivery has ended, the order can be dispatched again.',
    id: 'order',
    body: OrderBody,
    reply: DeliveryView,
    status: 201,
    refuses: [402],
    also: { 200: 'The open delivery that an earlier request for the same order and content created' },
    run: (ctx, { caller, id, body: { owner, content }, newId }) => {
      const order = { owner, content: { ...content, orderId: id } };
      return answerCreate(
        ctx,
        caller,
        { ...ownerOf(caller, owner), channel: 'order' },
        order,
        '/deliveries',
        newId('del'),
      );
    },
  }),
];
