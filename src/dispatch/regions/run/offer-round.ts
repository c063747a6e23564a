import type { Delivery } from '../../../domain/deliveries/delivery.ts';
import { newId, type CourierId } from '../../../domain/ids.ts';
import type { Offer } from '../../../domain/offers/offer.ts';
import type { Context } from '../../../ports/context.ts';

/**
 * How a delivery is offered next: to one courier or to several at once, and for how long (ms). `count` is how many more
 * couriers receive it now; 0 if enough have it.
 */
export type OfferRound = { readonly isExclusive: boolean; readonly count: number; readonly ttlMs: number };

/**
 * Plans the next round of a delivery from its closed and open offers. The server offers it to one courier at a time
 * until it was declined or expired `parallelAfterRefusals` times. After that it offers it to the best few at once, and
 * replaces each courier who declines while the others still consider it. An expiry counts even if no phone showed the
 * offer, since it cost the delivery the same time.
 * @param open the delivery's own open offers, also expired ones that are not closed yet
 */
export function planRound(
  delivery: Pick<Delivery, 'priority'>,
  closed: readonly Offer[],
  settings: Context['settings']['offers'],
  open: readonly Offer[] = [],
): OfferRound {
  const refusals = closed.filter(({ state }) => state === 'declined' || state === 'expired').length;
  // A running round keeps its kind: the refusals that made it parallel may be forgotten before it ends.
  const isExclusive =
    open.length === 0 ? refusals < settings.parallelAfterRefusals : open.some((offer) => offer.isExclusive);
  return {
    isExclusive,
    count: Math.max(0, (isExclusive ? 1 : settings.parallelCount) - open.length),
    ttlMs: delivery.priority === 'express' ? settings.expressTtlMs : settings.scheduledTtlMs,
  };
}

/**
 * A new offer of the round, made by the region's leader with this fencing number.
 * @param distanceM the courier's way to the pickup, metres along streets; without it their answer teaches nothing
 */
export function makeOffer(
  delivery: Pick<Delivery, 'id' | 'version' | 'region'>,
  courierId: CourierId,
  round: OfferRound,
  fence: number,
  now: number,
  distanceM: number | null = null,
): Offer {
  return {
    id: newId('off'),
    deliveryId: delivery.id,
    deliveryVersion: delivery.version,
    courierId,
    region: delivery.region,
    fence,
    isExclusive: round.isExclusive,
    state: 'open',
    distanceM,
    createdAt: now,
    expiresAt: now + round.ttlMs,
    deliveredAt: null,
    closedAt: null,
    reason: null,
  };
}
