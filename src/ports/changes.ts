/** The one write of a delivery, and reads that no failover can take back. */
import type { Courier } from '../domain/couriers/courier.ts';
import type { Delivery } from '../domain/deliveries/delivery.ts';
import type { DomainEvent } from '../domain/deliveries/events.ts';
import type { CourierId, DeliveryId, OfferId } from '../domain/ids.ts';
import type { Offer } from '../domain/offers/offer.ts';

/** A fact that must be unique everywhere: the row's `_id` is the fact. */
export type Claim = { readonly fact: string; readonly holder: string };

/** What a change does to the courier document in the same transaction. */
export type CourierChange = {
  readonly courierId: CourierId;
  /** The courier must still be at this version when the change takes a delivery; null when it only frees one. */
  readonly version: number | null;
  readonly takes: DeliveryId | null;
  readonly frees: DeliveryId | null;
  readonly at: number;
};

/** Closes every open offer of the delivery: the accepted one as accepted, the others as withdrawn for the reason. */
export type OfferClosing = { readonly accepted: OfferId | null; readonly reason: string; readonly at: number };

/** One decision, written whole or not at all. */
export type Change = {
  /** Must still be so (same id, state, version); null for a birth. */
  readonly before: Delivery | null;
  readonly after: Delivery;
  /** Numbered from before.sequence + 1 without gaps. */
  readonly events: readonly DomainEvent[];
  readonly courier: CourierChange | null;
  readonly offers: OfferClosing | null;
  readonly claims: readonly Claim[];
  /** A return born in the same transaction. */
  readonly opens: Change | null;
};

export type CommitResult =
  | { readonly ok: true; readonly withdrawn: readonly Offer[] }
  /** Something the change was decided on is no longer so: read again, decide again. */
  | { readonly ok: false; readonly why: 'stale' }
  /** A claim is held by somebody else (or by an earlier try of the same). */
  | { readonly ok: false; readonly why: 'claimed'; readonly claim: Claim };

export type Commit = (change: Change) => Promise<CommitResult>;

/**
 * Reads what no failover can take back. A request that changes nothing, because a read says that it is so already, is
 * answered from here. Each read waits until a majority of the database has all that was written before it, and refuses
 * `busy` when none has it within 4 s.
 */
export type Confirmed = {
  findDelivery(id: DeliveryId): Promise<Delivery | null>;
  findCourier(id: CourierId): Promise<Courier | null>;
  findCourierByPhone(phone: string, liveMode: boolean): Promise<Courier | null>;
  /** Open or closed. */
  findOffer(id: OfferId): Promise<Offer | null>;
};

export type ClaimStore = { find(fact: string): Promise<Claim | null> };
