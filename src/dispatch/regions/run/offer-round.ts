import type { Delivery } from '../../../domain/deliveries/delivery.ts';
import { newId, type CourierId } from '../../../domain/ids.ts';
import type { Offer } from '../../../domain/offers/offer.ts';
import type { Context } from '../../../ports/context.ts';

/**
 * How a delivery is offered next: to one courier alone or to several at once, how many more to ask now (0: enough are
 * being asked), and for how long (ms).
 */
export type OfferRound = { readonly isExclusive: boolean; readonly count: number; readonly ttlMs: number };

/**
 * Plans the next round of a delivery from its closed offers and those that are open. One courier is asked at a time until
 * the delivery has been declined or left to expire `parallelAfterRefusals` times; after that the best few are asked at
 * once, and whoever of them says no is replaced while the others still think. An expiry counts here even when no phone
 * showed the offer: it cost the delivery the same time.
 * @param open the delivery's own open offers, also those whose time is over and that nobody has closed yet
 */
export function planRound(
  delivery: Pick<Delivery, 'priority'>,
  closed: readonly Offer[],
  settings: Context['settings']['offers'],
  open: readonly Offer[] = [],
): OfferRound {
  const refusals = closed.filter(({ state }) => state === 'declined' || state === 'expired').length;
  // A round that is under way stays what it is: the refusals that made it parallel may be forgotten before it ends.
  const isExclusive =
    open.length === 0 ? refusals < settings.parallelAfterRefusals : open.some((offer) => offer.isExclusive);
  return {
    isExclusive,
    count: Math.max(0, (isExclusive ? 1 : settings.parallelCount) - open.length),
    ttlMs: delivery.priority === 'express' ? settings.expressTtlMs : settings.scheduledTtlMs,
  };
}

/**
 * A new offer of the round, as the region's leader with this fence makes it.
 * @param distanceM the courier's way to the pickup, metres along streets; without it his answer teaches nothing
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
