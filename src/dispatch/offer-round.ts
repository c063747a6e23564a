import type { Delivery } from '../domain/delivery.ts';
import { newId, type CourierId } from '../domain/ids.ts';
import type { Offer } from '../domain/offer.ts';
import type { Context } from '../ports.ts';

/** How a delivery is offered next: to one courier alone or to several at once, and for how long (ms). */
export type OfferRound = { readonly isExclusive: boolean; readonly count: number; readonly ttlMs: number };

/**
 * Plans the next round of a delivery from its closed offers. One courier is asked at a time until the delivery has been
 * declined or left to expire `parallelAfterRefusals` times; after that the best few are asked at once. An expiry counts
 * here even when no phone showed the offer: it cost the delivery the same time.
 */
export function planRound(
  delivery: Pick<Delivery, 'priority'>,
  closed: readonly Offer[],
  settings: Context['settings']['offers'],
): OfferRound {
  const refusals = closed.filter(({ state }) => state === 'declined' || state === 'expired').length;
  const isExclusive = refusals < settings.parallelAfterRefusals;
  return {
    isExclusive,
    count: isExclusive ? 1 : settings.parallelCount,
    ttlMs: delivery.priority === 'express' ? settings.expressTtlMs : settings.scheduledTtlMs,
  };
}

/** A new offer of the round, as the region's leader with this fence makes it. */
export function makeOffer(
  delivery: Pick<Delivery, 'id' | 'region'>,
  courierId: CourierId,
  round: OfferRound,
  fence: number,
  now: number,
): Offer {
  return {
    id: newId('off'),
    deliveryId: delivery.id,
    courierId,
    region: delivery.region,
    fence,
    isExclusive: round.isExclusive,
    state: 'open',
    createdAt: now,
    expiresAt: now + round.ttlMs,
    deliveredAt: null,
    closedAt: null,
    reason: null,
  };
}
