import type { CourierId, DeliveryId, OfferId } from './ids.ts';

export type OfferState = 'open' | 'accepted' | 'declined' | 'expired' | 'withdrawn';
export type WithdrawReason = 'taken' | 'canceled' | 'assigned_by_hand' | 'courier_offline' | 'search_ended';

/** A question to one courier. While it is open it stands alone: one per courier and, when exclusive, one per delivery. */
export type Offer = {
  readonly id: OfferId;
  readonly deliveryId: DeliveryId;
  readonly courierId: CourierId;
  readonly region: string;
  readonly fence: number;
  readonly isExclusive: boolean;
  readonly state: OfferState;
  readonly createdAt: number;
  readonly expiresAt: number;
  /** Set when a phone acknowledged it: an offer that nobody saw costs the courier nothing. */
  readonly deliveredAt: number | null;
  readonly closedAt: number | null;
  readonly reason: string | null;
};

/** How long a pair is left alone after an offer ended so; ms of service time. */
export const PAUSE_MS = { declined: 60 * 60_000, expired: 60_000 } as const;

/** Until when this courier is not asked again for this delivery, or null. */
export function pausedUntil(offer: Offer): number | null {
  if (offer.closedAt === null) return null;
  if (offer.state === 'declined') return offer.closedAt + PAUSE_MS.declined;
  if (offer.state === 'expired' && offer.deliveredAt !== null) return offer.closedAt + PAUSE_MS.expired;
  return null;
}
