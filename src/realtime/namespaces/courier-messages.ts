import { endingOf, givenBy, namedBy, triesOf, type ActBody } from '../../domain/couriers/courier-actions.ts';
import { type FixTuple, fixOf } from '../../domain/couriers/fix-tuple.ts';
import type { z } from 'zod';
import type { Caller } from '../../domain/access.ts';
import type { Delivery } from '../../domain/deliveries/delivery.ts';
import type { DeliveryId } from '../../domain/ids.ts';
import { arriveAtStop, deliverStop, depart, failStop, pickUp } from '../../dispatch/deliveries/advance-delivery.ts';
import { addProof } from '../../dispatch/record-proof.ts';
import { acceptOffer, declineOffer } from '../../dispatch/offers/answer-offer.ts';
import { recordPositions, type Recorded } from '../../dispatch/couriers/record-positions.ts';
import { unassignCourier } from '../../dispatch/offers/unassign-courier.ts';
import type { Context } from '../../ports/context.ts';
import { message, type Messages } from '../handle.ts';
import * as wire from '../protocol.ts';
import { readerMessages } from './reader-messages.ts';
import type { Parts } from './parts.ts';
import type { ClientSocket } from '../sockets.ts';

export type CourierConnection = {
  readonly socket: ClientSocket;
  readonly caller: Extract<Caller, { type: 'courier' }>;
};
type Me = CourierConnection;

/** The messages of a courier. The id of the courier comes from the connection, never from a message. */
export function courierMessages(
  ctx: Context,
  parts: Pick<Parts, 'connections' | 'replay'>,
): Messages<CourierConnection> {
  return new Map([
    ...readerMessages<Me>(ctx, '/courier', parts),
    ['ping', message(wire.PingBody, (me: Me, { fixes }) => takePing(ctx, me, fixes))],
    [
      'offer.accept',
      message(wire.OfferBody, async ({ caller }: Me, { offer_id: offerId }) =>
        onDelivery(await acceptOffer(ctx, { offerId }, caller)),
      ),
    ],
    [
      'offer.decline',
      message(wire.OfferBody, async ({ caller }: Me, { offer_id: offerId, reason }) => {
        await declineOffer(ctx, { offerId, reason: reason ?? null }, caller);
        return {};
      }),
    ],
    [
      'stop.arrive',
      message(wire.ArriveBody, async ({ caller }: Me, body) =>
        onDelivery(await arriveAtStop(ctx, { ...acting(body), stop: body.stop }, caller)),
      ),
    ],
    [
      'delivery.pick_up',
      message(wire.CarryBody, async ({ caller }: Me, body) => {
        await addProof(ctx, { ...acting(body), stop: 0, given: givenBy(body) }, caller);
        return onDelivery(await pickUp(ctx, acting(body), caller));
      }),
    ],
    [
      'delivery.depart',
      message(wire.DepartBody, async ({ caller }: Me, body) => onDelivery(await depart(ctx, acting(body), caller))),
    ],
    [
      'delivery.deliver',
      message(wire.DeliverBody, async ({ caller }: Me, body) => {
        await addProof(ctx, { ...acting(body), stop: body.stop, given: givenBy(body) }, caller);
        return onDelivery(await deliverStop(ctx, { ...acting(body), stop: body.stop }, caller));
      }),
    ],
    [
      'delivery.fail',
      message(wire.FailBody, async ({ caller }: Me, { stop, reason, contact_tries: tries, ...body }) => {
        const command = { ...acting(body), stop, reason, contactTries: triesOf(tries) };
        return onDelivery(await failStop(ctx, command, caller));
      }),
    ],
    [
      'delivery.release',
      message(wire.ReleaseBody, async ({ caller }: Me, { delivery_id: deliveryId, ...body }) =>
        onDelivery(await unassignCourier(ctx, { deliveryId, ...endingOf(body) }, caller)),
      ),
    ],
  ]);
}

function takePing(ctx: Context, { caller }: Me, tuples: readonly FixTuple[]): object {
  return pingAnswer(recordPositions(ctx, caller.courierId, tuples.map(fixOf)));
}

function pingAnswer({ seq, accepted, dropped, reason, slowDownMs }: Recorded): z.output<typeof wire.PingAnswer> {
  const answer = { seq, accepted, dropped };
  // Nearly every ping gets this short answer, so nothing is copied for it.
  if (reason === undefined) return answer;
  return { ...answer, reason, ...(slowDownMs === undefined ? {} : { slow_down_ms: slowDownMs }) };
}

type Acting = Parameters<typeof pickUp>[1];

function acting(body: z.output<typeof ActBody> & { readonly delivery_id: DeliveryId }): Acting {
  return { deliveryId: body.delivery_id, overrideReason: body.override_reason ?? null, ...namedBy(body) };
}

/** The answer to a command on a delivery. */
export function onDelivery({ id, state, sequence }: Delivery): object {
  return { delivery_id: id, status: state, sequence };
}
