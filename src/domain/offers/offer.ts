import type { CourierId, DeliveryId, OfferId } from '../ids.ts';

export const CLOSED_STATES = ['accepted', 'declined', 'expired', 'withdrawn'] as const;
export type ClosedState = (typeof CLOSED_STATES)[number];
export type OfferState = 'open' | ClosedState;

/** Why an offer is taken back before it was answered. A closed list, told to the courier's phone. */
export const WITHDRAW_REASONS = [
  'taken',
  'canceled',
  'assigned_by_hand',
  'courier_offline',
  'search_ended',
  'delayed',
  'better_match',
] as const;
export type WithdrawReason = (typeof WITHDRAW_REASONS)[number];

/** What a phone is told of an offer that is gone: why it was taken back, or that its time is over. */
export const GONE_REASONS = [...WITHDRAW_REASONS, 'expired'] as const;
export type GoneReason = (typeof GONE_REASONS)[number];

/** A question to one courier. While it is open it stands alone: one per courier and, when exclusive, one per delivery. */
export type Offer = {
  readonly id: OfferId;
  readonly deliveryId: DeliveryId;
  /** The version of the delivery that its leader read: the courier is asked about that one and no other. */
  readonly deliveryVersion: number;
  readonly courierId: CourierId;
  readonly region: string;
  readonly fence: number;
  readonly isExclusive: boolean;
  readonly state: OfferState;
  /** The courier's way to the pickup when the offer was made, metres along streets; null where nobody measured it. */
  readonly distanceM: number | null;
  readonly createdAt: number;
  readonly expiresAt: number;
  /** Set when a phone acknowledged it: an offer that nobody saw costs the courier nothing. */
  readonly deliveredAt: number | null;
  readonly closedAt: number | null;
  readonly reason: string | null;
};

/** How many closed offers of a delivery ended how, and the one that was closed last. */
export type OfferTries = {
  readonly counts: Readonly<Record<ClosedState, number>>;
  readonly last: { readonly state: ClosedState; readonly reason: string | null; readonly closedAt: number };
};

/** How long a pair is left alone after an offer ended so; ms of service time. */
export const PAUSE_MS = { declined: 60 * 60_000, expired: 60_000 } as const;

/** Until when this courier is not asked again for this delivery, or null. */
export function pausedUntil(offer: Offer): number | null {
  if (offer.closedAt === null) return null;
  if (offer.state === 'declined') return offer.closedAt + PAUSE_MS.declined;
  // Seen or not: the next courier gets his turn before one whose phone does not answer is asked again.
  if (offer.state === 'expired') return offer.closedAt + PAUSE_MS.expired;
  return null;
}

/** What the phone is told of a closed offer that it did not answer. */
export function goneReasonOf({ state, reason }: Pick<Offer, 'state' | 'reason'>): GoneReason {
  if (state === 'expired') return 'expired';
  return WITHDRAW_REASONS.find((each) => each === reason) ?? 'taken';
}
