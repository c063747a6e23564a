import { readSpan } from '../vendors/read-span.ts';
import { newestPlaceOf } from '../dispatch/courier-place.ts';
import { momentOf } from '../dispatch/moment-of.ts';
import { z } from 'zod';
import { maySee, type Caller } from '../domain/access.ts';
import { pinOf } from '../domain/proof/pin.ts';
import { lastVisitOf, stopAt, type Delivery } from '../domain/deliveries/delivery.ts';
import { DeliveryView } from '../domain/deliveries/delivery-view.ts';
import { CourierDelivery, presentForCourier } from '../domain/views/courier-delivery.ts';
import { isoTime } from '../domain/time.ts';
import { etaOf, momentWithout } from '../domain/deliveries/eta.ts';
import type { CourierId, DeliveryId, LinkId } from '../domain/ids.ts';
import { linkEndsAt } from '../domain/views/link.ts';
import { presentDelivery } from '../domain/views/present-delivery.ts';
import { Refusal } from '../domain/refusals/refusals.ts';
import type { DeliveryFilter } from '../ports/deliveries.ts';
import { createDelivery } from '../dispatch/deliveries/create-delivery.ts';
import { listQueue } from '../dispatch/due/list-queue.ts';
import { listLegs, viewDelivery, viewMany } from '../dispatch/deliveries/view-delivery.ts';
import { Answer } from './endpoint.ts';
import type { HttpContext } from './http-context.ts';
import { listAnswer, pageRequest, type List } from './lists.ts';
import type { CallerOf } from './policy.ts';
import { contentHash, type AskedDelivery, type StatusView } from './wire/deliveries/delivery.ts';
import type { CarriedListQuery, DeliveryListQuery } from './wire/deliveries/delivery-list.ts';
import { presentQueueEntry, type QueueEntryView, type QueueQuery } from './wire/dispatch/dispatch.ts';
import {
  presentLiveLocation,
  refuseWithoutCourier,
  type LinkView,
  type LiveLocationView,
} from './wire/deliveries/tracking.ts';
import type { ownerOf } from './owner.ts';

/** The callers who may read a single delivery. */
export type Reader = CallerOf<'GET /deliveries/{id}'>;

/** Reads a delivery for this caller. Refuses `delivery_not_found`, also if it belongs to another vendor. */
export async function getVisible(ctx: HttpContext, caller: Caller, id: DeliveryId): Promise<Delivery> {
  const delivery = await ctx.deliveries.get(id);
  if (!maySee(caller, delivery)) throw new Refusal('delivery_not_found');
  return delivery;
}

/** Creates the answer for vendor and staff, with the version as `ETag`. */
export async function deliveryAnswer(ctx: HttpContext, delivery: Delivery): Promise<Answer<DeliveryView>> {
  return new Answer(await viewWithLink(ctx, delivery), { headers: { ETag: etagOf(delivery) } });
}

/** Answers a read of one delivery by vendor or staff. It alone has the way along streets. */
export async function answerRead(ctx: HttpContext, delivery: Delivery): Promise<Answer<DeliveryView>> {
  const [view, found] = await Promise.all([viewWithLink(ctx, delivery), listLegs(ctx, delivery)]);
  const legs = found.map(({ from, to, polyline }) => ({ from: from.index, to: to.index, polyline }));
  return new Answer(legs.length === 0 ? view : { ...view, legs }, { headers: { ETag: etagOf(delivery) } });
}

/** Answers the short state of a delivery, with its version as `ETag`. */
export async function answerStatus(ctx: HttpContext, delivery: Delivery): Promise<Answer<z.output<typeof StatusView>>> {
  return answerStored(delivery, (await viewDelivery(ctx, delivery)).stage);
}

/** Answers the short state of a delivery as it is stored, so that it shows no open offer to somebody else. */
export function answerStored(
  delivery: Delivery,
  stage: z.output<typeof StatusView>['stage'] = delivery.stage,
): Answer<z.output<typeof StatusView>> {
  const { id, state: status, version, times } = delivery;
  const updatedAt = isoTime(times.updatedAt);
  const body = { id, object: 'delivery_status' as const, status, stage, version, updated_at: updatedAt };
  return new Answer(body, { headers: { ETag: etagOf(delivery) } });
}

/** A delivery as this caller may see it: the courier's view has no prices and no data of the vendor. */
export const AnyDelivery = z.union([DeliveryView, CourierDelivery]);

/** Creates the answer for any caller who can see the delivery, with the version as `ETag`. */
export async function answerFor(
  ctx: HttpContext,
  caller: Reader,
  delivery: Delivery,
): Promise<Answer<z.output<typeof AnyDelivery>>> {
  if (caller.type !== 'courier') return deliveryAnswer(ctx, delivery);
  const body = presentForCourier(await viewDelivery(ctx, delivery));
  return new Answer(body, { headers: { ETag: etagOf(delivery) } });
}

/** The view of a delivery with its tracking links. */
export async function viewWithLink(ctx: HttpContext, delivery: Delivery): Promise<DeliveryView> {
  return withLinks(ctx, delivery, await viewDelivery(ctx, delivery));
}

/** The view of a delivery that was born a moment ago. Nobody can have an offer for it, so none is looked for. */
function viewOfNew(ctx: HttpContext, delivery: Delivery): DeliveryView {
  return withLinks(
    ctx,
    delivery,
    presentDelivery(delivery, etaOf(delivery, momentWithout(ctx.clock.now(), ctx.travel, ctx.settings))),
  );
}

/** Adds what only answers to the vendor and staff have, and never events: tracking links and PINs. */
function withLinks(ctx: LinkNeeds, delivery: Delivery, view: DeliveryView): DeliveryView {
  const urls = new Map(delivery.links.map(({ stop, id }) => [stop, trackingUrl(ctx, id)]));
  const named = (stop: number): { tracking_url?: string } => {
    const url = urls.get(stop);
    return url === undefined ? {} : { tracking_url: url };
  };
  const pinned = ({
    stop,
    verification,
  }: DeliveryView['drop_off'][number]): Pick<DeliveryView['pickup'], 'verification'> => {
    const own = stopAt(delivery, stop);
    const value = own === null ? null : pinOf(ctx.vault, own);
    if (verification === null || value === null) return { verification };
    return { verification: { ...verification, pin: { ...verification.pin, value } } };
  };
  return {
    ...view,
    drop_off: view.drop_off.map((dropOff) => ({ ...dropOff, ...named(dropOff.stop), ...pinned(dropOff) })),
    ...named(lastVisitOf(delivery).index),
  };
}

type LinkNeeds = Pick<HttpContext, 'settings' | 'links' | 'vault'>;

function trackingUrl({ settings, links }: LinkNeeds, id: LinkId): string {
  return `${settings.http.baseUrl}/t/${links.tokenOf(id)}`;
}

/** The version of a delivery as an entity tag. */
export function etagOf({ version }: Delivery): string {
  return `"${version}"`;
}

/**
 * Creates a delivery. Answers 201 for a new delivery, and 200 if an earlier request with the same `external_id` and
 * content created it.
 * @param path the path of the created resource, without its id
 * @param id the id of the new delivery, the same for each try of a request
 */
export async function answerCreate(
  ctx: HttpContext,
  caller: CallerOf<'POST /deliveries'>,
  owner: ReturnType<typeof ownerOf>,
  { content }: AskedDelivery,
  path: string,
  id: DeliveryId,
): Promise<Answer<DeliveryView>> {
  const command = { ...owner, ...content, contentHash: contentHash(content) };
  const { delivery, isNew, isJustBorn } = await createDelivery(ctx, command, caller, id);
  return new Answer(isJustBorn ? viewOfNew(ctx, delivery) : await viewWithLink(ctx, delivery), {
    status: isNew ? 201 : 200,
    headers: { ETag: etagOf(delivery), Location: `${path}/${delivery.id}` },
  });
}

/** Answers a page of the deliveries that a courier has or had, newest first, for the courier or for staff. */
export async function answerCarried(
  ctx: HttpContext,
  courierId: CourierId,
  caller: CallerOf<'GET /couriers/{id}/deliveries'>,
  query: z.output<typeof CarriedListQuery>,
  url: string,
): Promise<Answer<List<z.output<typeof AnyDelivery>>>> {
  const { body, headers } = await answerList(ctx, { courierId }, query, url);
  if (caller.type !== 'courier') return new Answer(body, { headers });
  return new Answer({ ...body, data: body.data.map(presentForCourier) }, { headers });
}

/** Answers a page of the deliveries that match the filter and the query. */
export async function answerList(
  ctx: HttpContext,
  filter: DeliveryFilter,
  query: z.output<typeof DeliveryListQuery>,
  url: string,
): Promise<Answer<List<DeliveryView>>> {
  const scope = `deliveries ${filter.vendorId ?? ''} ${filter.courierId ?? ''} ${filter.liveMode ?? ''} ${filter.channel ?? ''}`;
  const { status, date_range: range, external_id: externalId, order_id: orderId, courier_id: courierId } = query;
  const span = range === undefined ? null : await readSpan(ctx, filter.vendorId, range);
  const page = await ctx.deliveries.list(
    {
      ...filter,
      ...(status === undefined ? {} : { states: status }),
      ...(span === null ? {} : { createdFrom: span.from, createdTo: span.to }),
      ...(externalId === undefined ? {} : { externalId }),
      ...(orderId === undefined ? {} : { orderId }),
      ...(courierId === undefined ? {} : { courierId }),
      ...(query.q === undefined ? {} : { search: query.q }),
    },
    pageRequest(ctx.signer, scope, query),
  );
  return listAnswer(ctx.signer, scope, url, { data: await viewsWithLinks(ctx, page.items), next: page.next });
}

/** The views of several deliveries in the same order, with their tracking links. */
export async function viewsWithLinks(ctx: HttpContext, deliveries: readonly Delivery[]): Promise<DeliveryView[]> {
  const views = await viewMany(ctx, deliveries);
  return deliveries.flatMap((delivery, index) => {
    const view = views[index];
    return view === undefined ? [] : withLinks(ctx, delivery, view);
  });
}

/** Answers a page of the deliveries that need an operator. */
export async function answerQueue(
  ctx: HttpContext,
  query: z.output<typeof QueueQuery>,
  url: string,
): Promise<Answer<List<z.output<typeof QueueEntryView>>>> {
  const { live_mode: liveMode } = query;
  const scope = `queue ${liveMode ?? ''}`;
  const filter = liveMode === undefined ? {} : { liveMode };
  const page = await listQueue(ctx, filter, pageRequest(ctx.signer, scope, query));
  const views = await viewsWithLinks(
    ctx,
    page.items.map(({ delivery }) => delivery),
  );
  const data = page.items.flatMap((entry, index) => {
    const view = views[index];
    return view === undefined ? [] : presentQueueEntry(entry, view);
  });
  return listAnswer(ctx.signer, scope, url, { data, next: page.next });
}

/** Answers the tracking links. Refuses `tracking_link_expired` after the link of the last visit has expired. */
export function answerLink(ctx: HttpContext, delivery: Delivery): z.output<typeof LinkView> {
  const { index } = lastVisitOf(delivery);
  const last = delivery.links.find(({ stop }) => stop === index);
  const endsAt = linkEndsAt(delivery, index, ctx.settings.tracking);
  if (last === undefined || endsAt <= ctx.clock.now()) throw new Refusal('tracking_link_expired');
  return {
    url: trackingUrl(ctx, last.id),
    token_id: last.id,
    expires_at: isoTime(endsAt),
    links: delivery.links.map(({ stop, id }) => ({ stop, url: trackingUrl(ctx, id) })),
  };
}

/** Answers the location of the courier. Refuses `courier_not_assigned` before and `delivery_complete` after. */
export async function answerLiveLocation(
  ctx: HttpContext,
  delivery: Delivery,
): Promise<z.output<typeof LiveLocationView>> {
  refuseWithoutCourier(delivery);
  const position = await newestPlaceOf(ctx, delivery);
  const moment = momentOf(ctx, delivery, position);
  return presentLiveLocation(position, etaOf(delivery, moment), moment.now);
}
