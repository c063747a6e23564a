import { judgeRating, ratableUntil, ratingId, type Rating } from '../../domain/analytics/rating.ts';
import { newestPlaceOf } from '../courier-place.ts';
import { momentOf } from '../moment-of.ts';
import { presentEta } from '../../domain/views/present-delivery.ts';
import { isoTime } from '../../domain/time.ts';
import { delayReasonOf, dropOffsToGo, endedAtOf, stopAt, type Delivery } from '../../domain/deliveries/delivery.ts';
import { etaOf } from '../../domain/deliveries/eta.ts';
import { lineTo, mayShowLine } from '../../domain/deliveries/legs.ts';
import { pinOf } from '../../domain/proof/pin.ts';
import { isStopEnded, type Stop } from '../../domain/deliveries/stops/stop.ts';
import { linkEndsAt } from '../../domain/views/link.ts';
import type { TrackView } from '../../domain/views/track-view.ts';
import type { Context } from '../../ports/context.ts';
import { listLegs, viewDelivery } from './view-delivery.ts';

type Needs = Pick<
  Context,
  'carried' | 'offers' | 'polylines' | 'positions' | 'clock' | 'ratings' | 'settings' | 'travel' | 'vault' | 'vendors'
>;

/**
 * The state behind the tracking link of one drop-off: the shared part of the way, this stop, and how many open stops
 * come before it. It says nothing about the other stops.
 */
export async function trackState(ctx: Needs, delivery: Delivery, stop: number): Promise<TrackView> {
  const { kind, vendorId, courier, pickup, times } = delivery;
  const own = stopAt(delivery, stop) ?? pickup;
  const [vendor, { stage, sequence }, place, rating, polyline] = await Promise.all([
    ctx.vendors.get(vendorId),
    viewDelivery(ctx, delivery),
    newestPlaceOf(ctx, delivery),
    ratingBy(ctx, delivery, own),
    lineFor(ctx, delivery, own),
  ]);
  const moment = momentOf(ctx, delivery, place);
  return {
    kind,
    ...endOf(delivery, own),
    stage: isStopEnded(own) ? null : stageAt(own, stage),
    sequence,
    vendor: { name: vendor.name, accent: vendor.accent, logo: vendor.logo },
    courier: courier === null ? null : { first_name: courier.first_name, vehicle_type: courier.vehicle_type },
    pickup: { lat: pickup.place.lat, lng: pickup.place.lng },
    drop_off: { lat: own.place.lat, lng: own.place.lng, instructions: own.instructions },
    pin: isStopEnded(own) ? null : pinOf(ctx.vault, own),
    ...(polyline !== null && { polyline }),
    stops_before: Math.max(0, dropOffsToGo(delivery).indexOf(own)),
    eta: presentEta(etaOf(delivery, moment).stops.get(own.index) ?? null),
    steps: {
      ordered_at: isoTime(times.createdAt),
      assigned_at: isoOrNull(times.assignedAt),
      picked_up_at: isoOrNull(times.pickedUpAt),
      in_transit_at: isoOrNull(times.inTransitAt),
      ended_at: isoOrNull(endedAt(delivery, own)),
    },
    delay_reason: isStopEnded(own) ? null : delayReasonOf(delivery),
    rating,
    clock: { now: moment.now, scale: ctx.clock.scale },
  };
}

/** The line to this drop-off, if its recipient may see it. */
async function lineFor(ctx: Needs, delivery: Delivery, own: Stop): Promise<string | null> {
  return mayShowLine(delivery, own) ? lineTo(own, await listLegs(ctx, delivery)) : null;
}

/** The rating by this recipient, once their stop or the delivery has ended. */
async function ratingBy(ctx: Needs, delivery: Delivery, own: Stop): Promise<TrackView['rating']> {
  if (!judgeRating(delivery, own.index, null, ctx.clock.now()).ok) return null;
  const given = await ctx.ratings.find(ratingId(delivery.id, own.index));
  return presentTrackRating(ctx, delivery, own.index, given);
}

/** The rating by the recipient of a drop-off that has ended, as their page shows it. */
export function presentTrackRating(
  { clock, settings }: Pick<Needs, 'clock' | 'settings'>,
  delivery: Delivery,
  stop: number,
  given: Rating | null,
): NonNullable<TrackView['rating']> {
  const now = clock.now();
  const until = ratableUntil(given, linkEndsAt(delivery, stop, settings.tracking));
  const open = now < until && judgeRating(delivery, stop, given, now).ok;
  return {
    rating: given?.stars ?? null,
    comment: given?.comment ?? null,
    open,
    until: open ? isoTime(until) : null,
  };
}

/** How this stop ended, in the words for a delivery. If the stop has ended, its own end counts. */
function endOf({ state, ending }: Delivery, own: Stop): Pick<TrackView, 'status' | 'reason'> {
  switch (own.state) {
    case 'delivered':
      return { status: 'delivered', reason: null };
    case 'failed':
      return { status: 'failed', reason: own.reason };
    case 'canceled':
      return { status: 'canceled', reason: ending?.reason ?? null };
    case 'pending':
    case 'arrived':
      return { status: state, reason: ending?.reason ?? null };
  }
}

function endedAt(delivery: Delivery, own: Stop): number | null {
  return own.doneAt ?? endedAtOf(delivery);
}

/** At another recipient's drop-off the courier is still on the way to this one. */
function stageAt(own: Stop, stage: TrackView['stage']): TrackView['stage'] {
  return stage === 'arrived_at_drop_off' && own.state !== 'arrived' ? 'en_route_to_drop_off' : stage;
}

function isoOrNull(ms: number | null): string | null {
  return ms === null ? null : isoTime(ms);
}
