import { z } from 'zod';
import { idSchema } from '../../../domain/ids.ts';
import { askedOwner, contentOf, deliveryFields, type AskedDelivery } from '../deliveries/delivery.ts';
import { DropOffBody, dropOffsOf, OrderPickupBody } from '../deliveries/delivery-stops.ts';

// The path names the order, and the channel is always `order`.
const { external_id: _externalId, channel: _channel, ...fields } = deliveryFields;

/** The body that makes a vendor order into a delivery. */
export const OrderBody = z
  .strictObject({
    location_id: idSchema('loc').describe('The vendor location where the goods are collected'),
    pickup: OrderPickupBody.exactOptional().describe(
      'Overrides fields of the vendor location, and says when the goods are ready',
    ),
    drop_off: dropOffsOf(DropOffBody),
    ...fields,
  })
  .transform((body): AskedDelivery => ({
    owner: askedOwner(body),
    content: { ...contentOf(body), locationId: body.location_id, pickup: body.pickup ?? null },
  }));
