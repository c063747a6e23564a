import type { z } from 'zod';
import { arriveAtStop, deliverStop, depart, failStop, pickUp } from '../../../dispatch/deliveries/advance-delivery.ts';
import { unassignCourier } from '../../../dispatch/offers/unassign-courier.ts';
import { addProof } from '../../../dispatch/record-proof.ts';
import {
  ActBody,
  endingOf,
  givenBy,
  GiveUpBody,
  HandoverBody,
  namedBy,
  TakeBackBody,
  triesOf,
} from '../../../domain/couriers/courier-actions.ts';
import { AnyDelivery, answerFor, answerStatus, answerStored } from '../../answers.ts';
import { endpoint } from '../../endpoint.ts';
import { StatusView } from '../../wire/deliveries/delivery.ts';

const tag = 'Deliveries';

/** The actions of a courier on a delivery. Staff may do for them what the table of transitions allows staff to do. */
export const STOP_ACTIONS = [
  endpoint({
    route: 'POST /deliveries/{id}/stops/{stop}/arrive',
    name: 'arriveAtStop',
    tag,
    summary: 'Arrive at a stop; stop 0 is the pickup, where the arrival starts the wait clock',
    description:
      'Records that the courier is at a stop. Stop 0 is the pickup, where the wait clock starts. Drop-offs ' +
      'count from 1. The courier must be within 300 m of the stop, by a position that is at most 2 minutes ' +
      'old, or give an `override_reason`. If the courier is there already, the answer is 200 and nothing ' +
      'changes.',
    id: 'delivery',
    part: 'stop',
    body: ActBody,
    reply: AnyDelivery,
    status: 200,
    run: async (ctx, { caller, id, part: stop, body }) =>
      answerFor(ctx, caller, await arriveAtStop(ctx, { ...acting(id, body), stop }, caller)),
  }),
  endpoint({
    route: 'POST /deliveries/{id}/pick-up',
    name: 'pickUpDelivery',
    tag,
    summary: 'Collect the goods at the pickup',
    description:
      'Records that the courier has the goods. The courier must be within 300 m of the pickup or give an ' +
      '`override_reason`. Dispatchers may record it for them. If the pickup requires proof, the answer is 409 ' +
      '`proof_required` until it is complete. Repeating the request changes nothing.',
    id: 'delivery',
    body: HandoverBody,
    reply: AnyDelivery,
    status: 200,
    run: async (ctx, { caller, id, body }) => {
      await addProof(ctx, { ...acting(id, body), stop: 0, given: givenBy(body) }, caller);
      return answerFor(ctx, caller, await pickUp(ctx, acting(id, body), caller));
    },
  }),
  endpoint({
    route: 'POST /deliveries/{id}/depart',
    name: 'departFromPickup',
    tag,
    summary: 'Leave the pickup with the goods',
    description:
      'Records that the courier leaves the pickup with the goods. The server also records it by itself, ' +
      'once the courier is 100 m away or 60 s after the pickup. If the courier is on the way already, ' +
      'nothing changes.',
    id: 'delivery',
    body: ActBody,
    reply: AnyDelivery,
    status: 200,
    run: async (ctx, { caller, id, body }) => answerFor(ctx, caller, await depart(ctx, acting(id, body), caller)),
  }),
  endpoint({
    route: 'POST /deliveries/{id}/stops/{stop}/deliver',
    name: 'deliverAtStop',
    tag,
    summary: 'Hand over the goods of a drop-off; the last one ends the delivery',
    description:
      'Records that the courier handed over the goods of one drop-off. The last open drop-off ends the ' +
      'delivery. The courier must be within 300 m of the stop or give an `override_reason`. Dispatchers may ' +
      'record it for them. If the stop requires proof, the answer is 409 `proof_required` until it is complete. ' +
      'Repeating the request changes nothing.',
    id: 'delivery',
    part: 'stop',
    body: HandoverBody,
    reply: AnyDelivery,
    status: 200,
    run: async (ctx, { caller, id, part: stop, body }) => {
      await addProof(ctx, { ...acting(id, body), stop, given: givenBy(body) }, caller);
      return answerFor(ctx, caller, await deliverStop(ctx, { ...acting(id, body), stop }, caller));
    },
  }),
  endpoint({
    route: 'POST /deliveries/{id}/stops/{stop}/fail',
    name: 'failAtStop',
    tag,
    summary: 'Give up a drop-off that cannot be served',
    description:
      'Records that a drop-off cannot be served. A courier must have waited at the stop for 5 minutes, and ' +
      'must name two tries to reach the recipient that are at least one minute apart. Dispatchers need ' +
      'neither. If no drop-off was served, the delivery fails, and its goods come back as a return unless ' +
      'the vendor asked otherwise. Repeating the request changes nothing.',
    id: 'delivery',
    part: 'stop',
    body: GiveUpBody,
    reply: AnyDelivery,
    status: 200,
    run: async (ctx, { caller, id, part: stop, body }) => {
      const { reason, contact_tries: tries, ...rest } = body;
      const command = { ...acting(id, rest), stop, reason, contactTries: triesOf(tries) };
      return answerFor(ctx, caller, await failStop(ctx, command, caller));
    },
  }),
  endpoint({
    route: 'POST /deliveries/{id}/release',
    name: 'releaseDelivery',
    tag,
    summary: 'Take a delivery from its courier before the pickup, and search again',
    description:
      'Takes a delivery from its courier before the pickup, and searches for another one. A courier gives ' +
      'back their own delivery and receives no further offer for it. A vendor may do it once the pickup is ' +
      '10 minutes late, unless the courier arrived there earlier than that. `courier_id` and `assigned_at` make a retry safe: ' +
      'it never takes the delivery from another courier, nor from the same one after a later assignment. ' +
      'The answer is 409 `too_many_releases` after five releases, except for staff.',
    id: 'delivery',
    body: TakeBackBody,
    reply: StatusView,
    status: 200,
    run: async (ctx, { caller, id, body }) => {
      const after = await unassignCourier(ctx, { deliveryId: id, ...endingOf(body) }, caller);
      // A courier who has given the delivery back sees this alone, as their release left it.
      return caller.type === 'courier' ? answerStored(after) : answerStatus(ctx, after);
    },
  }),
];

type Acting = Parameters<typeof pickUp>[1];

function acting(deliveryId: Acting['deliveryId'], body: z.output<typeof ActBody>): Acting {
  return { deliveryId, overrideReason: body.override_reason ?? null, ...namedBy(body) };
}
