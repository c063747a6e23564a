/** The commands that the edges give to the use cases, already parsed. Times are service time in epoch ms. */
import type { Caller } from '../domain/access.ts';
import type { VehicleType } from '../domain/couriers/courier.ts';
import type { Assignment, Channel, Delivery, RoboSpec } from '../domain/deliveries/delivery.ts';
import type { Parcel, Priority } from '../domain/deliveries/parcel.ts';
import type { NewVerification, ProofDemands } from '../domain/proof/verification.ts';
import type { Coordinates } from '../domain/geo/geo.ts';
import type { Subsidy } from '../domain/pricing/split.ts';
import type { CourierId, DeliveryId, LocationId, OfferId, QuoteId, VendorId } from '../domain/ids.ts';
import type { CancelReason, FailReason } from '../domain/deliveries/states.ts';
import type { Stop } from '../domain/deliveries/stops/stop.ts';
import type { Window } from '../domain/window.ts';

/** The part of a stop that a create request gives. */
export type NewStop = Omit<
  Stop,
  'index' | 'visit' | 'firstPlace' | 'state' | 'arrivedAt' | 'doneAt' | 'reason' | 'verification' | 'proof'
> & { readonly verification?: NewVerification };

/** A pickup at a vendor location may leave out its place. */
export type NewPickup = Omit<NewStop, 'place'> & { readonly place: Coordinates | null };

/** The fields of a delivery that are absent if the create request does not name them. */
export type Extras = Pick<Delivery, 'tip' | 'promo' | 'notifyRecipient' | 'orderValueCollectedBy'>;

/** `locationId` names the vendor location that fills in the missing fields of the pickup. */
export type NewDelivery = {
  readonly vendorId: VendorId;
  readonly liveMode: boolean;
  readonly channel: Channel;
  readonly externalId: string | null;
  /** The vendor's order, if the delivery is dispatched for one. Such a delivery has no external id. */
  readonly orderId: string | null;
  /** SHA-256 of the parsed body without quote_id. */
  readonly contentHash: string;
  readonly priority: Priority;
  readonly locationId: LocationId | null;
  readonly pickup: NewPickup | null;
  readonly dropOffs: readonly NewStop[];
  readonly metadata: Parcel;
  readonly vehicleTypes: readonly VehicleType[];
  readonly custom: Delivery['custom'];
  readonly extras: Extras;
  readonly quoteId: QuoteId | null;
  readonly searchUntilAt: number | null;
  readonly robo: RoboSpec | null;
};

export type NewQuote = {
  readonly vendorId: VendorId;
  readonly liveMode: boolean;
  readonly locationId: LocationId | null;
  readonly pickup: Coordinates | null;
  readonly dropOffs: readonly Pick<NewStop, 'place' | 'window' | 'orderValue'>[];
  /** When the goods can be collected; null: from now. */
  readonly window: Window | null;
  readonly searchUntilAt: number | null;
  readonly metadata: Parcel;
  /** The vehicles that may carry the goods; none listed allows all. */
  readonly vehicleTypes: readonly VehicleType[];
  readonly priority: Priority;
  /** The discount that the vendor gives its customer; null for none. */
  readonly subsidy: Subsidy | null;
  /** The tier of the vendor's customer, and the promotion that the vendor names; null for none. */
  readonly customerTier: string | null;
  readonly promo: string | null;
};

/** The fields of a stop that a caller may change. A field that is absent stays. */
export type StopEdit = { readonly stop: number } & Partial<
  Pick<
    Stop,
    'instructions' | 'contact' | 'window' | 'place' | 'address' | 'items' | 'orderValue' | 'businessName' | 'reference'
  >
> & { readonly verification?: ProofDemands };

export type UpdateDelivery = {
  readonly deliveryId: DeliveryId;
  /** The version that the caller has seen (`If-Match`), or null. */
  readonly ifVersion: number | null;
  readonly stops: readonly StopEdit[];
  readonly tip?: number;
  readonly custom?: Delivery['custom'];
};

/** `readyAt`: when the goods were ready, if not now. */
export type MarkReady = {
  readonly deliveryId: DeliveryId;
  /** The version that the caller has seen (`If-Match`), or null. */
  readonly ifVersion: number | null;
  readonly readyAt: number | null;
};

export type DelayPickup = {
  readonly deliveryId: DeliveryId;
  /** The delay in minutes, or the new ready time. */
  readonly to: { readonly minutes: number } | { readonly readyAt: number };
  readonly reason: string | null;
};

/**
 * `comment` is for vendor and staff; absent if the caller gave none. `acceptFee` is the highest fee that the caller
 * accepts, minor units; absent if they accept any.
 */
export type CancelDelivery = {
  readonly deliveryId: DeliveryId;
  readonly reason: CancelReason | null;
  readonly comment?: string;
  readonly acceptFee?: number;
};

export type AssignCourier = {
  readonly deliveryId: DeliveryId;
  readonly courierId: CourierId;
  /** The accepted offer; null if a person assigned the courier. */
  readonly offerId: OfferId | null;
  readonly overrideReason: string | null;
};

/** `assignedAt` names the assignment that the action is about; if absent, it is the present one. */
export type UnderAssignment = { readonly deliveryId: DeliveryId; readonly assignedAt?: number };

export type UnassignCourier = UnderAssignment & {
  /** The courier to unassign; if absent, the courier who has the delivery. */
  readonly courierId?: CourierId;
  readonly reason: string;
};

export type ActAtStop = UnderAssignment & {
  readonly stop: number;
  readonly overrideReason: string | null;
};

export type FailStop = ActAtStop & {
  readonly reason: FailReason;
  readonly contactTries: readonly { readonly at: number; readonly channel: 'call' | 'message' }[];
};

export type OnboardCourier = {
  readonly name: string;
  readonly phone: string;
  readonly vehicleType: VehicleType;
  readonly liveMode: boolean;
  readonly email?: string;
  readonly plate?: string;
  readonly city?: string;
};

/**
 * A person, a vendor's server or a service. `system` is the server itself, for timers and sensors. A recipient never
 * acts.
 */
export type Doer = Exclude<Caller, { type: 'recipient' }> | SystemDoer;

/** `of` names the observed assignment. The observation does not count under another assignment. */
export type SystemDoer = { readonly type: 'system'; readonly of?: Assignment | null };
