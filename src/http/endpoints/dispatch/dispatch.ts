import { assignCourier } from '../../../dispatch/offers/assign-courier.ts';
import { getConfirmed } from '../../../dispatch/change-delivery.ts';
import { listCandidates } from '../../../dispatch/deliveries/view-delivery.ts';
import type { Alarm } from '../../../domain/alarm.ts';
import type { DeliveryView } from '../../../domain/deliveries/delivery-view.ts';
import { isoTime } from '../../../domain/time.ts';
import type { DeliveryId } from '../../../domain/ids.ts';
import { findRow, hasCourier } from '../../../domain/deliveries/lifecycle.ts';
import { Refusal } from '../../../domain/refusals/refusals.ts';
import { isSearchOn } from '../../../domain/deliveries/search.ts';
import { answerQueue, viewsWithLinks, viewWithLink } from '../../answers.ts';
import { Answer, endpoint } from '../../endpoint.ts';
import type { HttpContext } from '../../http-context.ts';
import { listAnswer, listOf, mapPage, pageRequest } from '../../lists.ts';
import type { CallerOf } from '../../policy.ts';
import {
  AlarmsQuery,
  AlarmView,
  AssignBody,
  AssignView,
  CandidatesQuery,
  CandidateView,
  DecisionsQuery,
  DecisionView,
  presentAlarm,
  presentDecision,
  QueueEntryView,
  QueueQuery,
} from '../../wire/dispatch/dispatch.ts';
import { presentSurgeCell, SurgeCellView, SurgeQuery } from '../../wire/dispatch/surge.ts';

const tag = 'Dispatch';

type DispatchRun = { object: 'dispatch_run'; delivery_id: DeliveryId };

/** Assignment by hand, and insight into the matcher. */
export const DISPATCH = [
  endpoint({
    route: 'POST /dispatch/assign',
    name: 'assignCourier',
    tag,
    summary: 'Assign a courier, or run the matcher for a delivery now',
    description:
      'Assigns the named courier to a delivery that is searching. Without `courier_id`, the matcher runs for the ' +
      'delivery at once and the answer is 202. Assigning the courier who already has the delivery succeeds and ' +
      'changes nothing.',
    body: AssignBody,
    reply: AssignView,
    status: 200,
    refuses: [404],
    also: { 202: 'The matcher runs for the delivery now' },
    run: async (ctx, { caller, body: { deliveryId, courierId, overrideReason } }) => {
      if (courierId === null) return askForRun(ctx, deliveryId, caller.type);
      const command = { deliveryId, courierId, offerId: null, overrideReason };
      return new Answer<DeliveryView | DispatchRun>(await viewWithLink(ctx, await assignCourier(ctx, command, caller)));
    },
  }),
  endpoint({
    route: 'GET /dispatch/candidates',
    name: 'listCandidates',
    tag,
    summary: 'List the couriers who could carry a delivery, nearest first',
    description:
      'Returns the couriers who could carry the delivery, nearest first, with their travel time, load and cost. A ' +
      'courier who may not carry it is listed with the reason.',
    query: CandidatesQuery,
    reply: listOf(CandidateView),
    status: 200,
    refuses: [404],
    run: async (ctx, { query }) => {
      const candidates = await listCandidates(ctx, query.delivery_id);
      const data = candidates.map(({ courier, distanceM, travelS, load, cost, reason }) => ({
        courier: { id: courier.id, name: courier.name, vehicle_type: courier.vehicleType },
        distance_m: Math.round(distanceM),
        travel_s: Math.round(travelS),
        load,
        cost,
        reason,
      }));
      return { object: 'list' as const, data, has_more: false, next_cursor: null };
    },
  }),
  endpoint({
    route: 'GET /dispatch/queue',
    name: 'listWaitingDeliveries',
    tag,
    summary: 'List deliveries that have waited too long for a courier, longest first',
    description: 'Returns the deliveries that are searching for a courier and have waited too long, longest first.',
    query: QueueQuery,
    reply: listOf(QueueEntryView),
    status: 200,
    run: (ctx, { query, url }) => answerQueue(ctx, query, url),
  }),
  endpoint({
    route: 'GET /dispatch/decisions/{id}',
    name: 'listDecisions',
    tag,
    summary: 'List the decisions of the matcher about a delivery with their reasons, newest first',
    description:
      'Returns what the matcher decided about a delivery and why, newest first: the couriers it compared, their ' +
      'costs and the reasons against them.',
    id: 'delivery',
    query: DecisionsQuery,
    reply: listOf(DecisionView),
    status: 200,
    run: async (ctx, { id, query, url }) => {
      const scope = `decisions ${id}`;
      await ctx.deliveries.get(id);
      const page = await ctx.decisions.list(id, pageRequest(ctx.signer, scope, query));
      return listAnswer(ctx.signer, scope, url, mapPage(page, presentDecision));
    },
  }),
  endpoint({
    route: 'GET /dispatch/alarms',
    name: 'listAlarms',
    tag,
    summary: 'List the open alarms with their deliveries, newest first',
    description:
      'Returns the open alarms with their deliveries, newest first. The dispatchers’ socket sends each alarm when it ' +
      'begins and when it ends. A client that may have missed a message reads this list.',
    query: AlarmsQuery,
    reply: listOf(AlarmView),
    status: 200,
    run: async (ctx, { query, url }) => {
      const scope = 'alarms';
      const page = await ctx.alarms.listOpen(pageRequest(ctx.signer, scope, query));
      const ids = new Set(page.items.flatMap(({ deliveryId }) => deliveryId ?? []));
      const views = await viewsWithLinks(ctx, await ctx.deliveries.findMany([...ids]));
      const present = (alarm: Alarm) => presentAlarm(alarm, views.find(({ id }) => id === alarm.deliveryId) ?? null);
      return listAnswer(ctx.signer, scope, url, mapPage(page, present));
    },
  }),
  endpoint({
    route: 'GET /dispatch/cells',
    name: 'listCells',
    tag,
    summary: 'List demand, supply and surge by cell',
    description: 'Returns demand, supply and surge of the asked map cells. Name the cells, or the bounds of a map.',
    query: SurgeQuery,
    reply: listOf(SurgeCellView),
    status: 200,
    run: async (ctx, { query: { cells, bounds, live_mode: liveMode } }) => {
      const known = await ctx.surge.listIn(cells ?? bounds ?? []);
      const asked = known.filter((each) => liveMode === undefined || each.liveMode === liveMode);
      const data = asked.toSorted((a, b) => (a.cell < b.cell ? -1 : 1)).map(presentSurgeCell);
      return { object: 'list' as const, data, has_more: false, next_cursor: null };
    },
  }),
];

/**
 * Triggers a run of the matcher. Refuses `already_assigned`, and `invalid_state_transition` if the delivery is not
 * searching for a courier.
 */
async function askForRun(
  ctx: HttpContext,
  id: DeliveryId,
  by: CallerOf<'POST /dispatch/assign'>['type'],
): Promise<Answer<DeliveryView | DispatchRun>> {
  const delivery = await getConfirmed(ctx, id);
  const { state, courierId, region } = delivery;
  if (hasCourier(state)) throw new Refusal('already_assigned', { metadata: { courier_id: courierId } });
  const found = findRow(state, 'assign', by);
  if (!found.ok) throw new Refusal(found.told);
  if (!isSearchOn(delivery, ctx.clock.now())) {
    const metadata = { search_from: isoTime(delivery.searchFromAt), search_until: isoTime(delivery.searchUntilAt) };
    const detail = `The server searches for a courier from ${metadata.search_from} until ${metadata.search_until} only.`;
    throw new Refusal('invalid_state_transition', { reason: 'search_not_on', detail, metadata });
  }
  ctx.bell.ring(region);
  return new Answer<DeliveryView | DispatchRun>({ object: 'dispatch_run', delivery_id: id }, { status: 202 });
}
