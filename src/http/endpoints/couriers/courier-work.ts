import { acceptOffer, declineOffer } from '../../../dispatch/offers/answer-offer.ts';
import { listOffers } from '../../../dispatch/offers/list-offers.ts';
import { DeclineBody } from '../../../domain/couriers/courier-actions.ts';
import { OfferView } from '../../../domain/offers/offer-view.ts';
import { CourierDelivery, presentForCourier } from '../../../domain/views/courier-delivery.ts';
import { viewDelivery } from '../../../dispatch/deliveries/view-delivery.ts';
import { AnyDelivery, answerCarried } from '../../answers.ts';
import { endpoint } from '../../endpoint.ts';
import { listOf } from '../../lists.ts';
import { CarriedListQuery } from '../../wire/deliveries/delivery-list.ts';

const tag = 'Couriers';

/** The deliveries and offers of a courier. Their app needs no socket for them. */
export const COURIER_WORK = [
  endpoint({
    route: 'GET /couriers/{id}/deliveries',
    name: 'listCourierDeliveries',
    tag,
    summary: 'List the deliveries that a courier has or ended, newest first',
    description:
      'Returns the deliveries that a courier has now or had at their end, newest first. A courier sees the ' +
      'stops, the goods and their own work, and no prices. After the end of a delivery they no longer see ' +
      'contacts and instructions. With `status=assigned,picked_up,in_transit` the list has only the ' +
      'deliveries that the courier carries now. A page that is narrowed by `status` may have fewer items ' +
      'than `limit` and still have a next page.',
    id: 'courier',
    query: CarriedListQuery,
    reply: listOf(AnyDelivery),
    status: 200,
    run: async (ctx, { caller, id, query, url }) => {
      // A courier's token proves that they exist. Staff may send a wrong id.
      if (caller.type === 'staff') await ctx.couriers.get(id);
      return answerCarried(ctx, id, caller, query, url);
    },
  }),
  endpoint({
    route: 'GET /couriers/{id}/offers',
    name: 'listOffers',
    tag,
    summary: 'List the open offers of a courier; if the courier reads them, they count as shown',
    description:
      'Returns the offers that a courier can answer now; a courier has one at most. If the courier reads an ' +
      'offer here, it counts as shown, as if their socket had acknowledged it. Each offer shows the clock ' +
      'of the server, so that the app can count down correctly.',
    id: 'courier',
    reply: listOf(OfferView),
    status: 200,
    run: async (ctx, { caller, id }) => {
      if (caller.type === 'staff') await ctx.couriers.get(id);
      const data = await listOffers(ctx, id, caller);
      return { object: 'list' as const, data: [...data], has_more: false, next_cursor: null };
    },
  }),
  endpoint({
    route: 'POST /couriers/{id}/offers/{offer_id}/accept',
    name: 'acceptOffer',
    tag,
    summary: 'Accept an offer, which assigns the delivery to the courier',
    description:
      'Assigns the offered delivery to the courier. Accepting the same offer again gives the same answer. ' +
      'The answer is 409 `offer_expired` after its time, and 409 `offer_taken` if the offer was withdrawn or ' +
      'was answered otherwise. An offer of another courier answers 404, like an absent one.',
    id: 'courier',
    part: 'offer',
    reply: CourierDelivery,
    status: 200,
    run: async (ctx, { caller, part: offerId }) => {
      const delivery = await acceptOffer(ctx, { offerId }, caller);
      return presentForCourier(await viewDelivery(ctx, delivery));
    },
  }),
  endpoint({
    route: 'POST /couriers/{id}/offers/{offer_id}/decline',
    name: 'declineOffer',
    tag,
    summary: 'Decline an offer; the courier gets no offer for this delivery for an hour',
    description:
      'Declines an offer. The courier receives no other offer for this delivery for an hour. Declining the ' +
      'same offer again changes nothing.',
    id: 'courier',
    part: 'offer',
    body: DeclineBody,
    status: 204,
    run: async (ctx, { caller, part: offerId, body }) =>
      declineOffer(ctx, { offerId, reason: body.reason ?? null }, caller),
  }),
];
