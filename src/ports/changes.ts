/** The one write of a delivery, and reads that no failover can take back. */
import type { AuditEntry } from '../domain/audit.ts';
import type { Courier } from '../domain/couriers/courier.ts';
import type { Delivery } from '../domain/deliveries/delivery.ts';
import type { DomainEvent } from '../domain/deliveries/events.ts';
import type { CourierDocument } from '../domain/couriers/document.ts';
import type { FileEnd } from '../domain/files/file.ts';
import type { CourierId, DeliveryId, DocumentId, FileId, OfferId, VendorId } from '../domain/ids.ts';
import type { Offer } from '../domain/offers/offer.ts';
import type { Dispute } from '../money/disputes/dispute.ts';
import type { Command } from '../money/ledger/decide.ts';

/** A fact that must be unique everywhere: the row's `_id` is the fact. */
export type Claim = { readonly fact: string; readonly holder: string };

/**
 * A change that is written together with a delivery, in the same transaction. A new kind needs a member here, a row in
 * the table of `models/commit/effects.ts`, its writer and its test.
 */
export type Effect =
  /** A related delivery is born, such as a return. */
  | { readonly kind: 'open_delivery'; readonly change: Change }
  /** The courier takes the delivery. They must still be at this version, active, and have room for it. */
  | {
      readonly kind: 'take_courier';
      readonly courierId: CourierId;
      readonly version: number;
      readonly deliveryId: DeliveryId;
    }
  /** The courier puts down the delivery, which they must have, and is idle from then on. */
  | {
      readonly kind: 'free_courier';
      readonly courierId: CourierId;
      readonly deliveryId: DeliveryId;
      readonly at: number;
    }
  /** The courier puts down a delivery and takes up its return at once. They need no room for it and may be suspended. */
  | {
      readonly kind: 'keep_courier';
      readonly courierId: CourierId;
      readonly frees: DeliveryId;
      readonly takes: DeliveryId;
    }
  | ({ readonly kind: 'claim_fact' } & Claim)
  /** A claimed fact gets another holder. `from` must still be the present one. */
  | ({ readonly kind: 'move_claim'; readonly from: string } & Claim)
  /** The request with this key has made the change. Another try of the request must not make it again. */
  | { readonly kind: 'mark_request'; readonly request: string; readonly deliveryId: DeliveryId }
  /** Every open offer of the delivery closes: the accepted one as accepted, the others as withdrawn for the reason. */
  | {
      readonly kind: 'close_offers';
      readonly deliveryId: DeliveryId;
      readonly accepted: OfferId | null;
      readonly reason: string;
      readonly at: number;
    }
  /** The lines along streets of a new delivery's legs. */
  | {
      readonly kind: 'keep_polylines';
      readonly deliveryId: DeliveryId;
      readonly vendorId: VendorId;
      readonly liveMode: boolean;
      readonly polylines: readonly string[];
    }
  /**
   * The delivery uses these files, which must still be there, until `endsAt`. Those that it uses no more get ends of
   * their own, if they are still there.
   */
  | {
      readonly kind: 'use_files';
      readonly fileIds: readonly FileId[];
      readonly endsAt: number;
      readonly unused: readonly FileEnd[];
    }
  /** Money of the change. Only a hold can fail: what an end books is never refused. */
  | { readonly kind: 'book'; readonly command: Command }
  /** A dispute gets its next version. The version before must still be stored. */
  | { readonly kind: 'move_dispute'; readonly next: Dispute }
  /** An entry of the audit log, made by its `draft`. */
  | { readonly kind: 'audit'; readonly entry: AuditEntry };
export type EffectKind = Effect['kind'];
export type EffectOf<K extends EffectKind> = Extract<Effect, { readonly kind: K }>;

/** One decision, written whole or not at all. */
export type Change = {
  /** Must still be stored (same id, state, version); null for a birth. */
  readonly before: Delivery | null;
  readonly after: Delivery;
  /** Numbered from before.sequence + 1 without gaps. */
  readonly events: readonly DomainEvent[];
  readonly effects: readonly Effect[];
};

/** Why nothing of a change was written. */
export type CommitFailure =
  /** Something that the decision was based on has changed. Read again and decide again. */
  | { readonly why: 'stale' }
  /** Another writer, or an earlier try of the same change, has claimed the fact. */
  | { readonly why: 'claimed'; readonly claim: Claim }
  /** A wallet has less available than the change would hold. */
  | { readonly why: 'unfunded' }
  /** The wallet on which the change would hold money is frozen. */
  | { readonly why: 'frozen' }
  /** Another try of the same request has changed this delivery. */
  | { readonly why: 'repeated'; readonly deliveryId: DeliveryId };

export type CommitResult =
  | { readonly ok: true; readonly withdrawn: readonly Offer[] }
  | ({ readonly ok: false } & CommitFailure);

export type Commit = {
  (change: Change): Promise<CommitResult>;
  /**
   * Finds the delivery that an earlier try of the same request has written, by a confirmed read. Null if there is none.
   * Absent if the request has no `Idempotency-Key`.
   */
  readonly findEarlier?: () => Promise<Delivery | null>;
  /** Whether an earlier try of the same request has changed a delivery. Absent like `findEarlier`. */
  readonly isRepeat?: boolean;
};

/**
 * Reads that no failover can take back. They answer a request that changes nothing because its result already exists.
 * Each read waits until a majority of the database has everything that was written before. It refuses `busy` if no
 * majority has it within 4 s.
 */
export type Confirmed = {
  findDelivery(id: DeliveryId): Promise<Delivery | null>;
  findCourier(id: CourierId): Promise<Courier | null>;
  findCourierByPhone(phone: string, liveMode: boolean): Promise<Courier | null>;
  findDocument(id: DocumentId): Promise<CourierDocument | null>;
  /** Open or closed. */
  findOffer(id: OfferId): Promise<Offer | null>;
};

export type ClaimStore = { find(fact: string): Promise<Claim | null> };

/** Members of the context that this file describes. */
export type ChangePorts = {
  readonly commit: Commit;
  readonly confirmed: Confirmed;
  readonly claims: ClaimStore;
};
