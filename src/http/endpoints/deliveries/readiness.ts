import { delayPickup } from '../../../dispatch/deliveries/delay-pickup.ts';
import { markReady } from '../../../dispatch/deliveries/mark-ready.ts';
import { DeliveryView } from '../../../domain/deliveries/delivery-view.ts';
import { deliveryAnswer } from '../../answers.ts';
import { endpoint } from '../../endpoint.ts';
import { DelayBody, ReadyBody } from '../../wire/deliveries/readiness.ts';
import { versionOf } from './deliveries.ts';

const tag = 'Vendor';

/** The vendor's reports about goods that are not collected yet. */
export const READINESS = [
  endpoint({
    route: 'PATCH /vendor/deliveries/{id}/ready',
    name: 'markDeliveryReady',
    tag,
    summary: 'Report that the goods are ready',
    description:
      'Tells the courier that the goods can be collected. If nobody is assigned yet, the matcher uses the new ' +
      'time. A second report changes nothing.',
    id: 'delivery',
    ifMatch: true,
    body: ReadyBody,
    reply: DeliveryView,
    status: 200,
    run: async (ctx, { caller, id, body, ifMatch }) => {
      const command = { deliveryId: id, ifVersion: versionOf(ifMatch), readyAt: body };
      return deliveryAnswer(ctx, await markReady(ctx, command, caller));
    },
  }),
  endpoint({
    route: 'POST /vendor/deliveries/{id}/delay',
    name: 'delayPickup',
    tag,
    summary: 'Delay the pickup before the goods are collected',
    description:
      'Moves the time at which the goods will be ready. The courier sees the new time, and the expected arrivals ' +
      'are computed again.',
    id: 'delivery',
    body: DelayBody,
    reply: DeliveryView,
    status: 200,
    run: async (ctx, { caller, id, body }) =>
      deliveryAnswer(ctx, await delayPickup(ctx, { deliveryId: id, ...body }, caller)),
  }),
];
