import { cancelling, previewing } from './cancelling.ts';
import type { z } from 'zod';
import { updateDelivery } from '../../../dispatch/deliveries/update/update-delivery.ts';
import { DeliveryView } from '../../../domain/deliveries/delivery-view.ts';
import { Refusal } from '../../../domain/refusals/refusals.ts';
import type { DeliveryFilter } from '../../../ports/deliveries.ts';
import {
  AnyDelivery,
  answerCreate,
  answerFor,
  answerList,
  answerRead,
  deliveryAnswer,
  getVisible,
} from '../../answers.ts';
import { endpoint } from '../../endpoint.ts';
import { listOf } from '../../lists.ts';
import type { CallerOf } from '../../policy.ts';
import { ownerOf, refuseOther } from '../../owner.ts';
import { NewDeliveryBody } from '../../wire/deliveries/delivery.ts';
import { UpdateBody } from '../../wire/deliveries/update.ts';
import { PlatformListQuery } from '../../wire/deliveries/delivery-list.ts';

const tag = 'Deliveries';

/** The deliveries of all channels. */
export const DELIVERIES = [
  endpoint({
    route: 'POST /deliveries',
    name: 'createDelivery',
    tag,
    summary: 'Create a delivery; staff and internal services must name the vendor',
    description:
      'Creates a delivery for any channel and starts the search for a courier. A vendor creates for its own ' +
      'account. Staff and internal services name the vendor with `vendor_id` and `live_mode`. Send `external_id` ' +
      'to make the create safe to repeat. The wallet of the vendor reserves the fee and the tip. If it has less ' +
      'available, the answer is 402 `insufficient_funds` and nothing is created.',
    body: NewDeliveryBody,
    reply: DeliveryView,
    status: 201,
    refuses: [402, 404],
    also: { 200: 'The delivery that an earlier request with the same external_id and content created' },
    run: (ctx, { caller, body, newId }) =>
      answerCreate(ctx, caller, ownerOf(caller, body.owner), body, '/deliveries', newId('del')),
  }),
  endpoint({
    route: 'PATCH /deliveries/{id}',
    name: 'updateDelivery',
    tag,
    summary: 'Change an open delivery',
    description:
      'Changes fields of a delivery that has not ended. Fields that are absent stay as they are. Each field says ' +
      'until when it can change. Later the answer is 409 `update_not_allowed` with a reason. Send `If-Match` with ' +
      'the `ETag` of your last read to refuse the change if the delivery has changed since.',
    id: 'delivery',
    ifMatch: true,
    refuses: [402],
    body: UpdateBody,
    reply: DeliveryView,
    status: 200,
    run: async (ctx, { caller, id, body, ifMatch }) => {
      const command = { deliveryId: id, ifVersion: versionOf(ifMatch), ...body };
      return deliveryAnswer(ctx, await updateDelivery(ctx, command, caller));
    },
  }),
  cancelling('POST /deliveries/{id}/cancel', { name: 'cancelDelivery', tag }),
  previewing('GET /deliveries/{id}/cancel-preview', { name: 'previewCancelDelivery', tag }),
  endpoint({
    route: 'GET /deliveries/{id}',
    name: 'getDelivery',
    tag,
    summary: 'Read a delivery',
    description:
      'Returns the full delivery with its state, stops and expected arrivals. `ETag` is the version of the ' +
      'delivery, for `If-Match`.',
    id: 'delivery',
    reply: AnyDelivery,
    status: 200,
    run: async (ctx, { caller, id }) => {
      const delivery = await getVisible(ctx, caller, id);
      return caller.type === 'courier' ? answerFor(ctx, caller, delivery) : answerRead(ctx, delivery);
    },
  }),
  endpoint({
    route: 'GET /deliveries',
    name: 'listDeliveries',
    tag,
    summary: 'List deliveries, newest first',
    description:
      'Returns deliveries of all channels, newest first, in pages. A vendor sees its own deliveries. Staff and ' +
      'internal services see all of them and can filter by vendor.',
    query: PlatformListQuery,
    reply: listOf(DeliveryView),
    status: 200,
    refuses: [404],
    run: (ctx, { caller, query, url }) => answerList(ctx, reachOf(caller, query), query, url),
  }),
];

/** The deliveries that the caller may list, narrowed by the query. */
function reachOf(caller: CallerOf<'GET /deliveries'>, asked: z.output<typeof PlatformListQuery>): DeliveryFilter {
  const { vendor_id: vendorId, live_mode: liveMode } = asked;
  if (caller.type !== 'vendor') {
    return {
      ...(vendorId === undefined ? {} : { vendorId }),
      ...(liveMode === undefined ? {} : { liveMode }),
    };
  }
  refuseOther(caller, { vendorId: vendorId ?? null, liveMode: liveMode ?? null });
  return { vendorId: caller.vendorId, liveMode: caller.liveMode };
}

/** The version that `If-Match` requires. A tag that this server did not make is refused. */
export function versionOf(ifMatch: string | undefined): number | null {
  if (ifMatch === undefined || ifMatch.trim() === '*') return null;
  const version = /^\s*(?:W\/)?"?(\d{1,15})"?\s*$/.exec(ifMatch)?.[1];
  if (version === undefined) {
    throw new Refusal('stale_version', {
      detail: '`If-Match` must be the `ETag` of an answer of this object, such as `"3"`.',
    });
  }
  return Number(version);
}
