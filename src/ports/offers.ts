/** Offers, as stored and as couriers receive them. */
import type { Alarm } from '../domain/alarm.ts';
import type { Delivery } from '../domain/deliveries/delivery.ts';
import type { CourierPush } from '../domain/couriers/push.ts';
import type { CourierId, DeliveryId, OfferId } from '../domain/ids.ts';
import type { Offer, OfferState, OfferTries } from '../domain/offers/offer.ts';
import type { Hint } from '../domain/surge/hint.ts';

export type OfferStore = {
  /**
   * Opens an offer. Returns false in these cases: the courier or the delivery already has one; the delivery has changed
   * since the leader read it, or no search is on; the courier is not online, active and with room; or the fencing
   * number is old.
   */
  open(offer: Offer): Promise<boolean>;
  /** Open or closed; null if unknown. */
  find(id: OfferId): Promise<Offer | null>;
  findOpenOf(courierId: CourierId): Promise<Offer | null>;
  listOpen(deliveryIds: readonly DeliveryId[]): Promise<readonly Offer[]>;
  listOpenIn(region: string): Promise<readonly Offer[]>;
  /** Closed offers of these deliveries after which a pair may still have to pause. */
  listClosed(deliveryIds: readonly DeliveryId[], since: number): Promise<readonly Offer[]>;
  /** The results of the closed offers of these deliveries, in one read. Deliveries without one are left out. */
  countClosed(deliveryIds: readonly DeliveryId[]): Promise<ReadonlyMap<DeliveryId, OfferTries>>;
  /** Closes an open offer. Returns null if it was not open. */
  close(
    id: OfferId,
    state: Exclude<OfferState, 'open' | 'accepted'>,
    reason: string | null,
    at: number,
  ): Promise<Offer | null>;
  listExpired(now: number, limit: number): Promise<readonly Offer[]>;
  markDelivered(id: OfferId, at: number): Promise<void>;
};

/** Notices that the server sends to couriers and dispatchers by itself. They reach every process. */
export type Notices = {
  /** Resolves true if a phone acknowledged the offer. */
  offerNew(offer: Offer, delivery: Delivery): Promise<boolean>;
  offerWithdrawn(offer: Offer): void;
  /** Says whether an app of the courier is connected to any process. False if the other processes do not answer. */
  isConnected(courierId: CourierId): Promise<boolean>;
  alarm(alarm: Alarm): void;
  /** Sends an idle courier a hint about where they will be needed. It is lost if their phone is not connected. */
  hint(hint: Hint): void;
};

/**
 * Wakes the phone of a courier whose socket is not connected. The adapter knows the device by the courier. It has a
 * deadline of its own, and rejects if the push was not sent.
 */
export type Push = { send(push: CourierPush): Promise<void> };

/** Members of the context that this file describes. */
export type OfferPorts = {
  readonly offers: OfferStore;
  readonly notices: Notices;
  readonly push: Push;
};
