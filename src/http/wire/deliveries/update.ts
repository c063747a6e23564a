import { z } from 'zod';
import type { StopEdit, UpdateDelivery } from '../../../dispatch/commands.ts';
import { MOST_ITEMS } from '../../../domain/deliveries/parcel.ts';
import { MOST_DROP_OFFS } from '../../../domain/deliveries/stops/stop.ts';
import { AddressBody, ContactBody, CoordinatesBody, InstructionsBody, MinorUnits, WindowBody } from '../place.ts';
import { textOf } from '../../../domain/text.ts';
import { CustomBody } from './delivery.ts';
import { asArray, ItemBody } from './delivery-stops.ts';
import { DropOffDemandsBody, PickupDemandsBody } from './verification.ts';

const anywhere = {
  instructions: InstructionsBody.nullable().exactOptional().describe('Until the stop ends'),
  contact: ContactBody.exactOptional().describe('Until the stop ends'),
};

const PickupChanges = z.strictObject({
  ...anywhere,
  window: WindowBody.exactOptional().describe('While no courier is assigned'),
  business_name: textOf(120).exactOptional().describe('Until the goods are collected; at most 120 characters'),
  verification: PickupDemandsBody.exactOptional(),
  reference: textOf(64).exactOptional().describe('Until the goods are collected; at most 64 characters'),
});

const DropOffChanges = z.strictObject({
  stop: z
    .number()
    .int()
    .min(1)
    .max(MOST_DROP_OFFS)
    .exactOptional()
    .describe('Number of the drop-off from 1. The default is its place in this list'),
  ...anywhere,
  coordinates: CoordinatesBody.exactOptional().describe(
    'Until the courier arrives, at most 500 m from the first place. The price stays',
  ),
  address: AddressBody.exactOptional().describe('Until the courier arrives'),
  window: WindowBody.nullable().exactOptional().describe('Until the goods are collected'),
  items: z
    .array(ItemBody)
    .max(MOST_ITEMS)
    .exactOptional()
    .describe('Until the goods are collected; replaces the whole list of at most 100 kinds'),
  verification: DropOffDemandsBody.exactOptional(),
  order_value: MinorUnits.exactOptional().describe('Until the goods are collected, in minor units'),
});

/** The changes of an open delivery. A field that is absent stays as it is. */
export const UpdateBody = z
  .strictObject({
    pickup: PickupChanges.exactOptional(),
    drop_off: z.preprocess(asArray, z.array(DropOffChanges).min(1).max(MOST_DROP_OFFS)).exactOptional(),
    tip: MinorUnits.exactOptional().describe('Tip in minor units. It can only rise. The wallet reserves the rise'),
    custom: CustomBody.exactOptional().describe('Your own data; replaces all of it'),
  })
  .transform(({ pickup, drop_off: dropOffs = [], ...rest }): Omit<UpdateDelivery, 'deliveryId' | 'ifVersion'> => ({
    ...rest,
    stops: [
      ...(pickup === undefined ? [] : [pickupEdit(pickup)]),
      ...dropOffs.map((dropOff, index) => dropOffEdit(dropOff, index + 1)),
    ],
  }))
  .refine(({ stops }) => new Set(stops.map(({ stop }) => stop)).size === stops.length, {
    error: 'must name each stop once',
    path: ['drop_off'],
  });

function pickupEdit({ business_name: businessName, ...same }: z.output<typeof PickupChanges>): StopEdit {
  return { stop: 0, ...same, ...(businessName === undefined ? {} : { businessName }) };
}

function dropOffEdit(
  { stop, coordinates: place, order_value: orderValue, ...same }: z.output<typeof DropOffChanges>,
  index: number,
): StopEdit {
  return {
    stop: stop ?? index,
    ...same,
    ...(place === undefined ? {} : { place }),
    ...(orderValue === undefined ? {} : { orderValue }),
  };
}
