import { cancelling, previewing } from './cancelling.ts';
import { quoteDelivery } from '../../../dispatch/deliveries/quote-delivery.ts';
import { DeliveryView } from '../../../domain/deliveries/delivery-view.ts';
import { answerCreate, answerList, getVisible, answerRead } from '../../answers.ts';
import { endpoint } from '../../endpoint.ts';
import { listOf } from '../../lists.ts';
import { expressOwner } from '../../owner.ts';
import { NewDeliveryBody, NewQuoteBody } from '../../wire/deliveries/delivery.ts';
import { DeliveryListQuery } from '../../wire/deliveries/delivery-list.ts';
import { presentQuote, QuoteView } from '../../wire/deliveries/quote.ts';
import { linking, locating } from './following.ts';

const tag = 'Express';

/** The deliveries of external businesses. */
export const EXPRESS = [
  endpoint({
    route: 'POST /express/deliveries',
    name: 'createExpressDelivery',
    tag,
    summary: 'Create a delivery with a pickup and one or more drop-offs',
    description:
      'Creates a delivery for the vendor of the API key and starts the search for a courier. A scheduled delivery ' +
      'is searched for shortly before its window. Send `external_id` to make the create safe to repeat: the same ' +
      'content answers 200 with the delivery that exists, and other content answers 409 `duplicate_delivery`. The ' +
      'wallet reserves the fee and the tip. If it has less available, the answer is 402 `insufficient_funds` and ' +
      'nothing is created.',
    body: NewDeliveryBody,
    reply: DeliveryView,
    status: 201,
    refuses: [402, 404],
    also: { 200: 'The delivery that an earlier request with the same external_id and content created' },
    run: (ctx, { caller, body, newId }) =>
      answerCreate(ctx, caller, expressOwner(caller, body.owner), body, '/express/deliveries', newId('del')),
  }),
  endpoint({
    route: 'POST /express/quotes',
    name: 'createQuote',
    tag,
    summary: 'Quote the price of a delivery without creating it',
    description:
      'Prices a delivery and promises that price until `expires_at`. No delivery is created. Send the id of the ' +
      'quote as `quote_id` with the create to get this price.',
    body: NewQuoteBody,
    reply: QuoteView,
    status: 201,
    refuses: [404],
    run: async (ctx, { caller, body, newId }) => {
      const { vendorId, liveMode } = expressOwner(caller, body.owner);
      return presentQuote(await quoteDelivery(ctx, { ...body.content, vendorId, liveMode }, newId('qte')));
    },
  }),
  cancelling('POST /express/deliveries/{id}/cancel', { name: 'cancelExpressDelivery', tag }),
  previewing('GET /express/deliveries/{id}/cancel-preview', { name: 'previewCancelExpressDelivery', tag }),
  endpoint({
    route: 'GET /express/deliveries/{id}',
    name: 'getExpressDelivery',
    tag,
    summary: 'Read a delivery with its state and expected arrival',
    description:
      'Returns the delivery with its state, its stops and the expected arrival at each stop. `ETag` is the ' +
      'version of the delivery, for `If-Match`.',
    id: 'delivery',
    reply: DeliveryView,
    status: 200,
    run: async (ctx, { caller, id }) => answerRead(ctx, await getVisible(ctx, caller, id)),
  }),
  endpoint({
    route: 'GET /express/deliveries',
    name: 'listExpressDeliveries',
    tag,
    summary: 'List the deliveries made through the express paths, newest first',
    description:
      'Returns the deliveries that the vendor created under `/express`, newest first, in pages. Ended deliveries ' +
      'are included.',
    query: DeliveryListQuery,
    reply: listOf(DeliveryView),
    status: 200,
    run: (ctx, { caller: { vendorId, liveMode }, query, url }) =>
      answerList(ctx, { vendorId, liveMode, channel: 'express' }, query, url),
  }),
  linking('GET /express/deliveries/{id}/tracking-link', { name: 'getExpressTrackingLink', tag }),
  locating('GET /express/deliveries/{id}/tracking', { name: 'getExpressTracking', tag }),
];
