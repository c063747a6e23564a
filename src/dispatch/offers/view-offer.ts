import type { Delivery } from '../../domain/deliveries/delivery.ts';
import { byVisit, type Stop } from '../../domain/deliveries/stops/stop.ts';
import { distanceM } from '../../domain/geo/geo.ts';
import { STREET_FACTOR } from '../../domain/geo/street.ts';
import type { OfferStop, OfferView } from '../../domain/offers/offer-view.ts';
import type { Offer } from '../../domain/offers/offer.ts';
import { wayS } from '../../domain/regions/start.ts';
import { isoTime } from '../../domain/time.ts';
import { priceCourierPay } from '../../money/courier-pay.ts';
import type { Context } from '../../ports/context.ts';
import { placeOf } from '../courier-place.ts';

export type OfferNeeds = Pick<
  Context,
  'clock' | 'couriers' | 'positions' | 'roster' | 'settings' | 'travel' | 'vendors'
>;

/** The offer as its courier receives it, with the way from where they are now. */
export async function viewOffer(ctx: OfferNeeds, offer: Offer, delivery: Delivery): Promise<OfferView> {
  const [vendor, toPickup] = await Promise.all([
    ctx.vendors.find(delivery.vendorId),
    findWay(ctx, offer.courierId, delivery.pickup),
  ]);
  return {
    offer_id: offer.id,
    delivery_id: delivery.id,
    expires_at: isoTime(offer.expiresAt),
    server_time: isoTime(ctx.clock.now()),
    vendor_name: vendor?.name ?? null,
    pickup: presentStop(delivery.pickup),
    drop_off: byVisit(delivery.dropOffs).map(presentStop),
    drop_off_count: delivery.dropOffs.length,
    weight: delivery.metadata.weight ?? null,
    distance_m: delivery.distanceM,
    to_pickup: toPickup,
    payout: { amount: priceCourierPay(delivery.fee, delivery.funds ?? ctx.settings.pay), currency: delivery.currency },
  };
}

/** The courier's way to the pickup at the speed learned for their vehicle there; null without a position. */
async function findWay(
  ctx: OfferNeeds,
  courierId: Offer['courierId'],
  { place: to }: Stop,
): Promise<OfferView['to_pickup']> {
  const [from, courier] = await Promise.all([
    placeOf(ctx, { courierId }),
    ctx.roster.find(courierId) ?? ctx.couriers.find(courierId),
  ]);
  if (from === null || courier === null) return null;
  return {
    distance_m: Math.round(distanceM(from, to) * STREET_FACTOR),
    duration_s: Math.round(wayS(ctx.travel, ctx.clock.now(), courier, from, to)),
  };
}

function presentStop({ index, place, address, instructions, window }: Stop): OfferStop {
  const readyAt = window?.readyAt ?? null;
  return {
    stop: index,
    coordinates: { lat: place.lat, lng: place.lng },
    address: typeof address === 'object' && address !== null ? { ...address } : address,
    instructions,
    ...(readyAt === null ? {} : { ready_at: isoTime(readyAt) }),
  };
}
