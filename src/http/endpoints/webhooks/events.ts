import { present } from '../../../domain/views/present-event.ts';
import { readSpan } from '../../../vendors/read-span.ts';
import { Refusal } from '../../../domain/refusals/refusals.ts';
import { endpoint } from '../../endpoint.ts';
import { listAnswer, listOf, mapPage, pageRequest } from '../../lists.ts';
import { EventListQuery, EventView } from '../../wire/webhooks/event.ts';

const tag = 'Webhooks';

/** The events of a vendor, as its webhooks get them. */
export const EVENTS = [
  endpoint({
    route: 'GET /events',
    name: 'listEvents',
    tag,
    summary: 'List the events of the account',
    description:
      'Lists the events of the account and mode, newest first, in the form in which webhooks send them. Use it to ' +
      'catch up after an outage. A page with `type` may have fewer events than `limit` and still have a next page.',
    query: EventListQuery,
    reply: listOf(EventView),
    status: 200,
    run: async (ctx, { caller: { vendorId, liveMode }, query, url }) => {
      const filter = {
        vendorId,
        liveMode,
        ...(query.type === undefined ? {} : { type: query.type }),
        ...(query.delivery_id === undefined ? {} : { deliveryId: query.delivery_id }),
        ...(query.date_range === undefined ? {} : await readSpan(ctx, vendorId, query.date_range)),
      };
      const scope = `events ${JSON.stringify(filter)}`;
      const page = await ctx.eventLog.listOwn(filter, pageRequest(ctx.signer, scope, query));
      return listAnswer(
        ctx.signer,
        scope,
        url,
        mapPage(page, (event) => present(event, 'webhook')),
      );
    },
  }),
  endpoint({
    route: 'GET /events/{id}',
    name: 'getEvent',
    tag,
    summary: 'Read one event',
    description: 'Reads an event of the account and mode, in the form in which webhooks send it.',
    id: 'event',
    reply: EventView,
    status: 200,
    run: async (ctx, { caller, id }) => {
      const event = await ctx.eventLog.findOwn(caller, id);
      if (event === null) throw new Refusal('event_not_found');
      return present(event, 'webhook');
    },
  }),
];
