import { trackState } from '../../../dispatch/deliveries/track-state.ts';
import type { Delivery } from '../../../domain/deliveries/delivery.ts';
import type { DomainEvent } from '../../../domain/deliveries/events.ts';
import { present } from '../../../domain/views/present-event.ts';
import { isTerminal } from '../../../domain/deliveries/lifecycle.ts';
import { Refusal } from '../../../domain/refusals/refusals.ts';
import type { PageMark } from '../../../ports/pages.ts';
import { answerStatus, getVisible } from '../../answers.ts';
import { endpoint } from '../../endpoint.ts';
import type { HttpContext } from '../../http-context.ts';
import { listAnswer, listOf, pageRequest } from '../../lists.ts';
import { StatusView } from '../../wire/deliveries/delivery.ts';
import { OwnListQuery } from '../../wire/deliveries/delivery-list.ts';
import { HistoryEventView } from '../../wire/webhooks/event.ts';
import { TrackView } from '../../../domain/views/track-view.ts';
import { linking, locating } from './following.ts';

const tag = 'Tracking';

/** How each kind of caller sees events. Internal services see what staff see. */
const AUDIENCE_OF = { vendor: 'vendor', courier: 'courier', staff: 'staff', internal: 'staff' } as const;

/** Tracking of a delivery. */
export const TRACKING = [
  endpoint({
    route: 'GET /deliveries/{id}/status',
    name: 'getDeliveryStatus',
    tag,
    summary: 'Read only the current state',
    description:
      'Returns only the state, the stage and the version. It is the cheapest read for callers who poll. Webhooks ' +
      'need no polling at all.',
    id: 'delivery',
    reply: StatusView,
    status: 200,
    run: async (ctx, { caller, id }) => answerStatus(ctx, await getVisible(ctx, caller, id)),
  }),
  endpoint({
    route: 'GET /deliveries/{id}/history',
    name: 'listDeliveryEvents',
    tag,
    summary: 'List the events of a delivery, oldest first',
    description:
      'Returns the events of a delivery in their order, oldest first. `sequence` counts without gaps. Events of ' +
      'ended deliveries are removed after the retention time; then the answer is 410 `history_expired`.',
    id: 'delivery',
    query: OwnListQuery,
    reply: listOf(HistoryEventView),
    status: 200,
    refuses: [410],
    run: async (ctx, { caller, id, query, url }) => {
      const delivery = await getVisible(ctx, caller, id);
      const scope = `history ${id}`;
      const { limit, after } = pageRequest(ctx.signer, scope, query);
      // One event more than requested shows whether there is a next page.
      const found = await ctx.eventLog.list(id, after?.at ?? 0, limit + 1);
      refuseGone(ctx, delivery, after?.at ?? 0, found, limit);
      const page = found.slice(0, limit);
      const last = page.at(-1);
      const next: PageMark | null =
        found.length > limit && last !== undefined ? { at: last.sequence, id: last.id } : null;
      const audience = AUDIENCE_OF[caller.type];
      const data = page.map((event) => present(event, audience));
      return listAnswer(ctx.signer, scope, url, { data, next });
    },
  }),
  linking('GET /deliveries/{id}/tracking-url', { name: 'getTrackingUrl', tag }),
  locating('GET /deliveries/{id}/live-location', { name: 'getLiveLocation', tag }),
  endpoint({
    route: 'GET /t/{token}/state',
    name: 'getTrackingState',
    tag,
    summary: "Read the state that the recipient's page shows",
    description:
      'Returns what the recipient of one drop-off may see: the state and their own stop. The socket `/track` also ' +
      'shows the position of the courier. The token in the path is the credential.',
    id: 'link',
    reply: TrackView,
    status: 200,
    run: async (ctx, { id }) => {
      const { delivery, caller } = await ctx.links.open(id);
      return trackState(ctx, delivery, caller.stop);
    },
  }),
];

/** Refuses `history_expired` if events after this number were removed, so that no reader mistakes a part for the whole. */
function refuseGone(
  { clock, settings }: Pick<HttpContext, 'clock' | 'settings'>,
  { state, sequence, times }: Delivery,
  after: number,
  found: readonly DomainEvent[],
  limit: number,
): void {
  const isOld = isTerminal(state) && clock.now() - times.updatedAt >= settings.retention.eventsMs;
  // A refund long after the end leaves an event behind that has none before it.
  const isWhole = found.every((event, index) => event.sequence === after + index + 1);
  const isToTheEnd = found.length > limit || after + found.length >= sequence;
  if (!isWhole || (isOld && !isToTheEnd)) throw new Refusal('history_expired');
}
