import type { CourierId, DeliveryId, OfferId } from '../ids.ts';

export const CLOSED_STATES = ['accepted', 'declined', 'expired', 'withdrawn'] as const;
export type ClosedState = (typeof CLOSED_STATES)[number];
export type OfferState = 'open' | ClosedState;

/** Why an offer is withdrawn before it was answered. A closed list, sent to the courier's phone. */
export const WITHDRAW_REASONS = [
  'taken',
  'canceled',
  'assigned_by_hand',
  'courier_offline',
  'wrong_vehicle',
  'search_ended',
  'delayed',
  'better_match',
] as const;
export type WithdrawReason = (typeof WITHDRAW_REASONS)[number];

/** Why an open offer is gone, as the phone learns it: a reason of withdrawal, or expiry. */
export const GONE_REASONS = [...WITHDRAW_REASONS, 'expired'] as const;
export type GoneReason = (typeof GONE_REASONS)[number];

/** An offer to one courier. A courier has at most one open offer. A delivery has at most one if it is exclusive. */
export type Offer = {
  readonly id: OfferId;
  readonly deliveryId: DeliveryId;
  /** The version of the delivery that the leader read. The offer is for this version only. */
  readonly deliveryVersion: number;
  readonly courierId: CourierId;
  readonly region: string;
  readonly fence: number;
  readonly isExclusive: boolean;
  readonly state: OfferState;
  /** The courier's way to the pickup when the offer was made, metres along streets; null if it was not measured. */
  readonly distanceM: number | null;
  readonly createdAt: number;
  readonly expiresAt: number;
  /** Set when a phone acknowledged the offer. An offer that no phone showed does not count against the courier. */
  readonly deliveredAt: number | null;
  readonly closedAt: number | null;
  readonly reason: string | null;
};

/** How many closed offers of a delivery ended in each way, and the last one. */
export type OfferTries = {
  readonly counts: Readonly<Record<ClosedState, number>>;
  readonly last: { readonly state: ClosedState; readonly reason: string | null; readonly closedAt: number };
};

/** How long the server makes no offer to a courier for a delivery after an earlier one ended so; ms of service time. */
export const PAUSE_MS = { declined: 60 * 60_000, expired: 60_000 } as const;

/** Until when this courier receives no new offer for this delivery, or null. */
export function pausedUntil(offer: Offer): number | null {
  if (offer.closedAt === null) return null;
  if (offer.state === 'declined') return offer.closedAt + PAUSE_MS.declined;
  // This holds even if no phone showed the offer: the next courier comes before a repeat to a silent phone.
  if (offer.state === 'expired') return offer.closedAt + PAUSE_MS.expired;
  return null;
}

/** The reason that the phone receives for a closed offer that it did not answer. */
export function goneReasonOf({ state, reason }: Pick<Offer, 'state' | 'reason'>): GoneReason {
  if (state === 'expired') return 'expired';
  return WITHDRAW_REASONS.find((each) => each === reason) ?? 'taken';
}
