import { cancelling } from './cancelling.ts';
import { quoteDelivery } from '../../../dispatch/deliveries/quote-delivery.ts';
import { DeliveryView } from '../../../domain/deliveries/delivery-view.ts';
import { answerCreate, answerLink, answerList, answerLiveLocation, deliveryAnswer, getVisible } from '../../answers.ts';
import { endpoint } from '../../endpoint.ts';
import { listOf } from '../../lists.ts';
import { expressOwner } from '../../owner.ts';
import { NewDeliveryBody, NewQuoteBody } from '../../wire/deliveries/delivery.ts';
import { DeliveryListQuery } from '../../wire/deliveries/delivery-list.ts';
import { presentQuote, QuoteView } from '../../wire/deliveries/quote.ts';
import { LinkView, LiveLocationView } from '../../wire/deliveries/tracking.ts';

const tag = 'Express';

/** The deliveries of external businesses. */
export const EXPRESS = [
  endpoint({
    route: 'POST /express/deliveries',
    tag,
    summary: 'Create a delivery with a pickup and one or more drop-offs',
    body: NewDeliveryBody,
    reply: DeliveryView,
    status: 201,
    also: { 200: 'The delivery that an earlier request with the same external_id and content created' },
    run: (ctx, { caller, body }) =>
      answerCreate(ctx, caller, expressOwner(caller, body.owner), body, '/express/deliveries'),
  }),
  endpoint({
    route: 'POST /express/quotes',
    tag,
    summary: 'Quote the price of a delivery without creating it',
    body: NewQuoteBody,
    reply: QuoteView,
    status: 201,
    run: async (ctx, { caller, body }) => {
      const { vendorId, liveMode } = expressOwner(caller, body.owner);
      return presentQuote(await quoteDelivery(ctx, { ...body.content, vendorId, liveMode }));
    },
  }),
  cancelling('POST /express/deliveries/{id}/cancel', tag),
  endpoint({
    route: 'GET /express/deliveries/{id}',
    tag,
    summary: 'Read a delivery with its state and expected arrival',
    id: 'delivery',
    reply: DeliveryView,
    status: 200,
    run: async (ctx, { caller, id }) => deliveryAnswer(ctx, await getVisible(ctx, caller, id)),
  }),
  endpoint({
    route: 'GET /express/deliveries',
    tag,
    summary: 'List the deliveries made through the express paths, newest first',
    query: DeliveryListQuery,
    reply: listOf(DeliveryView),
    status: 200,
    run: (ctx, { caller: { vendorId, liveMode }, query, url }) =>
      answerList(ctx, { vendorId, liveMode, channel: 'express' }, query, url),
  }),
  endpoint({
    route: 'GET /express/deliveries/{id}/tracking-link',
    tag,
    summary: 'Get the tracking links of the recipients, one for each drop-off',
    id: 'delivery',
    reply: LinkView,
    status: 200,
    run: async (ctx, { caller, id }) => answerLink(ctx, await getVisible(ctx, caller, id)),
  }),
  endpoint({
    route: 'GET /express/deliveries/{id}/tracking',
    tag,
    summary: 'Read the location of the courier and the expected arrival',
    id: 'delivery',
    reply: LiveLocationView,
    status: 200,
    run: async (ctx, { caller, id }) => answerLiveLocation(ctx, await getVisible(ctx, caller, id)),
  }),
];
