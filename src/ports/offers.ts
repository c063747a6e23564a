/** Offers, as stored and as couriers hear of them. */
import type { Alarm } from '../domain/alarm.ts';
import type { Delivery } from '../domain/deliveries/delivery.ts';
import type { CourierId, DeliveryId, OfferId } from '../domain/ids.ts';
import type { Offer, OfferState, OfferTries } from '../domain/offers/offer.ts';
import type { Hint } from '../domain/surge/hint.ts';

export type OfferStore = {
  /**
   * Opens an offer. False when the courier or the delivery has one, when the delivery has changed since its leader read
   * it or is not searched for now, when the courier is not online, active and with room, or when the fence is old.
   */
  open(offer: Offer): Promise<boolean>;
  /** Open or closed; null when unknown. */
  find(id: OfferId): Promise<Offer | null>;
  findOpenOf(courierId: CourierId): Promise<Offer | null>;
  listOpen(deliveryIds: readonly DeliveryId[]): Promise<readonly Offer[]>;
  listOpenIn(region: string): Promise<readonly Offer[]>;
  /** Closed offers of these deliveries that may still keep a pair apart. */
  listClosed(deliveryIds: readonly DeliveryId[], since: number): Promise<readonly Offer[]>;
  /** What became of the closed offers of these deliveries; one read for all, those without one are left out. */
  countClosed(deliveryIds: readonly DeliveryId[]): Promise<ReadonlyMap<DeliveryId, OfferTries>>;
  /** Closes an open offer; null when it was not open. */
  close(
    id: OfferId,
    state: Exclude<OfferState, 'open' | 'accepted'>,
    reason: string | null,
    at: number,
  ): Promise<Offer | null>;
  listExpired(now: number, limit: number): Promise<readonly Offer[]>;
  markDelivered(id: OfferId, at: number): Promise<void>;
};

/** What the server says to couriers and dispatchers without being asked; reaches every process. */
export type Notices = {
  /** Resolves true when a phone acknowledged the offer. */
  offerNew(offer: Offer, delivery: Delivery): Promise<boolean>;
  offerWithdrawn(offer: Offer): void;
  alarm(alarm: Alarm): void;
  /** Tells an idle courier where he will be needed; lost when his phone is away. */
  hint(hint: Hint): void;
};

/**
 * What a push says. It passes through strangers, so it names nobody and no place: the app it wakes connects, and is
 * shown the offer there.
 */
export type OfferPush = {
  readonly courierId: CourierId;
  readonly offerId: OfferId;
  readonly deliveryId: DeliveryId;
  /** Machine time in ms after which it is of no use any more. */
  readonly ttlRealMs: number;
};

/**
 * Wakes the phone of a courier whose socket is away. Which device that is, the adapter knows by the courier; it has a
 * deadline of its own, and rejects when the push was not sent.
 */
export type Push = { offer(push: OfferPush): Promise<void> };
