// `npm run docs` generates this file from the schemas of the server and overwrites all changes. // one table

export type Address = string | {
  /** Street and house number */
  street: string;
  /** Floor, flat or entrance */
  street2?: string;
  /** City or town */
  city: string;
  /** State or region */
  state?: string;
  /** Postal code */
  postal_code?: string;
  /** Country, two upper-case letters of ISO 3166-1 */
  country: string;
};

export type Adjustment = {
  /** The id of the adjustment */
  id: string;
  /** The kind of object */
  object: "adjustment";
  /** The vendor whose wallet is adjusted */
  vendor_id: string;
  /** The mode of the wallet */
  live_mode: boolean;
  /** `awaiting_approval`: no money has moved yet. `booked`: a second person has approved it */
  status: "awaiting_approval" | "booked" | "rejected";
  /** Minor units: above 0 into the wallet, below 0 out of it */
  amount: number;
  /** ISO 4217 code of the currency of the wallet */
  currency: string;
  /** Why, as the vendor reads it */
  reason: string;
  /** The member of staff who asked for it */
  requested_by: string;
  /** The person who approved or rejected it; null while it waits */
  decided_by: string | null;
  /** When it was asked for, UTC */
  created_at: string;
  /** When it changed last, UTC */
  updated_at: string;
};

export type ApiKey = {
  /** The id of the key */
  id: string;
  /** The kind of object */
  object: "api_key";
  /** False for a key of test mode */
  live_mode: boolean;
  /** The name by which people know the key */
  name: string | null;
  /** How the key begins */
  prefix: string;
  /** The last four characters of the key */
  last4: string;
  /** The rights of the key */
  scopes: ("deliveries:read" | "deliveries:write" | "billing:read" | "billing:write" | "wallets:read" | "wallets:write" | "webhooks:read" | "webhooks:write" | "vendor:read" | "vendor:write" | "keys:read" | "keys:write")[];
  /** Whether the key is valid now */
  status: "active" | "expired" | "revoked";
  /** When the key was made, UTC */
  created_at: string;
  /** The kind of actor that made the key */
  created_by: "staff" | "vendor" | "courier" | "internal" | "operator" | "system";
  /** When the key was last used, to the minute, UTC */
  last_used_at: string | null;
  /** When the key ends by itself, UTC; null for never */
  expires_at: string | null;
  /** When the key was revoked, UTC */
  revoked_at: string | null;
  /** The key that replaced it in a rotation */
  replaced_by: string | null;
  /** The version of the API, a date, for requests that name none */
  api_version: string;
  /** The key itself. Only the answer that makes it contains it */
  key?: string;
};

export type BankAccount = {
  /** The kind of object */
  object: "bank_account";
  /** The courier whose earnings are paid to it */
  courier_id: string;
  /** False for a courier of test mode */
  live_mode: boolean;
  /** ISO 4217 code. Only earnings in this currency are paid to it */
  currency: string;
  /** ISO 3166 code of the country of the bank */
  country: string;
  /** Whether it is named by an IBAN or by a number and a bank code */
  form: "iban" | "local";
  /** The last four characters of the IBAN or the number. The rest is never shown */
  last4: string;
  /** No payout goes to it before, UTC. After a change this is 24 hours later by default, to stop fraud */
  usable_at: string;
  /** When it was set, UTC */
  updated_at: string;
};

export type CancelPreview = {
  /** Kind of the object. */
  object: "cancel_preview";
  /** Id of the delivery. */
  delivery_id: string;
  /** The state that these terms are for */
  status: "scheduled" | "searching" | "assigned" | "picked_up" | "in_transit" | "delivered" | "canceled" | "failed";
  /** The version of the delivery that these terms are for */
  version: number;
  /** Whether the caller may cancel now */
  allowed: boolean;
  /** Why the caller may not cancel: `delivery_` and the end state, or the code of the refusal. Null if they may */
  reason: string | null;
  /** The rule of the cancellation policy that applies. Null if the caller may not cancel */
  policy_rule: "before_assignment" | "soon_after_assignment" | "after_assignment" | "at_pickup" | "after_pickup" | null;
  /** Whether the cancel opens a return of the goods to the pickup */
  opens_return: boolean;
  /** The price of the cancel, minor units. Null if the caller may not cancel */
  fee: number | null;
  /** The lines of the fee. They sum to it */
  breakdown: ({
    /** The reason for the line */
    type: "delivery" | "tip" | "wait" | "return" | "cancellation";
    /** Amount with tax, minor units */
    amount: number;
    /** The tax in the amount, minor units */
    tax: number;
  })[];
  /** The amount that becomes available again in the wallet, minor units. Null if the caller may not cancel */
  refund: number | null;
  /** ISO 4217 code of the currency */
  currency: string;
  /** Until when these terms hold, unless the delivery changes first */
  valid_until: string;
};

export type CanceledEvent = {
  /** Id of the object: a prefix for its kind and 26 lower-case characters. Treat it as opaque text. */
  id: string;
  /** Kind of the object. */
  object: "event";
  /** Version of the API with which the event was written, a date. */
  api_version: string;
  /** When the object was created, RFC 3339 in UTC. */
  created_at: string;
  /** True in live mode, false in test mode. Objects of the two modes never meet. */
  live_mode: boolean;
  /** Number of the event within its delivery, from 1 without gaps */
  sequence: number;
  /** Id of the delivery. */
  delivery_id: string;
  /** The caller's own id: 1 to 64 characters of `A-Z a-z 0-9 . _ ~ -`, unique per vendor and mode. */
  external_id?: string;
  /** Id of the vendor. */
  vendor_id: string;
  /** Kind of the object, event or actor. */
  type: "canceled";
  /** Items of this page, in the order of the list. */
  data: {
    /** State of the delivery before the event. Null if the event created it. */
    from: "scheduled" | "searching" | "assigned" | "picked_up" | "in_transit" | "delivered" | "canceled" | "failed" | null;
    /** State of the delivery after the event. */
    to: "scheduled" | "searching" | "assigned" | "picked_up" | "in_transit" | "delivered" | "canceled" | "failed";
    /** Finer detail of the state, such as `en_route_to_pickup`. Null if there is none. */
    stage: string | null;
    /** The kind of caller that caused the event, and its id if it has one. */
    actor: EventActor;
    /** The courier who has the delivery, or who lost it by this event. */
    courier?: CourierCard;
    /** The delivery as it was at that moment. */
    delivery?: Delivery;
    /** Why it happened: a code, or the text of a person. */
    reason?: string;
  };
};

export type Charge = {
  /** The id of the transaction that booked the charge */
  id: string;
  /** The kind of object */
  object: "charge";
  /** A refund has negative amounts */
  category: "charge" | "refund";
  /** The delivery that was charged */
  delivery_id: string | null;
  /** Your own id of the delivery; null for none */
  external_id: string | null;
  /** The vendor order that the delivery was dispatched for; null for none */
  order_id: string | null;
  /** The sum of the lines without tax, minor units */
  net: number;
  /** The tax in the lines, minor units */
  tax: number;
  /** The sum of the lines with tax, minor units */
  amount: number;
  /** ISO 4217 code of the currency of all amounts */
  currency: string;
  /** The parts of the charge */
  lines: ChargeLine[];
  /** The mode. Test money and live money never mix */
  live_mode: boolean;
  /** When it was booked, UTC */
  billed_at: string;
};

export type ChargeLine = {
  /** The purpose of the amount */
  type: "delivery" | "tip" | "wait" | "return" | "cancellation";
  /** The amount without its tax, minor units; negative in a refund */
  net: number;
  /** The tax in the amount, minor units; negative in a refund */
  tax: number;
  /** The amount with its tax, minor units; negative in a refund */
  amount: number;
};

export type Contact = {
  /** Name, 1 to 120 characters. */
  name: string;
  /** Phone number in E.164, such as `+4930123456`. Spaces and dashes are removed. */
  phone: string;
  /** Email address, at most 254 characters. */
  email?: string;
};

export type Courier = {
  /** Id of the object: a prefix for its kind and 26 lower-case characters. Treat it as opaque text. */
  id: string;
  /** Kind of the object. */
  object: "courier";
  /** True in live mode, false in test mode. Objects of the two modes never meet. */
  live_mode: boolean;
  /** A person (`courier`), or a simulated courier of test mode (`robo`). */
  kind: "courier" | "robo";
  /** Name, 1 to 120 characters. */
  name: string;
  /** Phone number in E.164, such as `+4930123456`. Spaces and dashes are removed. */
  phone: string;
  /** Vehicle of the courier. */
  vehicle_type: "bicycle" | "scooter" | "motorcycle" | "car" | "van";
  /** E-mail address. Null if not given */
  email: string | null;
  /** Licence plate of the vehicle. Null if not given */
  plate: string | null;
  /** City in which the courier works. Null if not given */
  city: string | null;
  /** State of the profile */
  state: "pending" | "active" | "suspended";
  /** Whether staff or an expired document suspended the courier; null if they are not suspended */
  suspended_for: "staff" | "documents" | null;
  /** Availability */
  status: "online" | "offline";
  /** Ids of the deliveries that the courier carries now. */
  active_deliveries: string[];
  /** Deliveries that the courier may carry at once. */
  capacity: number;
  /** Number of the present version, from 1. Each change raises it. It is also the `ETag`. */
  version: number;
  /** When the object was created, RFC 3339 in UTC. */
  created_at: string;
};

export type CourierArrivedDropOffEvent = {
  /** Id of the object: a prefix for its kind and 26 lower-case characters. Treat it as opaque text. */
  id: string;
  /** Kind of the object. */
  object: "event";
  /** Version of the API with which the event was written, a date. */
  api_version: string;
  /** When the object was created, RFC 3339 in UTC. */
  created_at: string;
  /** True in live mode, false in test mode. Objects of the two modes never meet. */
  live_mode: boolean;
  /** Number of the event within its delivery, from 1 without gaps */
  sequence: number;
  /** Id of the delivery. */
  delivery_id: string;
  /** The caller's own id: 1 to 64 characters of `A-Z a-z 0-9 . _ ~ -`, unique per vendor and mode. */
  external_id?: string;
  /** Id of the vendor. */
  vendor_id: string;
  /** Kind of the object, event or actor. */
  type: "courier.arrived_drop_off";
  /** Items of this page, in the order of the list. */
  data: {
    /** State of the delivery before the event. Null if the event created it. */
    from: "scheduled" | "searching" | "assigned" | "picked_up" | "in_transit" | "delivered" | "canceled" | "failed" | null;
    /** State of the delivery after the event. */
    to: "scheduled" | "searching" | "assigned" | "picked_up" | "in_transit" | "delivered" | "canceled" | "failed";
    /** Finer detail of the state, such as `en_route_to_pickup`. Null if there is none. */
    stage: string | null;
    /** The kind of caller that caused the event, and its id if it has one. */
    actor: EventActor;
    /** The courier who has the delivery, or who lost it by this event. */
    courier?: CourierCard;
    /** The delivery as it was at that moment. */
    delivery?: Delivery;
    /** Number of the drop-off from 1, or 0 for the pickup. */
    stop: number;
    /** Why the courier or the dispatcher acted although a rule would have refused it; recipients do not see it */
    override_reason?: string;
  };
};

export type CourierArrivedPickupEvent = {
  /** Id of the object: a prefix for its kind and 26 lower-case characters. Treat it as opaque text. */
  id: string;
  /** Kind of the object. */
  object: "event";
  /** Version of the API with which the event was written, a date. */
  api_version: string;
  /** When the object was created, RFC 3339 in UTC. */
  created_at: string;
  /** True in live mode, false in test mode. Objects of the two modes never meet. */
  live_mode: boolean;
  /** Number of the event within its delivery, from 1 without gaps */
  sequence: number;
  /** Id of the delivery. */
  delivery_id: string;
  /** The caller's own id: 1 to 64 characters of `A-Z a-z 0-9 . _ ~ -`, unique per vendor and mode. */
  external_id?: string;
  /** Id of the vendor. */
  vendor_id: string;
  /** Kind of the object, event or actor. */
  type: "courier.arrived_pickup";
  /** Items of this page, in the order of the list. */
  data: {
    /** State of the delivery before the event. Null if the event created it. */
    from: "scheduled" | "searching" | "assigned" | "picked_up" | "in_transit" | "delivered" | "canceled" | "failed" | null;
    /** State of the delivery after the event. */
    to: "scheduled" | "searching" | "assigned" | "picked_up" | "in_transit" | "delivered" | "canceled" | "failed";
    /** Finer detail of the state, such as `en_route_to_pickup`. Null if there is none. */
    stage: string | null;
    /** The kind of caller that caused the event, and its id if it has one. */
    actor: EventActor;
    /** The courier who has the delivery, or who lost it by this event. */
    courier?: CourierCard;
    /** The delivery as it was at that moment. */
    delivery?: Delivery;
    /** Number of the drop-off from 1, or 0 for the pickup. */
    stop: number;
    /** Why the courier or the dispatcher acted although a rule would have refused it; recipients do not see it */
    override_reason?: string;
  };
};

export type CourierAssignedEvent = {
  /** Id of the object: a prefix for its kind and 26 lower-case characters. Treat it as opaque text. */
  id: string;
  /** Kind of the object. */
  object: "event";
  /** Version of the API with which the event was written, a date. */
  api_version: string;
  /** When the object was created, RFC 3339 in UTC. */
  created_at: string;
  /** True in live mode, false in test mode. Objects of the two modes never meet. */
  live_mode: boolean;
  /** Number of the event within its delivery, from 1 without gaps */
  sequence: number;
  /** Id of the delivery. */
  delivery_id: string;
  /** The caller's own id: 1 to 64 characters of `A-Z a-z 0-9 . _ ~ -`, unique per vendor and mode. */
  external_id?: string;
  /** Id of the vendor. */
  vendor_id: string;
  /** Kind of the object, event or actor. */
  type: "courier.assigned";
  /** Items of this page, in the order of the list. */
  data: {
    /** State of the delivery before the event. Null if the event created it. */
    from: "scheduled" | "searching" | "assigned" | "picked_up" | "in_transit" | "delivered" | "canceled" | "failed" | null;
    /** State of the delivery after the event. */
    to: "scheduled" | "searching" | "assigned" | "picked_up" | "in_transit" | "delivered" | "canceled" | "failed";
    /** Finer detail of the state, such as `en_route_to_pickup`. Null if there is none. */
    stage: string | null;
    /** The kind of caller that caused the event, and its id if it has one. */
    actor: EventActor;
    /** The courier who has the delivery, or who lost it by this event. */
    courier: CourierCard;
    /** The delivery as it was at that moment. */
    delivery?: Delivery;
    /** Why the courier or the dispatcher acted although a rule would have refused it; recipients do not see it */
    override_reason?: string;
  };
};

export type CourierCard = {
  /** Id of the object: a prefix for its kind and 26 lower-case characters. Treat it as opaque text. */
  id: string;
  /** First name of the courier. */
  first_name: string;
  /** Vehicle of the courier. */
  vehicle_type: "bicycle" | "scooter" | "motorcycle" | "car" | "van";
};

export type CourierDelivery = {
  /** Id of the object: a prefix for its kind and 26 lower-case characters. Treat it as opaque text. */
  id: string;
  /** Kind of the object. */
  object: "delivery";
  /** Whether goods go to recipients (`delivery`) or back to the pickup (`return`). */
  kind: "delivery" | "return";
  /** True in live mode, false in test mode. Objects of the two modes never meet. */
  live_mode: boolean;
  /** Present state. */
  status: "scheduled" | "searching" | "assigned" | "picked_up" | "in_transit" | "delivered" | "canceled" | "failed";
  /** Finer detail of the state, such as `en_route_to_pickup`. Null if there is none. */
  stage: "en_route_to_pickup" | "arrived_at_pickup" | "en_route_to_drop_off" | "arrived_at_drop_off" | "offering" | null;
  /** Number of the present version, from 1. Each change raises it. It is also the `ETag`. */
  version: number;
  /** Number of the newest event of the delivery, from 1 without gaps. */
  sequence: number;
  /** The goods: weight, category and fragility. */
  metadata: Record<string, string | number>;
  /** Length of the way in whole metres. */
  distance_m: number;
  /** Why the vendor put off the pickup. Null once the goods are ready or collected */
  delay_reason: string | null;
  /** When the object was created, RFC 3339 in UTC. */
  created_at: string;
  /** When the object last changed, RFC 3339 in UTC. */
  updated_at: string;
  /** When the delivery was assigned to this courier, RFC 3339 in UTC. An action names it, so that it changes nothing of a later assignment */
  assigned_at: string;
  /** Where the courier collects the goods. */
  pickup: CourierStop;
  /** Where the courier hands the goods over: 1 to 10 drop-offs. */
  drop_off: CourierStop[];
};

export type CourierStop = {
  /** Number of the stop: 0 is the pickup, and drop-offs count from 1 as listed. */
  stop: number;
  /** The place of the stop in the order of visits; 0 is the pickup */
  visit: number;
  /** Position in WGS84 degrees. */
  coordinates: {
    /** Latitude in WGS84 degrees, from -90 to 90. */
    lat: number;
    /** Longitude in WGS84 degrees, from -180 to 180. */
    lng: number;
  };
  /** Address for people: one line of at most 280 characters, or an object with its parts. */
  address: Address | null;
  /** Name of the business at the pickup. Null at drop-offs */
  business_name: string | null;
  /** Words that the courier says at the pickup to get the goods. Null at drop-offs */
  reference: string | null;
  /** Handling of the goods if the drop-off fails */
  undeliverable_action: "return" | "leave_at_door" | "discard";
  /** Instructions for the stop. Null after the delivery ended */
  instructions: string | null;
  /** When the courier should be there. Either end may be missing. */
  window: TimeWindow | null;
  /** The vendor's own id of the stop: 1 to 64 characters of `A-Z a-z 0-9 . _ ~ -`. */
  external_id: string | null;
  /** Whether the courier meets the recipient or leaves the goods there with a photo */
  deliverable_action: "meet_at_door" | "leave_at_door";
  /** The proof that the stop requires. Null if it requires none */
  verification: Verification | null;
  /** How far the proof is: not required, required, begun or complete. A stop may be proven although nothing is required */
  proof_status: "not_required" | "required" | "begun" | "complete";
  /** State of the stop. */
  status: "pending" | "arrived" | "delivered" | "failed" | "canceled";
  /** When the courier is expected. Null after the courier arrived, and if the server cannot know */
  eta_at: string | null;
  /** When the courier arrived, RFC 3339 in UTC. Null before. */
  arrived_at: string | null;
  /** When it ended, RFC 3339 in UTC. Null before. */
  ended_at: string | null;
  /** Why the drop-off failed; null if it did not. `customer_unavailable`: nobody is there or answers. `customer_refused`: the recipient does not take the goods. `address_not_found`: the courier cannot find the place. `access_denied`: the courier cannot get in, or the place is closed. `damaged`: the goods are damaged. `lost`: the goods are lost. `unsafe`: the place is not safe for the courier. `id_check_failed`: the recipient cannot prove their identity or age. `pin_failed`: the recipient does not know the PIN */
  reason: string | null;
  /** The goods for this drop-off, without their prices */
  items: ({
    /** Name of the item, 1 to 120 characters. */
    name: string;
    /** Number of pieces. */
    quantity: number;
    /** Weight of one piece in grams */
    weight_g?: number;
    /** How large a piece is. */
    size?: "small" | "medium" | "large" | "xlarge";
    /** Barcode on the item, as printed. */
    barcode?: string;
  })[];
  /** The person at the stop. Null after the delivery ended */
  contact: {
    /** Name, 1 to 120 characters. */
    name: string;
    /** Phone number in E.164, such as `+4930123456`. Spaces and dashes are removed. */
    phone: string;
  } | null;
};

export type CourierUnassignedEvent = {
  /** Id of the object: a prefix for its kind and 26 lower-case characters. Treat it as opaque text. */
  id: string;
  /** Kind of the object. */
  object: "event";
  /** Version of the API with which the event was written, a date. */
  api_version: string;
  /** When the object was created, RFC 3339 in UTC. */
  created_at: string;
  /** True in live mode, false in test mode. Objects of the two modes never meet. */
  live_mode: boolean;
  /** Number of the event within its delivery, from 1 without gaps */
  sequence: number;
  /** Id of the delivery. */
  delivery_id: string;
  /** The caller's own id: 1 to 64 characters of `A-Z a-z 0-9 . _ ~ -`, unique per vendor and mode. */
  external_id?: string;
  /** Id of the vendor. */
  vendor_id: string;
  /** Kind of the object, event or actor. */
  type: "courier.unassigned";
  /** Items of this page, in the order of the list. */
  data: {
    /** State of the delivery before the event. Null if the event created it. */
    from: "scheduled" | "searching" | "assigned" | "picked_up" | "in_transit" | "delivered" | "canceled" | "failed" | null;
    /** State of the delivery after the event. */
    to: "scheduled" | "searching" | "assigned" | "picked_up" | "in_transit" | "delivered" | "canceled" | "failed";
    /** Finer detail of the state, such as `en_route_to_pickup`. Null if there is none. */
    stage: string | null;
    /** The kind of caller that caused the event, and its id if it has one. */
    actor: EventActor;
    /** The courier who has the delivery, or who lost it by this event. */
    courier: CourierCard;
    /** The delivery as it was at that moment. */
    delivery?: Delivery;
    /** Why it happened: a code, or the text of a person. */
    reason: string;
  };
};

export type DeliveredEvent = {
  /** Id of the object: a prefix for its kind and 26 lower-case characters. Treat it as opaque text. */
  id: string;
  /** Kind of the object. */
  object: "event";
  /** Version of the API with which the event was written, a date. */
  api_version: string;
  /** When the object was created, RFC 3339 in UTC. */
  created_at: string;
  /** True in live mode, false in test mode. Objects of the two modes never meet. */
  live_mode: boolean;
  /** Number of the event within its delivery, from 1 without gaps */
  sequence: number;
  /** Id of the delivery. */
  delivery_id: string;
  /** The caller's own id: 1 to 64 characters of `A-Z a-z 0-9 . _ ~ -`, unique per vendor and mode. */
  external_id?: string;
  /** Id of the vendor. */
  vendor_id: string;
  /** Kind of the object, event or actor. */
  type: "delivered";
  /** Items of this page, in the order of the list. */
  data: {
    /** State of the delivery before the event. Null if the event created it. */
    from: "scheduled" | "searching" | "assigned" | "picked_up" | "in_transit" | "delivered" | "canceled" | "failed" | null;
    /** State of the delivery after the event. */
    to: "scheduled" | "searching" | "assigned" | "picked_up" | "in_transit" | "delivered" | "canceled" | "failed";
    /** Finer detail of the state, such as `en_route_to_pickup`. Null if there is none. */
    stage: string | null;
    /** The kind of caller that caused the event, and its id if it has one. */
    actor: EventActor;
    /** The courier who has the delivery, or who lost it by this event. */
    courier?: CourierCard;
    /** The delivery as it was at that moment. */
    delivery?: Delivery;
    /** Number of the drop-off from 1, or 0 for the pickup. */
    stop: number;
    /** Why the courier or the dispatcher acted although a rule would have refused it; recipients do not see it */
    override_reason?: string;
  };
};

export type Delivery = {
  /** Id of the object: a prefix for its kind and 26 lower-case characters. Treat it as opaque text. */
  id: string;
  /** Kind of the object. */
  object: "delivery";
  /** Whether goods go to recipients (`delivery`) or back to the pickup (`return`). */
  kind: "delivery" | "return";
  /** True in live mode, false in test mode. Objects of the two modes never meet. */
  live_mode: boolean;
  /** Where the delivery was ordered. */
  channel: "express" | "dashboard" | "chat" | "order" | "internal";
  /** Id of the vendor. */
  vendor_id: string;
  /** The caller's own id: 1 to 64 characters of `A-Z a-z 0-9 . _ ~ -`, unique per vendor and mode. */
  external_id: string | null;
  /** The vendor order that the delivery was dispatched for */
  order_id: string | null;
  /** Present state. */
  status: "scheduled" | "searching" | "assigned" | "picked_up" | "in_transit" | "delivered" | "canceled" | "failed";
  /** Finer detail of the state, such as `en_route_to_pickup`. Null if there is none. */
  stage: "en_route_to_pickup" | "arrived_at_pickup" | "en_route_to_drop_off" | "arrived_at_drop_off" | "offering" | null;
  /** True while the courier is on the way and within 500 m of their next stop, if that is a stop of this delivery */
  courier_imminent: boolean;
  /** True once the delivery has ended */
  complete: boolean;
  /** Number of the present version, from 1. Each change raises it. It is also the `ETag`. */
  version: number;
  /** Number of the newest event of the delivery, from 1 without gaps. */
  sequence: number;
  /** `express` starts the search at once. `scheduled` waits for the window of the pickup. */
  priority: "express" | "scheduled";
  /** Id of the quote whose price the delivery has, from `POST /express/quotes`. A quote can be used once, before it expires. */
  quote_id: string | null;
  /** Where the courier collects the goods. */
  pickup: Stop;
  /** Where the courier hands the goods over: 1 to 10 drop-offs. */
  drop_off: Stop[];
  /** The goods: weight, category and fragility. */
  metadata: Record<string, string | number>;
  /** Vehicles that may carry the delivery. An empty list allows all of them. */
  vehicle_types: ("bicycle" | "scooter" | "motorcycle" | "car" | "van")[];
  /** The vendor's own data, returned as it was sent. */
  custom: Record<string, string | number | boolean>;
  /** Tip for the courier, minor units. The fee does not contain it */
  tip: number;
  /** The promotion that the vendor named. It changes who pays the fee, and not the fee */
  promo: string | null;
  /** The one who collects the order values from the customer. A settlement pays what a `service` has collected. Events from before there were settlements lack it */
  order_value_collected_by?: "vendor" | "service";
  /** Whether the recipients want messages. The server itself sends none */
  notify_recipient: boolean;
  /** Price of the delivery in minor units of `currency`, such as cents. */
  fee: number;
  /** Upper-case ISO 4217 code. */
  currency: string;
  /** Lines of the fee. Their amounts sum exactly to `fee`. */
  fee_breakdown: ({
    /** Purpose of the line. */
    type: string;
    /** Amount in minor units of the currency, such as cents. */
    amount: number;
  })[];
  /** The share of the vendor’s customer: the fee without the discounts, minor units. Events from before deliveries were charged lack it */
  customer_fee?: number;
  /** The share of the vendor: the discounts that it pays, minor units. Events from before deliveries were charged lack it */
  vendor_net_cost?: number;
  /** The share of the platform: the discounts that it pays, minor units. Events from before deliveries were charged lack it */
  platform_share?: number;
  /** The amount that the wallet reserved, minor units: the fee without the share of the platform, and the tip. Null for a return, and for a delivery from before deliveries were charged */
  hold?: number | null;
  /** The charge by the end of the delivery. Null until it has ended, and if the delivery is free */
  charge?: {
    /** The amount that the vendor paid, minor units. It may exceed the hold */
    amount: number;
    /** The lines of the amount. They sum to it */
    breakdown: ({
      /** The reason for the line */
      type: "delivery" | "tip" | "wait" | "return" | "cancellation";
      /** Amount with tax, minor units */
      amount: number;
      /** The tax in the amount, minor units */
      tax: number;
    })[];
    /** The part of the amount that was refunded, minor units. Events from before refunds lack it */
    refunded?: number;
  } | null;
  /** Length of the way in whole metres. */
  distance_m: number;
  /** Expected time of the way in whole seconds. */
  duration_s: number;
  /** The source of `distance_m` and `duration_s`. `route`: the way along streets through all drop-offs, in the order of visits, of the first of `vehicle_types`, or of a scooter. `estimate`: straight lines times a factor, if the server has no streets there or did not find the way in time */
  distance_source?: "route" | "estimate";
  /** The way along streets that has the price, in the order of visits. Only the answer to a read of one delivery has it, if `distance_source` is `route`. A leg to or from a stop whose place was corrected may be missing */
  legs?: ({
    /** The stop where the leg begins; 0 is the pickup */
    from: number;
    /** The drop-off where it ends */
    to: number;
    /** The line along streets, as an encoded polyline with six decimals; 2,048 characters at most */
    polyline: string;
  })[];
  /** The courier. Null while none is assigned. */
  courier: CourierCard | null;
  /** Expected arrivals, each as a range. */
  eta: {
    /** Arrival at the pickup. Null once the goods are collected */
    pickup: ExpectedArrival | null;
    /** Arrival at the next drop-off */
    drop_off: ExpectedArrival | null;
    /** Expected arrival at the pickup. Null once the goods are collected */
    pickup_at: string | null;
    /** Expected arrival at the next drop-off */
    drop_off_at: string | null;
    /** Earliest arrival at the next stop */
    lower_at: string | null;
    /** Latest likely arrival at the next stop */
    upper_at: string | null;
    /** When the newest fact was known on which the arrivals rest */
    updated_at: string | null;
    /** On what the arrival at the next stop rests. `position`: a recent position of the courier. `old_position`: a position over 60 s old. `no_position`: a courier without a position. `no_courier`: the usual time to find a courier. `not_ready`: the courier waits until the goods are ready. `window`: the courier waits until the window begins. Null after the end. While the courier is lost or long overdue, or the search takes too long, the arrivals are null and this is not */
    reason: "no_courier" | "no_position" | "old_position" | "not_ready" | "window" | "position" | null;
  };
  /** `complete` if every drop-off was delivered, `partial` if some were. Null before the end, and if none was. */
  outcome: "complete" | "partial" | null;
  /** The actor who canceled the delivery, and the reason. Null if it was not canceled. */
  cancellation: {
    /** The kind of caller who canceled */
    by: "vendor" | "staff" | "internal" | "courier" | "system";
    /** Why it was canceled; null if nobody said. `customer_request`: the customer does not want the goods any more. `duplicate`: the same order exists twice. `wrong_address`: an address is wrong. `item_unavailable`: the vendor does not have the goods. `not_ready`: the goods are not ready in time. `courier_late`: the courier is late. `price`: the delivery costs too much. `other`: another reason, which a comment can name. `store_closed`: the pickup location is closed. Only staff name this reason. `no_courier_available`: the search has ended without a courier. Only the server names this reason. `test_expired`: a test had no event for too long. Only the server names this reason */
    reason: string | null;
    /** Their own words */
    comment: string | null;
    /** Fee of the cancel in minor units, with waiting and the way back */
    fee: number;
    /** When it happened, RFC 3339 in UTC. */
    at: string;
  } | null;
  /** The actor who reported the failure, and the reason. Null if the delivery did not fail. */
  failure: {
    /** Kind of the actor. */
    by: "vendor" | "staff" | "internal" | "courier" | "system";
    /** Why the delivery failed; null if nobody said. `customer_unavailable`: nobody is there or answers. `customer_refused`: the recipient does not take the goods. `address_not_found`: the courier cannot find the place. `access_denied`: the courier cannot get in, or the place is closed. `damaged`: the goods are damaged. `lost`: the goods are lost. `unsafe`: the place is not safe for the courier. `id_check_failed`: the recipient cannot prove their identity or age. `pin_failed`: the recipient does not know the PIN */
    reason: string | null;
    /** When it happened, RFC 3339 in UTC. */
    at: string;
  } | null;
  /** Ids of the returns of this delivery, or of the delivery that this return belongs to. */
  related_deliveries: string[];
  /** Tracking page of the only drop-off, or of the one that is visited last. */
  tracking_url?: string;
  /** Why the vendor put off the pickup. Null once the goods are ready or collected */
  delay_reason: string | null;
  /** When the search for a courier ends, RFC 3339 in UTC. */
  search_until: string;
  /** When the delivery reached each step, RFC 3339 in UTC, by the name of the step. Null if it has not. */
  timestamps: Record<string, string | null>;
  /** When the object was created, RFC 3339 in UTC. */
  created_at: string;
  /** When the object last changed, RFC 3339 in UTC. */
  updated_at: string;
};

export type DeliveryChanges = {
  /** New instructions or a new contact for the pickup. */
  pickup?: {
    /** Until the stop ends */
    instructions?: string | null | undefined;
    /** Until the stop ends */
    contact?: NewContact | undefined;
    /** While no courier is assigned */
    window?: NewTimeWindow | undefined;
    /** Until the goods are collected; at most 120 characters */
    business_name?: string | undefined;
    /** Proof to require besides that of the stop, until the goods are collected or the proof begins. Requirements can only be added */
    verification?: {
      /** True if the courier must take a photo */
      picture?: boolean | undefined;
      /** The signature of the person at the stop */
      signature?: {
        /** True if the courier must collect a signature. The default is true */
        enabled?: boolean | undefined;
        /** True if the courier must enter the name of the person who signs */
        collect_name?: boolean | undefined;
        /** True if the courier must enter how that person is related to the recipient */
        collect_relationship?: boolean | undefined;
      } | undefined;
      /** Barcodes to scan besides those that the stop requires already, at most 20 together */
      barcodes?: readonly ({
        /** Content of the barcode, at most 128 characters */
        value: string;
        /** Kind of the barcode. The default is CODE128 */
        type?: "CODE39" | "CODE39_FULL_ASCII" | "CODE128" | "QR" | undefined;
      })[] | undefined;
    } | undefined;
    /** Until the goods are collected; at most 64 characters */
    reference?: string | undefined;
  } | undefined;
  /** New instructions or new contacts for drop-offs, at most 10. */
  drop_off?: readonly ({
    /** Number of the drop-off from 1. The default is its place in this list */
    stop?: number | undefined;
    /** Until the stop ends */
    instructions?: string | null | undefined;
    /** Until the stop ends */
    contact?: NewContact | undefined;
    /** Until the courier arrives, at most 500 m from the first place. The price stays */
    coordinates?: NewCoordinates | undefined;
    /** Until the courier arrives */
    address?: NewAddress | undefined;
    /** Until the goods are collected */
    window?: NewTimeWindow | null | undefined;
    /** Until the goods are collected; replaces the whole list of at most 100 kinds */
    items?: readonly NewItem[] | undefined;
    /** Proof to require besides that of the stop, until the goods are collected or the proof begins. Requirements can only be added */
    verification?: {
      /** True if the courier must take a photo */
      picture?: boolean | undefined;
      /** The signature of the person at the stop */
      signature?: {
        /** True if the courier must collect a signature. The default is true */
        enabled?: boolean | undefined;
        /** True if the courier must enter the name of the person who signs */
        collect_name?: boolean | undefined;
        /** True if the courier must enter how that person is related to the recipient */
        collect_relationship?: boolean | undefined;
      } | undefined;
      /** Barcodes to scan besides those that the stop requires already, at most 20 together */
      barcodes?: readonly ({
        /** Content of the barcode, at most 128 characters */
        value: string;
        /** Kind of the barcode. The default is CODE128 */
        type?: "CODE39" | "CODE39_FULL_ASCII" | "CODE128" | "QR" | undefined;
      })[] | undefined;
      /** A PIN that the recipient tells the courier. The courier never sees it. Five wrong tries lock the stop */
      pin?: {
        /** True if the recipient must tell a PIN. The default is true */
        enabled?: boolean | undefined;
        /** Origin of the PIN. `random`: four digits of the server. `phone_last4`: the last four digits of the contact’s phone. `merchant_provided`: `value`. The default is `"random"`. */
        type?: "random" | "phone_last4" | "merchant_provided" | undefined;
        /** The PIN, 4 to 8 digits. Only for the type `merchant_provided` */
        value?: string | undefined;
      } | undefined;
      /** The courier must check the age of the recipient by an identity document */
      identification?: {
        /** Age in years, 1 to 99 */
        min_age: number;
      } | undefined;
    } | undefined;
    /** Until the goods are collected, in minor units */
    order_value?: number | undefined;
  })[] | undefined;
  /** Tip in minor units. It can only rise. The wallet reserves the rise */
  tip?: number | undefined;
  /** Your own data; replaces all of it */
  custom?: Record<string, string | number | boolean> | undefined;
};

export type DeliveryCreatedEvent = {
  /** Id of the object: a prefix for its kind and 26 lower-case characters. Treat it as opaque text. */
  id: string;
  /** Kind of the object. */
  object: "event";
  /** Version of the API with which the event was written, a date. */
  api_version: string;
  /** When the object was created, RFC 3339 in UTC. */
  created_at: string;
  /** True in live mode, false in test mode. Objects of the two modes never meet. */
  live_mode: boolean;
  /** Number of the event within its delivery, from 1 without gaps */
  sequence: number;
  /** Id of the delivery. */
  delivery_id: string;
  /** The caller's own id: 1 to 64 characters of `A-Z a-z 0-9 . _ ~ -`, unique per vendor and mode. */
  external_id?: string;
  /** Id of the vendor. */
  vendor_id: string;
  /** Kind of the object, event or actor. */
  type: "delivery.created";
  /** Items of this page, in the order of the list. */
  data: {
    /** State of the delivery before the event. Null if the event created it. */
    from: "scheduled" | "searching" | "assigned" | "picked_up" | "in_transit" | "delivered" | "canceled" | "failed" | null;
    /** State of the delivery after the event. */
    to: "scheduled" | "searching" | "assigned" | "picked_up" | "in_transit" | "delivered" | "canceled" | "failed";
    /** Finer detail of the state, such as `en_route_to_pickup`. Null if there is none. */
    stage: string | null;
    /** The kind of caller that caused the event, and its id if it has one. */
    actor: EventActor;
    /** The courier who has the delivery, or who lost it by this event. */
    courier?: CourierCard;
    /** The delivery as it was at that moment. */
    delivery?: Delivery;
  };
};

export type DeliveryDelayedEvent = {
  /** Id of the object: a prefix for its kind and 26 lower-case characters. Treat it as opaque text. */
  id: string;
  /** Kind of the object. */
  object: "event";
  /** Version of the API with which the event was written, a date. */
  api_version: string;
  /** When the object was created, RFC 3339 in UTC. */
  created_at: string;
  /** True in live mode, false in test mode. Objects of the two modes never meet. */
  live_mode: boolean;
  /** Number of the event within its delivery, from 1 without gaps */
  sequence: number;
  /** Id of the delivery. */
  delivery_id: string;
  /** The caller's own id: 1 to 64 characters of `A-Z a-z 0-9 . _ ~ -`, unique per vendor and mode. */
  external_id?: string;
  /** Id of the vendor. */
  vendor_id: string;
  /** Kind of the object, event or actor. */
  type: "delivery.delayed";
  /** Items of this page, in the order of the list. */
  data: {
    /** State of the delivery before the event. Null if the event created it. */
    from: "scheduled" | "searching" | "assigned" | "picked_up" | "in_transit" | "delivered" | "canceled" | "failed" | null;
    /** State of the delivery after the event. */
    to: "scheduled" | "searching" | "assigned" | "picked_up" | "in_transit" | "delivered" | "canceled" | "failed";
    /** Finer detail of the state, such as `en_route_to_pickup`. Null if there is none. */
    stage: string | null;
    /** The kind of caller that caused the event, and its id if it has one. */
    actor: EventActor;
    /** The courier who has the delivery, or who lost it by this event. */
    courier?: CourierCard;
    /** The delivery as it was at that moment. */
    delivery?: Delivery;
    /** Why it happened: a code, or the text of a person. */
    reason?: string;
    /** Start of the window, or when the goods are ready. RFC 3339. */
    ready_at: string;
  };
};

export type DeliveryFailedEvent = {
  /** Id of the object: a prefix for its kind and 26 lower-case characters. Treat it as opaque text. */
  id: string;
  /** Kind of the object. */
  object: "event";
  /** Version of the API with which the event was written, a date. */
  api_version: string;
  /** When the object was created, RFC 3339 in UTC. */
  created_at: string;
  /** True in live mode, false in test mode. Objects of the two modes never meet. */
  live_mode: boolean;
  /** Number of the event within its delivery, from 1 without gaps */
  sequence: number;
  /** Id of the delivery. */
  delivery_id: string;
  /** The caller's own id: 1 to 64 characters of `A-Z a-z 0-9 . _ ~ -`, unique per vendor and mode. */
  external_id?: string;
  /** Id of the vendor. */
  vendor_id: string;
  /** Kind of the object, event or actor. */
  type: "delivery.failed";
  /** Items of this page, in the order of the list. */
  data: {
    /** State of the delivery before the event. Null if the event created it. */
    from: "scheduled" | "searching" | "assigned" | "picked_up" | "in_transit" | "delivered" | "canceled" | "failed" | null;
    /** State of the delivery after the event. */
    to: "scheduled" | "searching" | "assigned" | "picked_up" | "in_transit" | "delivered" | "canceled" | "failed";
    /** Finer detail of the state, such as `en_route_to_pickup`. Null if there is none. */
    stage: string | null;
    /** The kind of caller that caused the event, and its id if it has one. */
    actor: EventActor;
    /** The courier who has the delivery, or who lost it by this event. */
    courier?: CourierCard;
    /** The delivery as it was at that moment. */
    delivery?: Delivery;
    /** Number of the drop-off from 1, or 0 for the pickup. */
    stop: number;
    /** Why it happened: a code, or the text of a person. */
    reason?: string;
    /** Why the courier or the dispatcher acted although a rule would have refused it; recipients do not see it */
    override_reason?: string;
  };
};

export type DeliveryProof = {
  /** Always `delivery_proof` */
  object: "delivery_proof";
  /** The delivery */
  delivery_id: string;
  /** The proof of each stop that has any: the pickup first, then the drop-offs */
  stops: Proof[];
};

export type DeliveryReadyEvent = {
  /** Id of the object: a prefix for its kind and 26 lower-case characters. Treat it as opaque text. */
  id: string;
  /** Kind of the object. */
  object: "event";
  /** Version of the API with which the event was written, a date. */
  api_version: string;
  /** When the object was created, RFC 3339 in UTC. */
  created_at: string;
  /** True in live mode, false in test mode. Objects of the two modes never meet. */
  live_mode: boolean;
  /** Number of the event within its delivery, from 1 without gaps */
  sequence: number;
  /** Id of the delivery. */
  delivery_id: string;
  /** The caller's own id: 1 to 64 characters of `A-Z a-z 0-9 . _ ~ -`, unique per vendor and mode. */
  external_id?: string;
  /** Id of the vendor. */
  vendor_id: string;
  /** Kind of the object, event or actor. */
  type: "delivery.ready";
  /** Items of this page, in the order of the list. */
  data: {
    /** State of the delivery before the event. Null if the event created it. */
    from: "scheduled" | "searching" | "assigned" | "picked_up" | "in_transit" | "delivered" | "canceled" | "failed" | null;
    /** State of the delivery after the event. */
    to: "scheduled" | "searching" | "assigned" | "picked_up" | "in_transit" | "delivered" | "canceled" | "failed";
    /** Finer detail of the state, such as `en_route_to_pickup`. Null if there is none. */
    stage: string | null;
    /** The kind of caller that caused the event, and its id if it has one. */
    actor: EventActor;
    /** The courier who has the delivery, or who lost it by this event. */
    courier?: CourierCard;
    /** The delivery as it was at that moment. */
    delivery?: Delivery;
    /** Start of the window, or when the goods are ready. RFC 3339. */
    ready_at: string;
  };
};

export type DeliveryRefundedEvent = {
  /** Id of the object: a prefix for its kind and 26 lower-case characters. Treat it as opaque text. */
  id: string;
  /** Kind of the object. */
  object: "event";
  /** Version of the API with which the event was written, a date. */
  api_version: string;
  /** When the object was created, RFC 3339 in UTC. */
  created_at: string;
  /** True in live mode, false in test mode. Objects of the two modes never meet. */
  live_mode: boolean;
  /** Number of the event within its delivery, from 1 without gaps */
  sequence: number;
  /** Id of the delivery. */
  delivery_id: string;
  /** The caller's own id: 1 to 64 characters of `A-Z a-z 0-9 . _ ~ -`, unique per vendor and mode. */
  external_id?: string;
  /** Id of the vendor. */
  vendor_id: string;
  /** Kind of the object, event or actor. */
  type: "delivery.refunded";
  /** Items of this page, in the order of the list. */
  data: {
    /** State of the delivery before the event. Null if the event created it. */
    from: "scheduled" | "searching" | "assigned" | "picked_up" | "in_transit" | "delivered" | "canceled" | "failed" | null;
    /** State of the delivery after the event. */
    to: "scheduled" | "searching" | "assigned" | "picked_up" | "in_transit" | "delivered" | "canceled" | "failed";
    /** Finer detail of the state, such as `en_route_to_pickup`. Null if there is none. */
    stage: string | null;
    /** The kind of caller that caused the event, and its id if it has one. */
    actor: EventActor;
    /** The courier who has the delivery, or who lost it by this event. */
    courier?: CourierCard;
    /** The delivery as it was at that moment. */
    delivery?: Delivery;
    /** The refund of the vendor */
    refund: {
      /** The id of the refund */
      id: string;
      /** The amount that went back, with its tax, minor units */
      amount: number;
      /** The tax in the amount, minor units */
      tax: number;
    };
    /** Why it happened: a code, or the text of a person. */
    reason: string;
  };
};

export type DeliverySearchDelayedEvent = {
  /** Id of the object: a prefix for its kind and 26 lower-case characters. Treat it as opaque text. */
  id: string;
  /** Kind of the object. */
  object: "event";
  /** Version of the API with which the event was written, a date. */
  api_version: string;
  /** When the object was created, RFC 3339 in UTC. */
  created_at: string;
  /** True in live mode, false in test mode. Objects of the two modes never meet. */
  live_mode: boolean;
  /** Number of the event within its delivery, from 1 without gaps */
  sequence: number;
  /** Id of the delivery. */
  delivery_id: string;
  /** The caller's own id: 1 to 64 characters of `A-Z a-z 0-9 . _ ~ -`, unique per vendor and mode. */
  external_id?: string;
  /** Id of the vendor. */
  vendor_id: string;
  /** Kind of the object, event or actor. */
  type: "delivery.search_delayed";
  /** Items of this page, in the order of the list. */
  data: {
    /** State of the delivery before the event. Null if the event created it. */
    from: "scheduled" | "searching" | "assigned" | "picked_up" | "in_transit" | "delivered" | "canceled" | "failed" | null;
    /** State of the delivery after the event. */
    to: "scheduled" | "searching" | "assigned" | "picked_up" | "in_transit" | "delivered" | "canceled" | "failed";
    /** Finer detail of the state, such as `en_route_to_pickup`. Null if there is none. */
    stage: string | null;
    /** The kind of caller that caused the event, and its id if it has one. */
    actor: EventActor;
    /** The courier who has the delivery, or who lost it by this event. */
    courier?: CourierCard;
    /** The delivery as it was at that moment. */
    delivery?: Delivery;
  };
};

export type DeliverySearchingEvent = {
  /** Id of the object: a prefix for its kind and 26 lower-case characters. Treat it as opaque text. */
  id: string;
  /** Kind of the object. */
  object: "event";
  /** Version of the API with which the event was written, a date. */
  api_version: string;
  /** When the object was created, RFC 3339 in UTC. */
  created_at: string;
  /** True in live mode, false in test mode. Objects of the two modes never meet. */
  live_mode: boolean;
  /** Number of the event within its delivery, from 1 without gaps */
  sequence: number;
  /** Id of the delivery. */
  delivery_id: string;
  /** The caller's own id: 1 to 64 characters of `A-Z a-z 0-9 . _ ~ -`, unique per vendor and mode. */
  external_id?: string;
  /** Id of the vendor. */
  vendor_id: string;
  /** Kind of the object, event or actor. */
  type: "delivery.searching";
  /** Items of this page, in the order of the list. */
  data: {
    /** State of the delivery before the event. Null if the event created it. */
    from: "scheduled" | "searching" | "assigned" | "picked_up" | "in_transit" | "delivered" | "canceled" | "failed" | null;
    /** State of the delivery after the event. */
    to: "scheduled" | "searching" | "assigned" | "picked_up" | "in_transit" | "delivered" | "canceled" | "failed";
    /** Finer detail of the state, such as `en_route_to_pickup`. Null if there is none. */
    stage: string | null;
    /** The kind of caller that caused the event, and its id if it has one. */
    actor: EventActor;
    /** The courier who has the delivery, or who lost it by this event. */
    courier?: CourierCard;
    /** The delivery as it was at that moment. */
    delivery?: Delivery;
  };
};

export type DeliveryUpdatedEvent = {
  /** Id of the object: a prefix for its kind and 26 lower-case characters. Treat it as opaque text. */
  id: string;
  /** Kind of the object. */
  object: "event";
  /** Version of the API with which the event was written, a date. */
  api_version: string;
  /** When the object was created, RFC 3339 in UTC. */
  created_at: string;
  /** True in live mode, false in test mode. Objects of the two modes never meet. */
  live_mode: boolean;
  /** Number of the event within its delivery, from 1 without gaps */
  sequence: number;
  /** Id of the delivery. */
  delivery_id: string;
  /** The caller's own id: 1 to 64 characters of `A-Z a-z 0-9 . _ ~ -`, unique per vendor and mode. */
  external_id?: string;
  /** Id of the vendor. */
  vendor_id: string;
  /** Kind of the object, event or actor. */
  type: "delivery.updated";
  /** Items of this page, in the order of the list. */
  data: {
    /** State of the delivery before the event. Null if the event created it. */
    from: "scheduled" | "searching" | "assigned" | "picked_up" | "in_transit" | "delivered" | "canceled" | "failed" | null;
    /** State of the delivery after the event. */
    to: "scheduled" | "searching" | "assigned" | "picked_up" | "in_transit" | "delivered" | "canceled" | "failed";
    /** Finer detail of the state, such as `en_route_to_pickup`. Null if there is none. */
    stage: string | null;
    /** The kind of caller that caused the event, and its id if it has one. */
    actor: EventActor;
    /** The courier who has the delivery, or who lost it by this event. */
    courier?: CourierCard;
    /** The delivery as it was at that moment. */
    delivery?: Delivery;
    /** The fields of the delivery that changed, as JSON pointers into `delivery`. Recipients do not get them. Events of the first release lack them */
    changed?: string[];
  };
};

export type Dispute = {
  /** The id of the dispute */
  id: string;
  /** The kind of object */
  object: "dispute";
  /** The delivery whose charge is disputed */
  delivery_id: string;
  /** The vendor who raised it */
  vendor_id: string;
  /** `open` and `in_review` wait for a decision. `accepted`: the vendor got money back */
  status: "open" | "in_review" | "accepted" | "rejected" | "withdrawn";
  /** The mistake in the delivery or its charge. `never_delivered`: the recipient never got the goods. `arrived_late`: the goods came too late. `delivered_early`: the goods came too early. `delivered_to_wrong_address`: the goods went to a wrong place. `missing_or_incorrect_items`: goods were missing or wrong. `damaged_items`: goods were damaged. `poor_delivery_experience`: the courier did not behave well. `overcharge`: the charge is higher than the price that was agreed. `wait_fee`: the charge for waiting is wrong. `cancellation_fee`: the charge for the cancel is wrong. `return_fee`: the charge for the way back is wrong. `other`: another reason, which the description names */
  reason: "never_delivered" | "arrived_late" | "delivered_early" | "delivered_to_wrong_address" | "missing_or_incorrect_items" | "damaged_items" | "poor_delivery_experience" | "overcharge" | "wait_fee" | "cancellation_fee" | "return_fee" | "other";
  /** The words of the vendor */
  description: string;
  /** Proofs of the delivery that support it */
  proof_ids: string[];
  /** The amount that the vendor wants back, minor units */
  amount: number;
  /** The amount that the vendor got back, minor units; null unless it was accepted */
  refunded: number | null;
  /** ISO 4217 code of the currency of all amounts */
  currency: string;
  /** The side on which the cause lies; null before the decision */
  party_at_fault: "vendor" | "recipient" | "courier" | "platform" | "unknown" | null;
  /** The decision in words; null before it */
  note: string | null;
  /** The kind of caller who reviews it or has decided; null before */
  handled_by: "staff" | "vendor" | "courier" | "internal" | "operator" | "system" | null;
  /** The mode. Test money and live money never mix */
  live_mode: boolean;
  /** Rises by one with each change */
  version: number;
  /** When it was raised, UTC */
  created_at: string;
  /** When its status changed last, UTC */
  updated_at: string;
};

export type Document = {
  /** Id of the document */
  id: string;
  /** Always `document` */
  object: "document";
  /** False for a document of test mode */
  live_mode: boolean;
  /** The courier */
  courier_id: string;
  /** The kind of document */
  type: "id" | "license" | "vehicle_insurance";
  /** The state of its review */
  status: "pending" | "in_review" | "approved" | "rejected" | "expired";
  /** Why it was rejected; null otherwise. `unreadable`: the picture cannot be read. `wrong_document`: it is a document of another type. `name_mismatch`: it is in the name of another person. `expired`: it is not valid any more. `not_genuine`: it does not look genuine. `other`: another reason, which the comment can name. `replaced`: the courier sent a newer one before the decision */
  reason: "unreadable" | "wrong_document" | "name_mismatch" | "expired" | "not_genuine" | "other" | "replaced" | null;
  /** A note of the reviewer to the courier. Null if there is none */
  comment: string | null;
  /** The last day on which it is valid, in UTC */
  expires_on: string;
  /** True if it is approved and expires within `DOCUMENTS_WARN_MS`, 30 days by default */
  expires_soon: boolean;
  /** Rises by one with each change; the `ETag` */
  version: number;
  /** When it was added, UTC */
  created_at: string;
  /** When it was approved, rejected or replaced, UTC. Null before */
  decided_at: string | null;
};

export type DocumentDetails = {
  /** Id of the document */
  id: string;
  /** Always `document` */
  object: "document";
  /** False for a document of test mode */
  live_mode: boolean;
  /** The courier */
  courier_id: string;
  /** The kind of document */
  type: "id" | "license" | "vehicle_insurance";
  /** The state of its review */
  status: "pending" | "in_review" | "approved" | "rejected" | "expired";
  /** Why it was rejected; null otherwise. `unreadable`: the picture cannot be read. `wrong_document`: it is a document of another type. `name_mismatch`: it is in the name of another person. `expired`: it is not valid any more. `not_genuine`: it does not look genuine. `other`: another reason, which the comment can name. `replaced`: the courier sent a newer one before the decision */
  reason: "unreadable" | "wrong_document" | "name_mismatch" | "expired" | "not_genuine" | "other" | "replaced" | null;
  /** A note of the reviewer to the courier. Null if there is none */
  comment: string | null;
  /** The last day on which it is valid, in UTC */
  expires_on: string;
  /** True if it is approved and expires within `DOCUMENTS_WARN_MS`, 30 days by default */
  expires_soon: boolean;
  /** Rises by one with each change; the `ETag` */
  version: number;
  /** When it was added, UTC */
  created_at: string;
  /** When it was approved, rejected or replaced, UTC. Null before */
  decided_at: string | null;
  /** The number of the document. Null if it was not given */
  number: string | null;
  /** The member of staff who reviews it or decided. Null for couriers */
  reviewer_id: string | null;
  /** The file of the document */
  file: {
    /** Link to the picture or PDF. Anybody can use it until it expires */
    url: string;
    /** When the link expires, UTC */
    expires_at: string;
  };
};

export type DocumentReview = {
  /** Id of the document */
  id: string;
  /** Always `document` */
  object: "document";
  /** False for a document of test mode */
  live_mode: boolean;
  /** The courier */
  courier_id: string;
  /** The kind of document */
  type: "id" | "license" | "vehicle_insurance";
  /** The state of its review */
  status: "pending" | "in_review" | "approved" | "rejected" | "expired";
  /** Why it was rejected; null otherwise. `unreadable`: the picture cannot be read. `wrong_document`: it is a document of another type. `name_mismatch`: it is in the name of another person. `expired`: it is not valid any more. `not_genuine`: it does not look genuine. `other`: another reason, which the comment can name. `replaced`: the courier sent a newer one before the decision */
  reason: "unreadable" | "wrong_document" | "name_mismatch" | "expired" | "not_genuine" | "other" | "replaced" | null;
  /** A note of the reviewer to the courier. Null if there is none */
  comment: string | null;
  /** The last day on which it is valid, in UTC */
  expires_on: string;
  /** True if it is approved and expires within `DOCUMENTS_WARN_MS`, 30 days by default */
  expires_soon: boolean;
  /** Rises by one with each change; the `ETag` */
  version: number;
  /** When it was added, UTC */
  created_at: string;
  /** When it was approved, rejected or replaced, UTC. Null before */
  decided_at: string | null;
  /** The member of staff who reviews it or decided. Null if nobody has looked at it */
  reviewer_id: string | null;
  /** The courier as they are now. Null if the profile was removed */
  courier: {
    /** Name, 1 to 120 characters. */
    name: string;
    /** Phone number in E.164, such as `+4930123456`. Spaces and dashes are removed. */
    phone: string;
    /** Vehicle of the courier. */
    vehicle_type: "bicycle" | "scooter" | "motorcycle" | "car" | "van";
    /** State of the profile */
    state: "pending" | "active" | "suspended";
    /** Whether staff or an expired document suspended the courier; null if they are not suspended */
    suspended_for: "staff" | "documents" | null;
    /** Availability */
    status: "online" | "offline";
  } | null;
};

export type DocumentReviewDetails = {
  /** Id of the document */
  id: string;
  /** Always `document` */
  object: "document";
  /** False for a document of test mode */
  live_mode: boolean;
  /** The courier */
  courier_id: string;
  /** The kind of document */
  type: "id" | "license" | "vehicle_insurance";
  /** The state of its review */
  status: "pending" | "in_review" | "approved" | "rejected" | "expired";
  /** Why it was rejected; null otherwise. `unreadable`: the picture cannot be read. `wrong_document`: it is a document of another type. `name_mismatch`: it is in the name of another person. `expired`: it is not valid any more. `not_genuine`: it does not look genuine. `other`: another reason, which the comment can name. `replaced`: the courier sent a newer one before the decision */
  reason: "unreadable" | "wrong_document" | "name_mismatch" | "expired" | "not_genuine" | "other" | "replaced" | null;
  /** A note of the reviewer to the courier. Null if there is none */
  comment: string | null;
  /** The last day on which it is valid, in UTC */
  expires_on: string;
  /** True if it is approved and expires within `DOCUMENTS_WARN_MS`, 30 days by default */
  expires_soon: boolean;
  /** Rises by one with each change; the `ETag` */
  version: number;
  /** When it was added, UTC */
  created_at: string;
  /** When it was approved, rejected or replaced, UTC. Null before */
  decided_at: string | null;
  /** The number of the document. Null if it was not given */
  number: string | null;
  /** The member of staff who reviews it or decided. Null for couriers */
  reviewer_id: string | null;
  /** The file of the document */
  file: {
    /** Link to the picture or PDF. Anybody can use it until it expires */
    url: string;
    /** When the link expires, UTC */
    expires_at: string;
  };
  /** The courier as they are now. Null if the profile was removed */
  courier: {
    /** Name, 1 to 120 characters. */
    name: string;
    /** Phone number in E.164, such as `+4930123456`. Spaces and dashes are removed. */
    phone: string;
    /** Vehicle of the courier. */
    vehicle_type: "bicycle" | "scooter" | "motorcycle" | "car" | "van";
    /** State of the profile */
    state: "pending" | "active" | "suspended";
    /** Whether staff or an expired document suspended the courier; null if they are not suspended */
    suspended_for: "staff" | "documents" | null;
    /** Availability */
    status: "online" | "offline";
  } | null;
  /** The documents that the courier’s vehicle needs and that are not approved, at most three */
  missing_documents: ("id" | "license" | "vehicle_insurance")[];
};

export type DropOffDeliveredEvent = {
  /** Id of the object: a prefix for its kind and 26 lower-case characters. Treat it as opaque text. */
  id: string;
  /** Kind of the object. */
  object: "event";
  /** Version of the API with which the event was written, a date. */
  api_version: string;
  /** When the object was created, RFC 3339 in UTC. */
  created_at: string;
  /** True in live mode, false in test mode. Objects of the two modes never meet. */
  live_mode: boolean;
  /** Number of the event within its delivery, from 1 without gaps */
  sequence: number;
  /** Id of the delivery. */
  delivery_id: string;
  /** The caller's own id: 1 to 64 characters of `A-Z a-z 0-9 . _ ~ -`, unique per vendor and mode. */
  external_id?: string;
  /** Id of the vendor. */
  vendor_id: string;
  /** Kind of the object, event or actor. */
  type: "drop_off.delivered";
  /** Items of this page, in the order of the list. */
  data: {
    /** State of the delivery before the event. Null if the event created it. */
    from: "scheduled" | "searching" | "assigned" | "picked_up" | "in_transit" | "delivered" | "canceled" | "failed" | null;
    /** State of the delivery after the event. */
    to: "scheduled" | "searching" | "assigned" | "picked_up" | "in_transit" | "delivered" | "canceled" | "failed";
    /** Finer detail of the state, such as `en_route_to_pickup`. Null if there is none. */
    stage: string | null;
    /** The kind of caller that caused the event, and its id if it has one. */
    actor: EventActor;
    /** The courier who has the delivery, or who lost it by this event. */
    courier?: CourierCard;
    /** The delivery as it was at that moment. */
    delivery?: Delivery;
    /** Number of the drop-off from 1, or 0 for the pickup. */
    stop: number;
    /** Why the courier or the dispatcher acted although a rule would have refused it; recipients do not see it */
    override_reason?: string;
  };
};

export type DropOffFailedEvent = {
  /** Id of the object: a prefix for its kind and 26 lower-case characters. Treat it as opaque text. */
  id: string;
  /** Kind of the object. */
  object: "event";
  /** Version of the API with which the event was written, a date. */
  api_version: string;
  /** When the object was created, RFC 3339 in UTC. */
  created_at: string;
  /** True in live mode, false in test mode. Objects of the two modes never meet. */
  live_mode: boolean;
  /** Number of the event within its delivery, from 1 without gaps */
  sequence: number;
  /** Id of the delivery. */
  delivery_id: string;
  /** The caller's own id: 1 to 64 characters of `A-Z a-z 0-9 . _ ~ -`, unique per vendor and mode. */
  external_id?: string;
  /** Id of the vendor. */
  vendor_id: string;
  /** Kind of the object, event or actor. */
  type: "drop_off.failed";
  /** Items of this page, in the order of the list. */
  data: {
    /** State of the delivery before the event. Null if the event created it. */
    from: "scheduled" | "searching" | "assigned" | "picked_up" | "in_transit" | "delivered" | "canceled" | "failed" | null;
    /** State of the delivery after the event. */
    to: "scheduled" | "searching" | "assigned" | "picked_up" | "in_transit" | "delivered" | "canceled" | "failed";
    /** Finer detail of the state, such as `en_route_to_pickup`. Null if there is none. */
    stage: string | null;
    /** The kind of caller that caused the event, and its id if it has one. */
    actor: EventActor;
    /** The courier who has the delivery, or who lost it by this event. */
    courier?: CourierCard;
    /** The delivery as it was at that moment. */
    delivery?: Delivery;
    /** Number of the drop-off from 1, or 0 for the pickup. */
    stop: number;
    /** Why it happened: a code, or the text of a person. */
    reason?: string;
    /** Why the courier or the dispatcher acted although a rule would have refused it; recipients do not see it */
    override_reason?: string;
  };
};

export type Earning = {
  /** The id of the entry in the ledger */
  id: string;
  /** The kind of object */
  object: "earning";
  /** The reason why the earnings changed */
  type: "delivery" | "adjustment" | "payout" | "payout_return";
  /** ISO 4217 code of all amounts */
  currency: string;
  /** The change of the earnings, minor units: `pay` and `tip` of a delivery. Below 0 for a payout, and for an adjustment that takes money back */
  amount: number;
  /** The part for the work, minor units */
  pay: number;
  /** The part that is a tip, minor units */
  tip: number;
  /** The earnings in this currency after it, minor units */
  balance_after: number;
  /** The delivery; null for an entry about none */
  delivery_id: string | null;
  /** The payout; null for an entry about none */
  payout_id: string | null;
  /** Why an adjustment was made; null for any other entry */
  reason: string | null;
  /** When it was booked, UTC */
  created_at: string;
};

export type Event = {
  /** Id of the object: a prefix for its kind and 26 lower-case characters. Treat it as opaque text. */
  id: string;
  /** Kind of the object. */
  object: "event";
  /** Version of the API with which the event was written, a date. */
  api_version: string;
  /** When the object was created, RFC 3339 in UTC. */
  created_at: string;
  /** True in live mode, false in test mode. Objects of the two modes never meet. */
  live_mode: boolean;
  /** Number of the event within its delivery, from 1 without gaps */
  sequence: number;
  /** Id of the delivery. */
  delivery_id: string;
  /** The caller's own id: 1 to 64 characters of `A-Z a-z 0-9 . _ ~ -`, unique per vendor and mode. */
  external_id?: string;
  /** Id of the vendor. */
  vendor_id: string;
  /** Type of the event. */
  type: "delivery.created" | "delivery.searching" | "courier.assigned" | "courier.unassigned" | "courier.arrived_pickup" | "picked_up" | "in_transit" | "courier.arrived_drop_off" | "drop_off.delivered" | "drop_off.failed" | "delivered" | "delivery.failed" | "canceled" | "delivery.updated" | "delivery.ready" | "delivery.delayed" | "delivery.search_delayed" | "delivery.refunded";
  /** Facts of the event. */
  data: {
    /** State of the delivery before the event. Null if the event created it. */
    from: "scheduled" | "searching" | "assigned" | "picked_up" | "in_transit" | "delivered" | "canceled" | "failed" | null;
    /** State of the delivery after the event. */
    to: "scheduled" | "searching" | "assigned" | "picked_up" | "in_transit" | "delivered" | "canceled" | "failed";
    /** Finer detail of the state, such as `en_route_to_pickup`. Null if there is none. */
    stage: string | null;
    /** Number of the drop-off from 1, or 0 for the pickup. */
    stop?: number;
    /** The kind of caller that caused the event, and its id if it has one. */
    actor: EventActor;
    /** Why it happened: a code, or the text of a person. */
    reason?: string;
    /** Why the courier or the dispatcher acted although a rule would have refused it; recipients do not see it */
    override_reason?: string;
    /** Start of the window, or when the goods are ready. RFC 3339. */
    ready_at?: string;
    /** The fields of the delivery that changed, as JSON pointers into `delivery`. Recipients do not get them. Events of the first release lack them */
    changed?: string[];
    /** The refund of the vendor */
    refund?: {
      /** The id of the refund */
      id: string;
      /** The amount that went back, with its tax, minor units */
      amount: number;
      /** The tax in the amount, minor units */
      tax: number;
    };
    /** The courier who has the delivery, or who lost it by this event. */
    courier?: CourierCard;
    /** The delivery as it was at that moment. */
    delivery?: Delivery;
  };
};

export type EventActor = {
  /** Kind of the object, event or actor. */
  type: "vendor" | "staff" | "internal" | "courier" | "system";
  /** Id of the object: a prefix for its kind and 26 lower-case characters. Treat it as opaque text. */
  id?: string;
};

export type ExpectedArrival = {
  /** Most likely time of arrival, RFC 3339 in UTC. */
  at: string;
  /** Early end of the range, RFC 3339 in UTC. */
  lower_at: string;
  /** Late end of the range, RFC 3339 in UTC. */
  upper_at: string;
};

export type InTransitEvent = {
  /** Id of the object: a prefix for its kind and 26 lower-case characters. Treat it as opaque text. */
  id: string;
  /** Kind of the object. */
  object: "event";
  /** Version of the API with which the event was written, a date. */
  api_version: string;
  /** When the object was created, RFC 3339 in UTC. */
  created_at: string;
  /** True in live mode, false in test mode. Objects of the two modes never meet. */
  live_mode: boolean;
  /** Number of the event within its delivery, from 1 without gaps */
  sequence: number;
  /** Id of the delivery. */
  delivery_id: string;
  /** The caller's own id: 1 to 64 characters of `A-Z a-z 0-9 . _ ~ -`, unique per vendor and mode. */
  external_id?: string;
  /** Id of the vendor. */
  vendor_id: string;
  /** Kind of the object, event or actor. */
  type: "in_transit";
  /** Items of this page, in the order of the list. */
  data: {
    /** State of the delivery before the event. Null if the event created it. */
    from: "scheduled" | "searching" | "assigned" | "picked_up" | "in_transit" | "delivered" | "canceled" | "failed" | null;
    /** State of the delivery after the event. */
    to: "scheduled" | "searching" | "assigned" | "picked_up" | "in_transit" | "delivered" | "canceled" | "failed";
    /** Finer detail of the state, such as `en_route_to_pickup`. Null if there is none. */
    stage: string | null;
    /** The kind of caller that caused the event, and its id if it has one. */
    actor: EventActor;
    /** The courier who has the delivery, or who lost it by this event. */
    courier?: CourierCard;
    /** The delivery as it was at that moment. */
    delivery?: Delivery;
  };
};

export type Invoice = {
  /** The id of the invoice or credit note; null for a receipt */
  id: string | null;
  /** A credit note corrects an earlier invoice. A receipt is made of one delivery and has no number */
  object: "invoice" | "credit_note" | "receipt";
  /** The invoice that a credit note corrects; null for the others */
  credits: {
    /** The id of the invoice */
    id: string;
    /** The number of the invoice */
    number: string;
  } | null;
  /** The number of the invoice, without gaps before it; null for a receipt */
  number: string | null;
  /** The month, such as `2026-01`; null for a receipt */
  period: string | null;
  /** The delivery of a receipt; null for an invoice */
  delivery_id: string | null;
  /** The IANA time zone of the dates */
  time_zone: string;
  /** When the month began, UTC; null for a receipt */
  period_start: string | null;
  /** When the month ended, UTC, excluded; null for a receipt */
  period_end: string | null;
  /** When the invoice was issued, or when the receipt was last charged, UTC */
  issued_at: string;
  /** The seller at that time */
  seller: {
    /** The registered name, or the name that people know */
    name: string;
    /** The tax number; null for none */
    tax_id: string | null;
    /** The lines of the address */
    address: string[];
  };
  /** The vendor at that time */
  buyer: {
    /** The registered name, or the name that people know */
    name: string;
    /** The tax number; null for none */
    tax_id: string | null;
    /** The lines of the address */
    address: string[];
  };
  /** ISO 4217 code of the currency of all amounts */
  currency: string;
  /** The charges and refunds, oldest first */
  lines: ({
    /** The date of the charge or refund, in the time zone of the document */
    date: string;
    /** The purpose of the amount */
    type: "delivery" | "tip" | "wait" | "return" | "cancellation";
    /** The delivery. Null if there are more than 500 lines: then each line is the sum of a date and a type */
    delivery_id: string | null;
    /** The charges or refunds of which the line is the sum */
    quantity: number;
    /** The amount without its tax, minor units */
    net: number;
    /** The tax in the amount, minor units */
    tax: number;
    /** The amount with its tax, minor units; negative in a refund */
    amount: number;
  })[];
  /** The sum of the lines without tax, minor units */
  net: number;
  /** The tax in the lines, minor units */
  tax: number;
  /** The sum of the lines with tax, minor units; negative in a credit note */
  amount: number;
  /** The part that the wallet paid, less what came back to it, minor units */
  paid: number;
  /** The part that exceeded the holds, minor units. The next money in the wallet pays it */
  due: number;
  /** How amounts were rounded */
  rounding: string;
  /** SHA-256 of the PDF, hexadecimal; null until it is printed, and for a receipt */
  sha256: string | null;
  /** The mode. Test money and live money never mix */
  live_mode: boolean;
};

export type Item = {
  /** Name of the item, 1 to 120 characters. */
  name: string;
  /** Number of pieces. */
  quantity: number;
  /** Price of one piece in minor units */
  price?: number;
  /** Weight of one piece in grams */
  weight_g?: number;
  /** How large a piece is. */
  size?: "small" | "medium" | "large" | "xlarge";
  /** Barcode on the item, as printed. */
  barcode?: string;
};

export type LiveLocation = {
  /** Last known position of the courier. Null until one is known. */
  location: {
    /** Latitude in WGS84 degrees, from -90 to 90. */
    lat: number;
    /** Longitude in WGS84 degrees, from -180 to 180. */
    lng: number;
  } | null;
  /** Compass degrees, 0 is north. */
  heading: number | null;
  /** Metres per second */
  speed: number | null;
  /** Radius of the likely error in metres. */
  accuracy_m: number | null;
  /** When the phone measured the position, RFC 3339. */
  recorded_at: string | null;
  /** Age of the position in whole seconds. */
  age_s: number | null;
  /** True if the position is older than 60 s or unknown. */
  stale: boolean;
  /** Expected arrivals, each as a range. */
  eta: {
    /** Expected arrival at the pickup. Null once the courier has arrived, and if it is unknown. */
    pickup: ExpectedArrival | null;
    /** Expected arrival at the next drop-off. Null if it is unknown. */
    drop_off: ExpectedArrival | null;
  };
};

export type NewAddress = string | {
  /** Street and number, 1 to 120 characters. */
  street: string;
  /** Flat, floor or building, 1 to 120 characters. */
  street2?: string | undefined;
  /** City, 1 to 80 characters. */
  city: string;
  /** State or province, 1 to 80 characters. */
  state?: string | undefined;
  /** Postal code, 1 to 16 characters. */
  postal_code?: string | undefined;
  /** Two upper-case letters of ISO 3166-1. */
  country: string;
};

export type NewContact = {
  /** Name, 1 to 120 characters. */
  name: string;
  /** Phone number in E.164, such as `+4930123456`. Spaces and dashes are removed. */
  phone: string;
  /** Email address, at most 254 characters. */
  email?: string | undefined;
};

export type NewCoordinates = {
  /** Latitude in WGS84 degrees, from -90 to 90. */
  lat: number;
  /** Longitude in WGS84 degrees, from -180 to 180. */
  lng: number;
};

export type NewDelivery = {
  /** Where the courier collects the goods. */
  pickup: {
    /** Address for people: one line of at most 280 characters, or an object with its parts. */
    address?: NewAddress | null | undefined;
    /** Note for the courier, at most 280 characters. */
    instructions?: string | null | undefined;
    /** When the courier should be there. Either end may be missing. */
    window?: NewTimeWindow | null | undefined;
    /** The vendor's own id of the stop: 1 to 64 characters of `A-Z a-z 0-9 . _ ~ -`. */
    external_id?: string | null | undefined;
    /** A vendor location. It provides the fields that the pickup leaves out, but its address only for coordinates at most 100 m away */
    location_id?: string | undefined;
    /** Position in WGS84 degrees. */
    coordinates?: NewCoordinates | undefined;
    /** The person at the stop. */
    contact?: NewContact | undefined;
    /** Name of the business at the pickup, at most 120 characters */
    business_name?: string | null | undefined;
    /** The proof that the courier must give at the stop. */
    verification?: NewPickupVerification | null | undefined;
    /** Words that the courier says at the pickup to get the goods, such as an order number; at most 64 characters */
    reference?: string | null | undefined;
  };
  /** Where the courier hands the goods over: 1 to 10 drop-offs. */
  drop_off: readonly NewDropOff[];
  /** The goods: weight, category and fragility. */
  metadata?: {
    /** Weight in kg, more than 0 and at most 10,000 */
    weight?: number | undefined;
    /** `Food` or `Package`. Upper and lower case are the same. */
    category?: string | undefined;
    /** How carefully the goods must be handled. `true` means `high`, and `false` means `none`. */
    fragility?: boolean | "none" | "low" | "high" | undefined;
  } | undefined;
  /** `express` starts the search at once. `scheduled` waits for the window of the pickup. The default is `"express"`. */
  priority?: "express" | "scheduled" | undefined;
  /** Id of the quote whose price the delivery has, from `POST /express/quotes`. A quote can be used once, before it expires. */
  quote_id?: string | undefined;
  /** The caller's own id: 1 to 64 characters of `A-Z a-z 0-9 . _ ~ -`, unique per vendor and mode. */
  external_id?: string | undefined;
  /** Vehicles that may carry the delivery. An empty list allows all of them. The default is `[]`. */
  vehicle_types?: readonly ("bicycle" | "scooter" | "motorcycle" | "car" | "van")[] | undefined;
  /** Your own data: at most 50 keys of 40 characters, with values of at most 500 characters */
  custom?: Record<string, string | number | boolean> | undefined;
  /** Tip for the courier in minor units of the vendor’s currency. The wallet reserves it with the fee, and pays it only if the delivery is delivered. The fee does not contain it */
  tip?: number | undefined;
  /** Code of a promotion, at most 64 characters. It selects pricing rules of type `promotion`, which change who pays the fee. A code that no active rule has is not refused and changes nothing; `discounts` of the quote lists what counts. Upper and lower case differ. If a quote is named, only its own code counts */
  promo?: string | undefined;
  /** Whether the recipients want messages. It is stored and shown; the server itself sends none */
  notify_recipient?: boolean | undefined;
  /** When the search ends if no courier was found: later than the time from which it counts, by at most one day */
  search_until?: string | undefined;
  /** Test mode only: a robo-courier carries the delivery */
  test_specifications?: NewTestSpecifications | undefined;
  /** The vendor. Required for staff and internal services */
  vendor_id?: string | undefined;
  /** For staff and internal services. The default is false */
  live_mode?: boolean | undefined;
  /** The channel of the order, for internal services */
  channel?: "dashboard" | "chat" | "order" | "internal" | undefined;
  /** `service` if an internal service has collected the order values from the customer. Settlements then pay them to the vendor for each drop-off that is delivered. The default is `vendor` */
  order_value_collected_by?: "vendor" | "service" | undefined;
};

export type NewDropOff = {
  /** Address for people: one line of at most 280 characters, or an object with its parts. */
  address?: NewAddress | null | undefined;
  /** Note for the courier, at most 280 characters. */
  instructions?: string | null | undefined;
  /** If any of several drop-offs has a window, the courier visits them in the given order. Otherwise the server chooses a short route */
  window?: NewTimeWindow | null | undefined;
  /** The vendor's own id of the stop: 1 to 64 characters of `A-Z a-z 0-9 . _ ~ -`. */
  external_id?: string | null | undefined;
  /** The proof that the courier must give at the stop. */
  verification?: NewVerification | null | undefined;
  /** `meet_at_door`: the courier meets the recipient, which is the default. `leave_at_door`: the courier leaves the goods and takes a photo; it excludes `signature`, `pin` and `identification` */
  deliverable_action?: "meet_at_door" | "leave_at_door" | null | undefined;
  /** Position in WGS84 degrees. */
  coordinates: NewCoordinates;
  /** Handling of the goods if the drop-off fails. `return` opens a return to the pickup. `leave_at_door` leaves them if the courier was there. `discard` leaves them to the courier. The default is `return` */
  undeliverable_action?: "return" | "leave_at_door" | "discard" | undefined;
  /** The goods for this drop-off, at most 100 kinds */
  items?: readonly NewItem[] | null | undefined;
  /** Value of the goods for this drop-off, in minor units of the vendor’s currency */
  order_value?: number | null | undefined;
  /** The person at the stop. */
  contact: NewContact;
};

export type NewItem = {
  /** Name of the goods, at most 120 characters */
  name: string;
  /** Number of pieces, 1 to 999. The default is 1 */
  quantity?: number | undefined;
  /** Price of one piece in minor units of the vendor’s currency */
  price?: number | undefined;
  /** Weight of one piece in grams */
  weight_g?: number | undefined;
  /** Size of one piece */
  size?: "small" | "medium" | "large" | "xlarge" | undefined;
  /** Barcode on the goods, at most 64 characters */
  barcode?: string | undefined;
};

/** The proof that the courier must give at the pickup, and again when goods come back */
export type NewPickupVerification = {
  /** True if the courier must take a photo. The default is false */
  picture?: boolean | undefined;
  /** The signature of the person at the stop */
  signature?: {
    /** True if the courier must collect a signature. The default is true */
    enabled?: boolean | undefined;
    /** True if the courier must enter the name of the person who signs. The default is `false`. */
    collect_name?: boolean | undefined;
    /** True if the courier must enter how that person is related to the recipient. The default is `false`. */
    collect_relationship?: boolean | undefined;
  } | null | undefined;
  /** Barcodes to scan, at most 20. The default is `[]`. */
  barcodes?: readonly ({
    /** Content of the barcode, at most 128 characters */
    value: string;
    /** Kind of the barcode. The default is CODE128 */
    type?: "CODE39" | "CODE39_FULL_ASCII" | "CODE128" | "QR" | undefined;
  })[] | undefined;
};

export type NewQuote = {
  /** Where the courier collects the goods. */
  pickup: {
    /** Address for people: one line of at most 280 characters, or an object with its parts. */
    address?: NewAddress | null | undefined;
    /** Note for the courier, at most 280 characters. */
    instructions?: string | null | undefined;
    /** When the courier should be there. Either end may be missing. */
    window?: NewTimeWindow | null | undefined;
    /** The vendor's own id of the stop: 1 to 64 characters of `A-Z a-z 0-9 . _ ~ -`. */
    external_id?: string | null | undefined;
    /** A vendor location. It provides the fields that the pickup leaves out, but its address only for coordinates at most 100 m away */
    location_id?: string | undefined;
    /** Position in WGS84 degrees. */
    coordinates?: NewCoordinates | undefined;
    /** The person at the stop. */
    contact?: NewContact | undefined;
    /** Name of the business at the pickup, at most 120 characters */
    business_name?: string | null | undefined;
    /** The proof that the courier must give at the stop. */
    verification?: NewPickupVerification | null | undefined;
    /** Words that the courier says at the pickup to get the goods, such as an order number; at most 64 characters */
    reference?: string | null | undefined;
  };
  /** Where the courier hands the goods over: 1 to 10 drop-offs. */
  drop_off: readonly ({
    /** Address for people: one line of at most 280 characters, or an object with its parts. */
    address?: NewAddress | null | undefined;
    /** Note for the courier, at most 280 characters. */
    instructions?: string | null | undefined;
    /** If any of several drop-offs has a window, the courier visits them in the given order. Otherwise the server chooses a short route */
    window?: NewTimeWindow | null | undefined;
    /** The vendor's own id of the stop: 1 to 64 characters of `A-Z a-z 0-9 . _ ~ -`. */
    external_id?: string | null | undefined;
    /** The proof that the courier must give at the stop. */
    verification?: NewVerification | null | undefined;
    /** `meet_at_door`: the courier meets the recipient, which is the default. `leave_at_door`: the courier leaves the goods and takes a photo; it excludes `signature`, `pin` and `identification` */
    deliverable_action?: "meet_at_door" | "leave_at_door" | null | undefined;
    /** Position in WGS84 degrees. */
    coordinates: NewCoordinates;
    /** Handling of the goods if the drop-off fails. `return` opens a return to the pickup. `leave_at_door` leaves them if the courier was there. `discard` leaves them to the courier. The default is `return` */
    undeliverable_action?: "return" | "leave_at_door" | "discard" | undefined;
    /** The goods for this drop-off, at most 100 kinds */
    items?: readonly NewItem[] | null | undefined;
    /** Value of the goods for this drop-off, in minor units of the vendor’s currency */
    order_value?: number | null | undefined;
    /** The person at the stop. */
    contact?: NewContact | undefined;
  })[];
  /** The goods: weight, category and fragility. */
  metadata?: {
    /** Weight in kg, more than 0 and at most 10,000 */
    weight?: number | undefined;
    /** `Food` or `Package`. Upper and lower case are the same. */
    category?: string | undefined;
    /** How carefully the goods must be handled. `true` means `high`, and `false` means `none`. */
    fragility?: boolean | "none" | "low" | "high" | undefined;
  } | undefined;
  /** `express` starts the search at once. `scheduled` waits for the window of the pickup. The default is `"express"`. */
  priority?: "express" | "scheduled" | undefined;
  /** Id of the quote whose price the delivery has, from `POST /express/quotes`. A quote can be used once, before it expires. */
  quote_id?: string | undefined;
  /** The caller's own id: 1 to 64 characters of `A-Z a-z 0-9 . _ ~ -`, unique per vendor and mode. */
  external_id?: string | undefined;
  /** Vehicles that may carry the delivery. An empty list allows all of them. The default is `[]`. */
  vehicle_types?: readonly ("bicycle" | "scooter" | "motorcycle" | "car" | "van")[] | undefined;
  /** Your own data: at most 50 keys of 40 characters, with values of at most 500 characters */
  custom?: Record<string, string | number | boolean> | undefined;
  /** Tip for the courier in minor units of the vendor’s currency. The wallet reserves it with the fee, and pays it only if the delivery is delivered. The fee does not contain it */
  tip?: number | undefined;
  /** Code of a promotion, at most 64 characters. It selects pricing rules of type `promotion`, which change who pays the fee. A code that no active rule has is not refused and changes nothing; `discounts` of the quote lists what counts. Upper and lower case differ. If a quote is named, only its own code counts */
  promo?: string | undefined;
  /** Whether the recipients want messages. It is stored and shown; the server itself sends none */
  notify_recipient?: boolean | undefined;
  /** When the search ends if no courier was found: later than the time from which it counts, by at most one day */
  search_until?: string | undefined;
  /** Test mode only: a robo-courier carries the delivery */
  test_specifications?: NewTestSpecifications | undefined;
  /** The vendor. Required for staff and internal services */
  vendor_id?: string | undefined;
  /** For staff and internal services. The default is false */
  live_mode?: boolean | undefined;
  /** The channel of the order, for internal services */
  channel?: "dashboard" | "chat" | "order" | "internal" | undefined;
  /** `service` if an internal service has collected the order values from the customer. Settlements then pay them to the vendor for each drop-off that is delivered. The default is `vendor` */
  order_value_collected_by?: "vendor" | "service" | undefined;
  /** A discount that the vendor gives its customer and pays itself. It does not change `fee` */
  subsidy?: {
    /** An amount */
    type: "fixed";
    /** The amount in minor units of the vendor’s currency */
    amount: number;
  } | {
    /** A share of what the customer would otherwise pay */
    type: "percent";
    /** The share in basis points, 1 to 10000: 2500 is 25 % */
    rate_bp: number;
    /** The most that the subsidy is, minor units of the vendor’s currency */
    cap?: number | undefined;
  } | {
    /** All that the customer would otherwise pay */
    type: "free";
    /** The most that the subsidy is, minor units of the vendor’s currency */
    cap?: number | undefined;
  } | undefined;
  /** The tier of the customer in your business, at most 64 characters, for rules of type `tier_flag` */
  customer_tier?: string | undefined;
};

export type NewTestSpecifications = {
  /** Asks for a simulated courier, who carries the delivery by itself. */
  robo_courier_specification: {
    /** `auto` takes 30 s for each step. `custom` takes the times in `steps`. The default is `auto` */
    mode?: "auto" | "custom" | undefined;
    /** How many times faster the robo-courier is than its steps say, 1 to 1000. The default is `1`. */
    time_scale?: number | undefined;
    /** With `custom` only: seconds from the step before to this one, 0 to 3000. A step that is absent takes 30 s; without `assigned`, the first offer is accepted at once */
    steps?: Record<string, number> | undefined;
    /** How the test goes. `failed`: every drop-off fails. `canceled_by_courier`: the first courier gives the delivery back on the way to the pickup, and the next one delivers. `courier_lost`: the first courier falls silent after the assignment, the server takes the delivery from them, and the next one delivers. `no_courier`: nobody accepts, until the search ends. The default is `"delivered"`. */
    outcome?: "delivered" | "failed" | "canceled_by_courier" | "no_courier" | "courier_lost" | undefined;
    /** With `failed` only: why the drop-offs fail. The default is `customer_unavailable`. `customer_unavailable`: nobody is there or answers. `customer_refused`: the recipient does not take the goods. `address_not_found`: the courier cannot find the place. `access_denied`: the courier cannot get in, or the place is closed. `damaged`: the goods are damaged. `lost`: the goods are lost. `unsafe`: the place is not safe for the courier. `id_check_failed`: the recipient cannot prove their identity or age. `pin_failed`: the recipient does not know the PIN */
    fail_reason?: "customer_unavailable" | "customer_refused" | "address_not_found" | "access_denied" | "damaged" | "lost" | "unsafe" | "id_check_failed" | "pin_failed" | undefined;
    /** At most 100 places that the robo-courier passes from the pickup to the first drop-off, evenly in time */
    gps_trace?: readonly NewCoordinates[] | undefined;
  };
};

export type NewTimeWindow = {
  /** Start of the window, or when the goods are ready. RFC 3339. */
  ready_at?: string | null | undefined;
  /** End of the window, RFC 3339. It must be later than `ready_at`. */
  deadline_at?: string | null | undefined;
};

/** The proof that the courier must give at the drop-off */
export type NewVerification = {
  /** True if the courier must take a photo. The default is false */
  picture?: boolean | undefined;
  /** The signature of the person at the stop */
  signature?: {
    /** True if the courier must collect a signature. The default is true */
    enabled?: boolean | undefined;
    /** True if the courier must enter the name of the person who signs. The default is `false`. */
    collect_name?: boolean | undefined;
    /** True if the courier must enter how that person is related to the recipient. The default is `false`. */
    collect_relationship?: boolean | undefined;
  } | null | undefined;
  /** Barcodes to scan, at most 20. The default is `[]`. */
  barcodes?: readonly ({
    /** Content of the barcode, at most 128 characters */
    value: string;
    /** Kind of the barcode. The default is CODE128 */
    type?: "CODE39" | "CODE39_FULL_ASCII" | "CODE128" | "QR" | undefined;
  })[] | undefined;
  /** A PIN that the recipient tells the courier. The courier never sees it. Five wrong tries lock the stop */
  pin?: {
    /** True if the recipient must tell a PIN. The default is true */
    enabled?: boolean | undefined;
    /** Origin of the PIN. `random`: four digits of the server. `phone_last4`: the last four digits of the contact’s phone. `merchant_provided`: `value`. The default is `"random"`. */
    type?: "random" | "phone_last4" | "merchant_provided" | undefined;
    /** The PIN, 4 to 8 digits. Only for the type `merchant_provided` */
    value?: string | undefined;
  } | null | undefined;
  /** The courier must check the age of the recipient by an identity document */
  identification?: {
    /** Age in years, 1 to 99 */
    min_age: number;
  } | null | undefined;
};

export type Payout = {
  /** The id of the payout, and the reference of the transfer at the gateway */
  id: string;
  /** The kind of object */
  object: "payout";
  /** The batch: its mode, its currency and its date */
  batch_id: string;
  /** The courier who is paid */
  courier_id: string;
  /** False for a courier of test mode */
  live_mode: boolean;
  /** ISO 4217 code of the amount */
  currency: string;
  /** The amount, minor units */
  amount: number;
  /** The payment gateway that carries it out */
  gateway: string;
  /** The last four characters of the number of the bank account */
  bank_account_last4: string;
  /** Where the money is. A payout above the limit, or of a suspended courier, waits for an approval. `processing`: the gateway has it, or may have it. `needs_action`: a person must act at the gateway. `failed`, `reversed` and `canceled`: the courier has the earnings again */
  status: "awaiting_approval" | "pending" | "processing" | "needs_action" | "paid" | "failed" | "reversed" | "canceled";
  /** Why it failed, came back or waits for a person: a code of the server, or the own word of the gateway. If a person ended it, their text. `courier_suspended` stays after the approval until the payout has ended. Null otherwise. `refused_by_gateway`: the gateway refused it, or does not serve this account. It is not sent again. `transfer_differs`: the gateway reports another amount or currency than it was asked for, so a person must look. `not_approved`: nobody approved it in time. `bank_account_unreadable`: the server no longer has the key that encrypted the bank account. `bank_account_replaced`: the courier has another bank account by now. The next batch pays to that one, once it may be used. `courier_suspended`: staff have suspended the courier, so it is sent only if a second person approves it */
  reason: string | null;
  /** The member of staff who ended it when it waited for a person; null for none */
  resolved_by: string | null;
  /** The member of staff who approved it; null for none */
  approved_by: string | null;
  /** When it was made, UTC */
  created_at: string;
  /** When its status changed last, UTC */
  updated_at: string;
};

export type PayoutBatch = {
  /** The batch: its mode, its currency and its date */
  id: string;
  /** The kind of object */
  object: "payout_batch";
  /** False for couriers of test mode */
  live_mode: boolean;
  /** ISO 4217 code of all amounts */
  currency: string;
  /** The date that names it */
  date: string;
  /** `made` once the server has looked at all couriers */
  status: "making" | "made";
  /** How many payouts were made so far */
  payouts: number;
  /** The sum of these payouts, minor units */
  amount: number;
  /** The caller who asked for it first. They can approve none of its payouts */
  requested_by: {
    /** The kind of caller */
    type: "staff" | "vendor" | "courier" | "internal" | "operator" | "system";
    /** The member of staff, or the name of the service */
    id: string | null;
  };
  /** Earnings of the mode that no batch pays now, because the courier has no bank account in their currency. Set one with `PUT /couriers/{id}/bank-account` and ask for a batch of its currency. An operator can exchange earnings with `adjust-earnings`. Ordered by courier, at most 100. Empty while the batch is `making` */
  unpaid: ({
    /** The courier who has earned it */
    courier_id: string;
    /** ISO 4217 code of the earnings */
    currency: string;
    /** The earnings that were not paid out, minor units */
    amount: number;
    /** ISO 4217 code of the courier’s bank account; null if they have none */
    bank_account_currency: string | null;
  })[];
  /** When it was asked for, UTC */
  created_at: string;
};

export type PickedUpEvent = {
  /** Id of the object: a prefix for its kind and 26 lower-case characters. Treat it as opaque text. */
  id: string;
  /** Kind of the object. */
  object: "event";
  /** Version of the API with which the event was written, a date. */
  api_version: string;
  /** When the object was created, RFC 3339 in UTC. */
  created_at: string;
  /** True in live mode, false in test mode. Objects of the two modes never meet. */
  live_mode: boolean;
  /** Number of the event within its delivery, from 1 without gaps */
  sequence: number;
  /** Id of the delivery. */
  delivery_id: string;
  /** The caller's own id: 1 to 64 characters of `A-Z a-z 0-9 . _ ~ -`, unique per vendor and mode. */
  external_id?: string;
  /** Id of the vendor. */
  vendor_id: string;
  /** Kind of the object, event or actor. */
  type: "picked_up";
  /** Items of this page, in the order of the list. */
  data: {
    /** State of the delivery before the event. Null if the event created it. */
    from: "scheduled" | "searching" | "assigned" | "picked_up" | "in_transit" | "delivered" | "canceled" | "failed" | null;
    /** State of the delivery after the event. */
    to: "scheduled" | "searching" | "assigned" | "picked_up" | "in_transit" | "delivered" | "canceled" | "failed";
    /** Finer detail of the state, such as `en_route_to_pickup`. Null if there is none. */
    stage: string | null;
    /** The kind of caller that caused the event, and its id if it has one. */
    actor: EventActor;
    /** The courier who has the delivery, or who lost it by this event. */
    courier?: CourierCard;
    /** The delivery as it was at that moment. */
    delivery?: Delivery;
    /** Why the courier or the dispatcher acted although a rule would have refused it; recipients do not see it */
    override_reason?: string;
  };
};

export type PricingRule = {
  /** The rule’s id; null for a rule that follows from the settings */
  id: string | null;
  /** Always `pricing_rule` */
  object: "pricing_rule";
  /** The owner of the rule: the vendor’s, the platform’s, or one of the settings */
  source: "vendor" | "platform" | "settings";
  /** The effect of the rule on a price */
  terms: {
    /** A fixed part */
    type: "base";
    /** The fixed part of a fee, minor units */
    amount: number;
  } | {
    /** A part for the way */
    type: "distance";
    /** For each km of the way. Each tenth that is begun counts, minor units */
    per_km: number;
  } | {
    /** A part for heavy goods */
    type: "weight";
    /** For each kg that is begun above `free_kg`, minor units */
    per_kg: number;
    /** Weight without a surcharge, kg, at most 1000 */
    free_kg: number;
  } | {
    /** A part for an immediate delivery */
    type: "priority";
    /** The part of an immediate delivery, minor units */
    amount: number;
  } | {
    /** Demand raises the parts above by the factor of the pickup’s cell */
    type: "surge";
    /** The highest factor in basis points, 10000 to 100000. 10000 raises nothing */
    most_bp: number;
  } | {
    /** A limit on what the customer pays */
    type: "surge_protection";
    /** The most that the customer pays, minor units */
    most: number;
    /** The payer of the part that the customer does not pay */
    paid_by: "vendor" | "platform";
  } | {
    /** A discount for quotes that name its code as `promo` */
    type: "promotion";
    /** The code, at most 64 letters, digits and . _ ~ - */
    code: string;
    /** The share of the rest, basis points, 1 to 10000 */
    rate_bp: number;
    /** The most that the discount is, minor units */
    cap?: number;
    /** The payer of the part that the customer does not pay */
    paid_by: "vendor" | "platform";
  } | {
    /** The vendor pays for orders from a value on */
    type: "free_delivery_threshold";
    /** The lowest sum of the order values of all drop-offs, minor units */
    order_value: number;
  } | {
    /** The vendor pays where all drop-offs lie in one of these cells */
    type: "region_flag";
    /** H3 cells of any resolution, at most 100 */
    cells: string[];
  } | {
    /** The vendor pays for customers of these tiers */
    type: "tier_flag";
    /** Values of `customer_tier`, at most 20 */
    tiers: string[];
  };
  /** When the rule begins; null for a rule of the settings */
  active_from: string | null;
  /** When the rule ends; null while no end is known */
  active_to: string | null;
};

export type Problem = {
  /** URL of the page that explains this code. */
  type: string;
  /** Short title of the code. It is the same for every problem of this code. */
  title: string;
  /** HTTP status of the answer. */
  status: number;
  /** Sentence about this problem: the field, what was wrong and the limit. */
  detail: string;
  /** Path or message that failed, at most 128 characters. */
  instance?: string;
  /** malformed_body (400): The body cannot be parsed; malformed_request (400): The request is not valid HTTP; invalid_params (400): A field has an invalid value; unknown_field (400): The request has an unknown field; unauthorized (401): The credential is missing or invalid; token_expired (401): The access token has expired; otp_invalid (401): The one-time code is wrong or has expired; insufficient_funds (402): The wallet does not have enough funds; wallet_frozen (403): The wallet is frozen; insufficient_scope (403): The API key does not have the scope; vendor_suspended (403): The vendor account is suspended; forbidden (403): The caller may not do this; route_not_found (404): This path does not exist; delivery_not_found (404): The delivery does not exist; stop_not_found (404): The delivery does not have this stop; quote_not_found (404): The quote does not exist; courier_not_found (404): The courier does not exist; device_not_found (404): The device does not exist; offer_not_found (404): The offer does not exist; document_not_found (404): The document does not exist; vendor_not_found (404): The vendor does not exist; location_not_found (404): The vendor location does not exist; zone_not_found (404): The zone does not exist; pricing_rule_not_found (404): The pricing rule does not exist; top_up_not_found (404): The top-up does not exist; top_up_refund_not_found (404): The refund of a top-up does not exist; suspense_not_found (404): The money in suspense does not exist; adjustment_not_found (404): The adjustment does not exist; transaction_not_found (404): The transaction does not exist; invoice_not_found (404): The invoice does not exist; dispute_not_found (404): The dispute does not exist; payout_not_found (404): The payout does not exist; settlement_not_found (404): The settlement does not exist; order_not_found (404): The vendor order does not exist; webhook_not_found (404): The webhook does not exist; event_not_found (404): The event does not exist; session_not_found (404): The session does not exist; staff_not_found (404): The member of staff does not exist; api_key_not_found (404): The API key does not exist; tracking_link_not_found (404): The tracking link does not exist; tracking_link_expired (410): The tracking link has expired; history_expired (410): The events of this delivery have been removed; slow_body (408): The body did not arrive in time; slow_request (408): The request did not arrive in time; file_not_found (404): The file does not exist; file_link_expired (410): The link to the file has expired; method_not_allowed (405): This path does not support the method; invalid_state_transition (409): The state of the delivery does not allow this; duplicate_delivery (409): Another delivery has this external_id or order_id; duplicate_courier (409): Another courier has this phone number; subsidized_quote (409): The quote has a subsidy already; used_quote (409): The quote has been used; already_assigned (409): Another courier is assigned to this delivery; courier_unavailable (409): The courier cannot take this delivery now; courier_not_verified (409): The courier is not active; courier_not_assigned (409): No courier is assigned; courier_excluded (409): The courier has given this delivery back; robo_courier_required (409): No robo-courier carries this delivery; offer_expired (409): The offer has expired; offer_taken (409): The offer is no longer open; delivery_complete (409): The delivery has ended; update_not_allowed (409): The field cannot be changed like this now; too_many_releases (409): The delivery has been given back too often; not_late_enough (409): The pickup is not late enough to change the courier; rating_not_possible (409): The delivery cannot be rated now; stop_not_open (409): The stop is no longer open; idempotency_in_progress (409): An equal request is still running; idempotency_secret_lost (409): The secret of an earlier answer cannot be shown again; document_decided (409): The document has been decided or is in review; top_up_not_refundable (409): The top-up cannot be refunded; top_up_refund_not_open (409): The refund does not wait for a person; payout_not_open (409): The payout does not wait for a person; suspense_not_open (409): The money in suspense is not in a state that allows this; adjustment_not_open (409): The adjustment does not wait for a decision; settlement_not_open (409): The settlement does not wait for an approval; webhook_disabled (409): The webhook is disabled; webhook_secret_overlap (409): An earlier secret of the webhook still signs; duplicate_staff (409): Another member of staff has this e-mail address; last_admin (409): The last admin must stay; api_key_ended (409): The API key has ended; cancellation_fee_changed (409): The cancel costs more than the caller accepts; invoice_not_issued (409): The invoice has not been issued yet; dispute_open (409): The delivery has an open dispute; dispute_closed (409): The dispute is no longer open; refund_not_possible (409): The delivery cannot be refunded; proof_required (409): The stop still needs proof; proof_not_available (409): The proof is not available yet; pin_locked (409): Too many wrong PINs were entered; stale_version (412): The object has changed since it was read; payload_too_large (413): The body is too large; unsupported_media_type (415): The body or a file has a type that is not accepted; headers_too_large (431): The headers are too large; impossible_value (422): A field has a value that is not possible here; idempotency_key_reused (422): The idempotency key was used for another request; expired_quote (422): The quote has expired; mismatched_price_quote (422): The quote does not match the delivery; invalid_delivery_parameters (422): The delivery is not possible; pickup_ready_too_late (422): The pickup window starts more than 30 days ahead; window_too_late (422): A window begins or ends more than 30 days ahead; pickup_window_too_small (422): The pickup window is shorter than 10 minutes; pickup_deadline_too_early (422): The pickup window has passed; drop_off_window_too_small (422): The drop-off window is shorter than 20 minutes; drop_off_ready_after_pickup_deadline (422): The drop-off window starts after the pickup window ends; drop_off_deadline_before_pickup_deadline (422): The drop-off window ends before the pickup window does; too_far_from_stop (422): The courier is too far from the stop; courier_position_unknown (422): The position of the courier is unknown or too old; contact_tries_missing (422): The courier has not waited long enough or has not tried to reach the recipient; too_many_zones (422): The vendor location has the most zones; too_many_pricing_rules (422): The owner has the most pricing rules; too_many_top_ups (422): The account has the most pending top-ups; top_up_refused (422): The payment gateway refuses the top-up; no_gateway (422): No payment gateway serves this mode and currency; too_many_disputes (422): The account has too many open disputes; refund_exceeds_charge (422): The refunds would exceed the charge; refund_exceeds_top_up (422): The refunds would exceed the top-up; webhook_url_not_allowed (422): This address may not receive webhooks; too_many_registrations (422): The account has reached the limit of webhook registrations; wrong_password (422): The current password is wrong; too_many_api_keys (422): The account has reached the limit of API keys; pin_incorrect (422): The PIN is wrong; test_mode_only (422): The field is allowed in test mode only; file_not_accepted (422): The file is damaged or not safe; too_many_requests (429): Too many requests; internal_error (500): The server failed; gateway_unavailable (503): The payment gateway does not answer; images_unavailable (503): The server cannot take images; map_changed (503): The file of the map has changed; busy (503): The server is too busy */
  code: "malformed_body" | "malformed_request" | "invalid_params" | "unknown_field" | "unauthorized" | "token_expired" | "otp_invalid" | "insufficient_funds" | "wallet_frozen" | "insufficient_scope" | "vendor_suspended" | "forbidden" | "route_not_found" | "delivery_not_found" | "stop_not_found" | "quote_not_found" | "courier_not_found" | "device_not_found" | "offer_not_found" | "document_not_found" | "vendor_not_found" | "location_not_found" | "zone_not_found" | "pricing_rule_not_found" | "top_up_not_found" | "top_up_refund_not_found" | "suspense_not_found" | "adjustment_not_found" | "transaction_not_found" | "invoice_not_found" | "dispute_not_found" | "payout_not_found" | "settlement_not_found" | "order_not_found" | "webhook_not_found" | "event_not_found" | "session_not_found" | "staff_not_found" | "api_key_not_found" | "tracking_link_not_found" | "tracking_link_expired" | "history_expired" | "slow_body" | "slow_request" | "file_not_found" | "file_link_expired" | "method_not_allowed" | "invalid_state_transition" | "duplicate_delivery" | "duplicate_courier" | "subsidized_quote" | "used_quote" | "already_assigned" | "courier_unavailable" | "courier_not_verified" | "courier_not_assigned" | "courier_excluded" | "robo_courier_required" | "offer_expired" | "offer_taken" | "delivery_complete" | "update_not_allowed" | "too_many_releases" | "not_late_enough" | "rating_not_possible" | "stop_not_open" | "idempotency_in_progress" | "idempotency_secret_lost" | "document_decided" | "top_up_not_refundable" | "top_up_refund_not_open" | "payout_not_open" | "suspense_not_open" | "adjustment_not_open" | "settlement_not_open" | "webhook_disabled" | "webhook_secret_overlap" | "duplicate_staff" | "last_admin" | "api_key_ended" | "cancellation_fee_changed" | "invoice_not_issued" | "dispute_open" | "dispute_closed" | "refund_not_possible" | "proof_required" | "proof_not_available" | "pin_locked" | "stale_version" | "payload_too_large" | "unsupported_media_type" | "headers_too_large" | "impossible_value" | "idempotency_key_reused" | "expired_quote" | "mismatched_price_quote" | "invalid_delivery_parameters" | "pickup_ready_too_late" | "window_too_late" | "pickup_window_too_small" | "pickup_deadline_too_early" | "drop_off_window_too_small" | "drop_off_ready_after_pickup_deadline" | "drop_off_deadline_before_pickup_deadline" | "too_far_from_stop" | "courier_position_unknown" | "contact_tries_missing" | "too_many_zones" | "too_many_pricing_rules" | "too_many_top_ups" | "top_up_refused" | "no_gateway" | "too_many_disputes" | "refund_exceeds_charge" | "refund_exceeds_top_up" | "webhook_url_not_allowed" | "too_many_registrations" | "wrong_password" | "too_many_api_keys" | "pin_incorrect" | "test_mode_only" | "file_not_accepted" | "too_many_requests" | "internal_error" | "gateway_unavailable" | "images_unavailable" | "map_changed" | "busy";
  /** A finer code than `code`, if there is one. */
  reason?: string;
  /** The invalid fields, at most 20. */
  errors?: ({
    /** JSON pointer to the field, such as `/drop_off/0/contact/phone`. */
    pointer: string;
    /** Code of the mistake, for programs. */
    code: string;
    /** Sentence about the field, with its limit. */
    message: string;
  })[];
  /** Facts for programs. Their names depend on `code`. */
  metadata?: Record<string, unknown>;
  /** True if the same request may succeed later without a change. */
  retryable: boolean;
  /** Id of the request, also in `X-Request-Id`. Name it when you ask for help. */
  request_id: string;
};

export type Proof = {
  /** Id of the proof of this stop */
  id: string;
  /** Always `proof` */
  object: "proof";
  /** The delivery */
  delivery_id: string;
  /** Number of the stop: 0 is the pickup, 1 and up are the drop-offs */
  stop: number;
  /** The photos */
  pictures: ({
    /** Id of the file, for the `proof` of socket messages */
    file_id: string;
    /** Link to the file. Anybody can use it until it expires */
    url: string;
    /** When the link expires */
    expires_at: string;
  })[];
  /** The signature. Null if nothing of it was given */
  signature: {
    /** Picture of the signature. Null if there is none */
    picture: {
      /** Id of the file, for the `proof` of socket messages */
      file_id: string;
      /** Link to the file. Anybody can use it until it expires */
      url: string;
      /** When the link expires */
      expires_at: string;
    } | null;
    /** Name of the person who signed. Null if it was not entered */
    name: string | null;
    /** How that person is related to the recipient. Null if not entered */
    relationship: string | null;
  } | null;
  /** The entry of the PIN. Null if the stop requires none */
  pin: {
    /** True if the right PIN was entered */
    verified: boolean;
    /** When the right PIN was entered */
    at: string | null;
  } | null;
  /** The required barcodes that were scanned */
  barcodes: ({
    /** Content of the barcode */
    value: string;
    /** Always `success`: only required barcodes are recorded */
    outcome: "success";
    /** When it was scanned */
    at: string;
  })[];
  /** The age check. Null if the stop requires none */
  identification: {
    /** True if the courier checked the age */
    min_age_verified: boolean;
    /** When the courier checked it */
    at: string | null;
  } | null;
  /** Required parts that are still missing; empty if the proof is complete */
  missing: ("picture" | "signature" | "signature_name" | "signature_relationship" | "pin" | "barcodes" | "identification")[];
  /** Position of the courier when the last part was recorded. Null if unknown */
  location: {
    /** Latitude, degrees */
    lat: number;
    /** Longitude, degrees */
    lng: number;
  } | null;
  /** When the last part was recorded */
  at: string;
};

export type Quote = {
  /** Id of the object: a prefix for its kind and 26 lower-case characters. Treat it as opaque text. */
  id: string;
  /** Kind of the object. */
  object: "quote";
  /** True in live mode, false in test mode. Objects of the two modes never meet. */
  live_mode: boolean;
  /** `express` starts the search at once. `scheduled` waits for the window of the pickup. */
  priority: "express" | "scheduled";
  /** Price of the delivery in minor units of `currency`, such as cents. */
  fee: number;
  /** Upper-case ISO 4217 code. */
  currency: string;
  /** Lines of the fee. Their amounts sum exactly to `fee`. */
  fee_breakdown: ({
    /** Purpose of the line. */
    type: "base" | "distance" | "weight" | "priority" | "surge" | "tax";
    /** Amount in minor units of the currency, such as cents. */
    amount: number;
  })[];
  /** The share of the vendor’s customer: the fee without the discounts, minor units of `currency` */
  customer_fee: number;
  /** The sum of the discounts of type `subsidy`, minor units of `currency` */
  vendor_subsidy: number;
  /** The share of the vendor: the discounts that it pays, minor units of `currency` */
  vendor_net_cost: number;
  /** The share of the platform: the discounts that it pays, minor units of `currency` */
  platform_share: number;
  /** The parts of the fee that the customer does not pay. With `customer_fee` they sum exactly to `fee` */
  discounts: ({
    /** The reason for the discount */
    type: "surge_protection" | "promotion" | "free_delivery_threshold" | "region_flag" | "tier_flag" | "subsidy";
    /** The amount, which is above 0, minor units of `currency` */
    amount: number;
    /** The payer */
    paid_by: "vendor" | "platform";
  })[];
  /** How demand changes the price */
  surge: {
    /** The factor of demand in the price: 1 or more. It stays until `expires_at` */
    multiplier: number;
    /** Whether the factor would have been higher without its limit */
    capped: boolean;
  };
  /** The waiting at the pickup that the server expects to charge. `fee` does not contain it: the minutes that really pass are charged. Null if the server has no estimate */
  waiting_estimate: {
    /** The minutes of waiting at the pickup that will probably be charged */
    minutes: number;
    /** Their charge, beside `fee`, minor units of `currency` */
    amount: number;
  } | null;
  /** Length of the way in whole metres. */
  distance_m: number;
  /** Expected time of the way in whole seconds. */
  duration_s: number;
  /** The source of `distance_m` and `duration_s`. `route`: the way along streets through all drop-offs, in the order of visits, of the first of `vehicle_types`, or of a scooter. `estimate`: straight lines times a factor, if the server has no streets there or did not find the way in time */
  distance_source: "route" | "estimate";
  /** When a courier could be at the pickup, as of `created_at`. Goods that are ready more than 30 minutes later are expected at that time. Null if no free courier was found, or if the server cannot tell. It is an estimate and no promise */
  pickup_eta: ExpectedArrival | null;
  /** Free couriers who could carry the goods, found within 5 km of the pickup or the shorter limit of the operator: 0 to 5, where 5 means 5 or more. In a crowd of whom few could, the search may miss some or not tell. Null if the server cannot tell, or if the goods are ready more than 30 minutes later */
  couriers_near: number | null;
  /** When the object was created, RFC 3339 in UTC. */
  created_at: string;
  /** When the object expires, RFC 3339 in UTC. */
  expires_at: string;
};

export type Reconciliation = {
  /** The kind of object */
  object: "reconciliation";
  /** The gateway, the mode and the date, and the subject unless that is payments */
  id: string;
  /** Payments of top-ups, or transfers of payouts */
  subject: "payments" | "transfers";
  /** The payment gateway */
  gateway: "sandbox" | "stripe" | "paystack" | "flutterwave";
  /** The UTC date on which the payments were begun, or the transfers made */
  date: string;
  /** Payments or transfers that the gateway and the ledger have alike */
  matched: number;
  /** Those that the ledger has and the gateway does not list */
  ours_only: number;
  /** Those of the gateway that the ledger does not have, or has otherwise */
  theirs_only: number;
  /** The first 200 that are unmatched */
  unmatched: ({
    /** The side that has it */
    side: "ours" | "theirs";
    /** Why it is not matched. `not_booked`: the ledger does not have it, or has it as returned. `amount_differs`: it is booked with another amount or currency. `fee_differs`: its fee is booked with another amount. `paid_twice`: its top-up was paid a further time, and that is not booked yet. `not_listed`: it is booked, and the gateway does not list it */
    reason: "not_booked" | "amount_differs" | "fee_differs" | "paid_twice" | "not_listed";
    /** The top-up; null for a transfer, or if the payment names none of ours */
    top_up_id: string | null;
    /** The payout; null for a payment, or if the transfer names none of ours */
    payout_id: string | null;
    /** Its name at the gateway; null if it is not listed */
    gateway_id: string | null;
    /** The amount, minor units; null if the gateway says a part of a minor unit */
    amount: number | null;
    /** ISO 4217 code of the currency */
    currency: string;
  })[];
  /** The fees that the gateway kept of matched payments. Each is booked once, as a cost of the platform */
  fees: ({
    /** ISO 4217 code of the currency */
    currency: string;
    /** The sum of the fees, minor units */
    amount: number;
  })[];
  /** Matched payments whose fee the gateway does not name in their currency. Nothing is booked for it */
  fees_unknown: number;
  /** How often the comparison was made */
  runs: number;
  /** When it was made last, UTC */
  ran_at: string;
  /** The mode. Test money and live money never mix */
  live_mode: boolean;
};

export type Refund = {
  /** The id of the refund */
  id: string;
  /** The kind of object */
  object: "refund";
  /** The delivery whose charge was refunded */
  delivery_id: string;
  /** The name that the caller gave it */
  reference: string;
  /** Why the money went back */
  reason: string;
  /** The dispute that it decides; null for none */
  dispute_id: string | null;
  /** The amount with its tax, minor units */
  amount: number;
  /** The tax in the amount, minor units */
  tax: number;
  /** ISO 4217 code of the currency of all amounts */
  currency: string;
  /** The parts of the lines of the charge. They sum to the amount */
  breakdown: ({
    /** The reason for the line */
    type: "delivery" | "tip" | "wait" | "return" | "cancellation";
    /** Amount with tax, minor units */
    amount: number;
    /** The tax in the amount, minor units */
    tax: number;
  })[];
  /** The mode. Test money and live money never mix */
  live_mode: boolean;
  /** When it was made, UTC */
  created_at: string;
};

export type Settlement = {
  /** The id of the settlement */
  id: string;
  /** The vendor */
  vendor_id: string;
  /** The mode. Test money and live money never mix */
  live_mode: boolean;
  /** ISO 4217 code of the currency of all amounts */
  currency: string;
  /** How long the period lasts */
  cycle: "daily" | "weekly";
  /** The last date of the period, in its time zone */
  date: string;
  /** `draft` waits for an approval by staff. `approved` is paid within minutes. `paid`: the wallet has it. `closed`: nothing is paid, because less is owed than the least amount */
  status: "draft" | "approved" | "paid" | "closed";
  /** The kind of object */
  object: "settlement";
  /** When the period began, UTC */
  period_start: string;
  /** When the period ended, UTC, excluded */
  period_end: string;
  /** IANA time zone of the cut-offs */
  time_zone: string;
  /** How many deliveries were charged */
  deliveries: number;
  /** The order values that the platform collected, minor units */
  order_value: number;
  /** The charges of deliveries with tax, minor units */
  delivery_cost: number;
  /** The charges by purpose. They sum to `delivery_cost` */
  charges: ({
    /** The purpose of the charges */
    type: "delivery" | "tip" | "wait" | "return" | "cancellation";
    /** How many charges have such a line */
    count: number;
    /** Their sum with tax, minor units */
    amount: number;
    /** The tax in them, minor units */
    tax: number;
  })[];
  /** The refunds of charges, minor units */
  refunds: number;
  /** The money that staff booked into the wallet by hand, minor units; negative if out of it */
  adjustments: number;
  /** Top-ups and credits from suspense, less refunds of top-ups and chargebacks, minor units; may be negative */
  top_ups: number;
  /** `order_value` less `delivery_cost`, with `refunds` and `adjustments`, minor units */
  net: number;
  /** The order values that were not paid before, minor units; may be negative */
  carried_in: number;
  /** The order values that this settlement pays, minor units */
  amount: number;
  /** The order values that are not paid yet, minor units; may be negative */
  carried_out: number;
  /** Where the amount goes: into the wallet of the vendor */
  destination: "wallet";
  /** The member of staff who approved it; null for none */
  approved_by: string | null;
  /** When it was made, UTC */
  created_at: string;
  /** When its status changed last, UTC */
  updated_at: string;
};

export type SettlementPayout = {
  /** The id of the settlement */
  id: string;
  /** The vendor */
  vendor_id: string;
  /** The mode. Test money and live money never mix */
  live_mode: boolean;
  /** ISO 4217 code of the currency of all amounts */
  currency: string;
  /** How long the period lasts */
  cycle: "daily" | "weekly";
  /** The last date of the period, in its time zone */
  date: string;
  /** `draft` waits for an approval by staff. `approved` is paid within minutes. `paid`: the wallet has it. `closed`: nothing is paid, because less is owed than the least amount */
  status: "draft" | "approved" | "paid" | "closed";
  /** The kind of object */
  object: "settlement_payout";
  /** The amount, minor units */
  amount: number;
  /** Where the amount goes: into the wallet of the vendor */
  destination: "wallet";
  /** When it was made, UTC */
  created_at: string;
  /** When it was paid, UTC; null until then */
  paid_at: string | null;
};

export type Staff = {
  /** The id of the member of staff */
  id: string;
  /** The kind of object */
  object: "staff";
  /** The e-mail address with which they log in */
  email: string;
  /** The roles */
  roles: ("dispatcher" | "support" | "finance" | "admin")[];
  /** When the account was made, UTC; null for an old account */
  created_at: string | null;
  /** A random password. Only the answer that makes it contains it, and they should change it */
  password?: string;
};

export type Stop = {
  /** Number of the stop: 0 is the pickup, and drop-offs count from 1 as listed. */
  stop: number;
  /** The place of the stop in the order of visits; 0 is the pickup */
  visit: number;
  /** Position in WGS84 degrees. */
  coordinates: {
    /** Latitude in WGS84 degrees, from -90 to 90. */
    lat: number;
    /** Longitude in WGS84 degrees, from -180 to 180. */
    lng: number;
  };
  /** Address for people: one line of at most 280 characters, or an object with its parts. */
  address: Address | null;
  /** The person at the stop; null if there is none. At a recipient, also null after the service has forgotten them. */
  contact: Contact | null;
  /** Name of the business at the pickup. Null at drop-offs */
  business_name: string | null;
  /** Words that the courier says at the pickup to get the goods. Null at drop-offs */
  reference: string | null;
  /** Note for the courier, at most 280 characters. */
  instructions: string | null;
  /** The goods for this drop-off, as listed by the vendor */
  items: Item[];
  /** Value of the goods for this drop-off, minor units */
  order_value: number | null;
  /** Handling of the goods if the drop-off fails */
  undeliverable_action: "return" | "leave_at_door" | "discard";
  /** When the courier should be there. Either end may be missing. */
  window: TimeWindow | null;
  /** The vendor's own id of the stop: 1 to 64 characters of `A-Z a-z 0-9 . _ ~ -`. */
  external_id: string | null;
  /** Whether the courier meets the recipient or leaves the goods there with a photo */
  deliverable_action: "meet_at_door" | "leave_at_door";
  /** The proof that the stop requires. Null if it requires none */
  verification: Verification | null;
  /** How far the proof is: not required, required, begun or complete. A stop may be proven although nothing is required */
  proof_status: "not_required" | "required" | "begun" | "complete";
  /** State of the stop. */
  status: "pending" | "arrived" | "delivered" | "failed" | "canceled";
  /** When the courier is expected. Null after the courier arrived, and if the server cannot know */
  eta_at: string | null;
  /** When the courier arrived, RFC 3339 in UTC. Null before. */
  arrived_at: string | null;
  /** When it ended, RFC 3339 in UTC. Null before. */
  ended_at: string | null;
  /** Why the drop-off failed; null if it did not. `customer_unavailable`: nobody is there or answers. `customer_refused`: the recipient does not take the goods. `address_not_found`: the courier cannot find the place. `access_denied`: the courier cannot get in, or the place is closed. `damaged`: the goods are damaged. `lost`: the goods are lost. `unsafe`: the place is not safe for the courier. `id_check_failed`: the recipient cannot prove their identity or age. `pin_failed`: the recipient does not know the PIN */
  reason: string | null;
  /** The page that the recipient of this drop-off opens. Only answers have it */
  tracking_url?: string;
};

export type Subsidy = {
  /** Id of the object: a prefix for its kind and 26 lower-case characters. Treat it as opaque text. */
  id: string;
  /** Always `subsidy` */
  object: "subsidy";
  /** The quote that it was applied to */
  quote_id: string;
  /** The part of the fee that the vendor pays instead of its customer, minor units of `currency` */
  amount: number;
  /** Upper-case ISO 4217 code. */
  currency: string;
  /** True in live mode, false in test mode. Objects of the two modes never meet. */
  live_mode: boolean;
  /** The quote with its new shares */
  quote: Quote;
  /** When it was applied, UTC */
  created_at: string;
};

export type Suspense = {
  /** The kind of object */
  object: "suspense";
  /** The id of the money in suspense */
  id: string;
  /** Where the money is. Above the limit a decision waits for the approval of a second person */
  status: "open" | "awaiting_approval" | "credited" | "returned";
  /** The amount that was paid, minor units */
  amount: number;
  /** ISO 4217 code of the currency that was paid */
  currency: string;
  /** The payment gateway that took the money */
  gateway: "sandbox" | "stripe" | "paystack" | "flutterwave";
  /** The top-up that was paid for */
  top_up_id: string;
  /** The gateway’s own id of a payment that came after another one for the same top-up; null for none */
  payment_id: string | null;
  /** The vendor of the top-up */
  vendor_id: string;
  /** The decision; null until somebody has decided */
  decision: "credit" | "return" | null;
  /** The reason of the decision; null for none */
  reason: string | null;
  /** The member of staff who decided; null for nobody */
  decided_by: string | null;
  /** The second person; null for nobody */
  approved_by: string | null;
  /** How long the money was in suspense until it left it, or until now */
  age_seconds: number;
  /** Rises by one with each change */
  version: number;
  /** When the money was booked, UTC */
  created_at: string;
  /** When the state or the decision changed last, UTC */
  updated_at: string;
  /** The mode. Test money and live money never mix */
  live_mode: boolean;
};

export type TimeWindow = {
  /** Start of the window, or when the goods are ready. RFC 3339. */
  ready_at: string | null;
  /** End of the window, RFC 3339. It must be later than `ready_at`. */
  deadline_at: string | null;
};

export type TopUp = {
  /** The kind of object */
  object: "top_up";
  /** The id of the top-up */
  id: string;
  /** The vendor whose wallet gets the money */
  vendor_id: string;
  /** The reference of the payment at the gateway. It is the id, which Paystack shows with a hyphen for the underscore */
  reference: string;
  /** Where the payment stands. Only `succeeded` has changed the balance */
  status: "pending" | "succeeded" | "failed" | "expired";
  /** Why it ended without a credit; null for none. `refused`: the gateway does not take this payment. `declined`: the gateway has declined the payment. `not_paid`: nobody has paid in time. `unconfirmed`: the payer has paid, and the gateway has not confirmed it for too long. `mismatch`: another amount or currency was paid. Finance decides about the money */
  reason: "refused" | "declined" | "not_paid" | "unconfirmed" | "mismatch" | null;
  /** The amount, minor units */
  amount: number;
  /** ISO 4217 code of the currency */
  currency: string;
  /** The payment gateway */
  gateway: "sandbox" | "stripe" | "paystack" | "flutterwave";
  /** The page on which the payer pays. Send them there */
  authorization_url: string | null;
  /** The money of the payment that the gateway has taken back. The vendor has paid it out of the wallet or owes it */
  chargebacks: ({
    /** The gateway’s own id of the dispute or the refund */
    id: string;
    /** Why the money went back. `dispute`: the card holder has disputed the payment. `refund`: somebody has refunded the payment at the gateway */
    cause: "dispute" | "refund";
    /** `open` may still come back, `final` does not, and `returned` has come back */
    status: "open" | "final" | "returned";
    /** The amount, minor units */
    amount: number;
    /** ISO 4217 code of the currency */
    currency: string;
  })[];
  /** When it was made */
  created_at: string;
  /** From when the gateway accepts no payment */
  expires_at: string;
  /** When it ended; null while it is pending */
  ended_at: string | null;
  /** The mode. Test money and live money never mix */
  live_mode: boolean;
};

export type TopUpRefund = {
  /** The kind of object */
  object: "top_up_refund";
  /** The id of the refund, and its reference at the gateway */
  id: string;
  /** The top-up whose payment is refunded */
  top_up_id: string;
  /** The vendor whose wallet pays it */
  vendor_id: string;
  /** Where the money is. `processing`: the gateway has the refund, or may have it. `needs_action`: a person must act at the gateway. `paid`: the gateway has sent it to the payer. `failed` and `reversed`: the wallet has it again */
  status: "pending" | "processing" | "needs_action" | "paid" | "failed" | "reversed";
  /** Why it failed, came back or needs a person: a code of the server, or the own word of the gateway. If a person ended it, their text. Null otherwise. `refused_by_gateway`: the gateway refused it, or does not serve this account. It is not sent again. `transfer_differs`: the gateway reports another amount or currency than it was asked for, so a person must look. `not_seen_at_gateway`: the server may have sent it, and the gateway does not show it. A person must find out whether it exists. `no_usable_answer`: the looks at the gateway have failed for about 14 hours, so a person must find out what became of it. `never_sent`: the server has tried for about 14 hours to send it, and nothing was sent. A person may end it as failed */
  failure: string | null;
  /** The name that the caller gave it */
  reference: string;
  /** Why the money goes back */
  reason: string;
  /** The amount, minor units */
  amount: number;
  /** ISO 4217 code of the currency */
  currency: string;
  /** The payment gateway that carries it out */
  gateway: "sandbox" | "stripe" | "paystack" | "flutterwave";
  /** The member of staff who asked for it */
  requested_by: string;
  /** The member of staff who ended it when it waited for a person; null for none */
  resolved_by: string | null;
  /** When it was asked for, UTC */
  created_at: string;
  /** When its status changed last, UTC */
  updated_at: string;
  /** The mode. Test money and live money never mix */
  live_mode: boolean;
};

export type TrackingLink = {
  /** Link of the only drop-off, or of the one that is visited last */
  url: string;
  /** Id of the tracking link. It is not the token, and it may be logged. */
  token_id: string;
  /** When the object expires, RFC 3339 in UTC. */
  expires_at: string;
  /** Links of all drop-offs by number. Send each recipient only their own link */
  links: ({
    /** Number of the stop: 0 is the pickup, and drop-offs count from 1 as listed. */
    stop: number;
    /** Page for the recipient of this drop-off. Everybody with the URL can open it. */
    url: string;
  })[];
};

export type Transaction = {
  /** The id of the transaction */
  id: string;
  /** The kind of object */
  object: "transaction";
  /** A debit takes money out of the wallet or adds to the debt of the vendor. A credit does the opposite */
  type: "debit" | "credit";
  /** The kind of transaction */
  category: "charge" | "repayment" | "refund" | "settlement" | "adjustment" | "top_up" | "top_up_refund" | "top_up_refund_return" | "chargeback" | "chargeback_return" | "suspense_credit";
  /** The change of the wallet, minor units; negative if the wallet paid */
  amount: number;
  /** The change of the debt of the vendor, minor units; negative if it was paid back */
  owed: number;
  /** The money in the wallet afterwards, with what is held, minor units; null if the wallet did not change */
  balance_after: number | null;
  /** ISO 4217 code of the currency of all amounts */
  currency: string;
  /** The parts of a charge or a refund; empty for other transactions */
  lines: ChargeLine[];
  /** The delivery that it is about; null for none */
  delivery_id: string | null;
  /** Your own id of the delivery; null for none */
  external_id: string | null;
  /** The vendor order that the delivery was dispatched for; null for none */
  order_id: string | null;
  /** The reason that a person gave; null for none */
  description: string | null;
  /** The mode. Test money and live money never mix */
  live_mode: boolean;
  /** When it was booked, UTC */
  created_at: string;
};

export type Vendor = {
  /** The vendor’s id */
  id: string;
  /** Always `vendor` */
  object: "vendor";
  /** A suspended vendor gets no quotes and no new deliveries */
  status: "active" | "suspended";
  /** ISO 4217 code of the currency of new quotes and deliveries */
  currency: string;
  /** The registered name */
  legal_name: string | null;
  /** The tax number */
  tax_id: string | null;
  /** Address of the website */
  website: string | null;
  /** The address of the business as it was sent: one line, or its parts */
  address: Address | null;
  /** The person to contact about the account */
  contact: {
    /** The name of the person */
    name: string;
    /** Their phone number, E.164 */
    phone: string;
    /** Their e-mail address */
    email?: string;
  } | null;
  /** IANA time zone of the dates in analytics and lists; null for that of the opening hours, or UTC */
  timezone: string | null;
  /** How recipients see the vendor */
  branding: {
    /** The name that recipients see */
    name: string;
    /** Colour of the tracking pages, #rrggbb */
    accent: string;
    /** The logo beside the name on the tracking pages; null for none */
    logo: {
      /** Link to the picture, at most 512 pixels wide and high */
      url: string;
      /** When the link expires. Read the profile again for a new one */
      expires_at: string;
    } | null;
  };
  /** When the money of the vendor is settled */
  settlement: {
    /** How often: each day, or each week on Monday */
    cycle: "daily" | "weekly";
    /** Local time at which a period ends, HH:MM, in the time zone of the vendor */
    cut_off: string;
  };
  /** How long a search for a courier lasts, minutes */
  search_limit_min: number;
  /** The longest way of a delivery, metres. A location may have less */
  max_distance_m: number;
  /** Rises by one with each change; also the `ETag` */
  version: number;
  /** When the vendor was added */
  created_at: string;
  /** When the vendor last changed */
  updated_at: string;
};

export type VendorHours = {
  /** Always `vendor_hours` */
  object: "vendor_hours";
  /** The vendor */
  vendor_id: string;
  /** The location; null for the hours of all locations */
  location_id: string | null;
  /** IANA time zone; null if no hours were set */
  timezone: string | null;
  /** The days with their periods. A day that is not listed is closed. Null means always open */
  weekly: ({
    /** 1 is Monday and 7 is Sunday */
    day_of_week: number;
    /** The periods in which the location is open */
    periods: ({
      /** Local time at which the location opens, HH:MM */
      start: string;
      /** Local time at which it closes, HH:MM. An end before the start is on the next day */
      end: string;
    })[];
  })[] | null;
  /** Dates that differ from their day of the week */
  exceptions: ({
    /** A local date, YYYY-MM-DD */
    date: string;
    /** True if the location is closed on this date */
    closed: boolean;
    /** The periods in which the location is open */
    periods: ({
      /** Local time at which the location opens, HH:MM */
      start: string;
      /** Local time at which it closes, HH:MM. An end before the start is on the next day */
      end: string;
    })[];
  })[];
  /** Whether the location is open now */
  is_open: boolean;
  /** When a closed location opens next. Null if it is open, or stays closed for over a year */
  next_opening_at: string | null;
  /** The version of the location, or of the vendor for the hours of all locations */
  version: number;
};

export type VendorLocation = {
  /** The location’s id */
  id: string;
  /** Always `vendor_location` */
  object: "vendor_location";
  /** The vendor */
  vendor_id: string;
  /** The name of the location */
  name: string;
  /** Whether it is a storefront or a warehouse */
  kind: "storefront" | "warehouse";
  /** Where couriers collect the goods */
  coordinates: {
    /** Latitude, WGS84 degrees */
    lat: number;
    /** Longitude, WGS84 degrees */
    lng: number;
  };
  /** The address as it was sent: one line, or its parts */
  address: Address;
  /** The person at the location */
  contact: {
    /** The name of the person */
    name: string;
    /** Their phone number, E.164 */
    phone: string;
    /** Their e-mail address */
    email?: string;
  };
  /** For the courier at each pickup; null if there are none */
  instructions: string | null;
  /** The longest way from here, metres; null for the vendor’s limit */
  max_distance_m: number | null;
  /** Whether the location takes immediate deliveries now */
  ready: boolean;
  /** The last report about the readiness; null if there was none */
  readiness: {
    /** The kind of caller who reported it: `vendor`, `staff`, or `internal` for an operator */
    by: string;
    /** The id of the vendor or the member of staff, or the name of the operator */
    by_id: string | null;
    /** When it was reported */
    at: string;
    /** When the location becomes ready by itself; null if somebody must say so */
    until: string | null;
  } | null;
  /** Rises by one with each change; also the `ETag` */
  version: number;
  /** When the location was added */
  created_at: string;
  /** When the location last changed */
  updated_at: string;
};

/** The proof that the courier must give at this stop */
export type Verification = {
  /** True if the courier must take a photo */
  picture: boolean;
  /** The signature of the person at the stop */
  signature: {
    /** True if the courier must collect a signature */
    enabled: boolean;
    /** True if the courier must also enter the name of the person who signs */
    collect_name: boolean;
    /** True if the courier must also enter how that person is related to the recipient */
    collect_relationship: boolean;
  };
  /** The PIN that the recipient tells the courier */
  pin: {
    /** True if the recipient must tell the courier a PIN */
    enabled: boolean;
    /** Origin of the PIN. Null if none is required */
    type: "random" | "phone_last4" | "merchant_provided" | null;
    /** The PIN, 4 to 8 digits. Only answers to the vendor and staff have it, and never events */
    value?: string;
  };
  /** Barcodes that the courier must scan; empty if none */
  barcodes: ({
    /** Content of the barcode */
    value: string;
    /** Kind of the barcode */
    type: "CODE39" | "CODE39_FULL_ASCII" | "CODE128" | "QR";
  })[];
  /** Age check with an identity document. Null if none is required */
  identification: {
    /** Age in years that the recipient must have */
    min_age: number;
  } | null;
};

export type Webhook = {
  /** Id of the object: a prefix for its kind and 26 lower-case characters. Treat it as opaque text. */
  id: string;
  /** Kind of the object. */
  object: "webhook";
  /** True in live mode, false in test mode. Objects of the two modes never meet. */
  live_mode: boolean;
  /** URL that receives the events. */
  url: string;
  /** Event types that this URL receives, or `*` for all types. */
  events: string[];
  /** Free text for people, at most 280 characters. */
  description: string | null;
  /** Whether an event waits for the earlier events of its delivery */
  ordering: "best_effort" | "per_delivery";
  /** Whether the webhook gets events */
  status: "enabled" | "disabled";
  /** When it was disabled, UTC; null while it is enabled */
  disabled_at: string | null;
  /** Why it was disabled; null while it is enabled */
  disabled_reason: string | null;
  /** When the object was created, RFC 3339 in UTC. */
  created_at: string;
  /** The key of the signatures. Only the answers to the registration and to a rotation contain it */
  secret?: string;
};

export type Zone = {
  /** The zone’s id */
  id: string;
  /** The name of the zone */
  name: string;
  /** The zone as GeoJSON */
  geojson: {
    /** The kind of GeoJSON geometry */
    type: "Polygon" | "MultiPolygon";
    /** Rings of positions, or polygons of such rings; longitude before latitude */
    coordinates: (unknown[])[];
  };
  /** The H3 resolution of `h3_cells`; larger zones have larger cells */
  h3_resolution: number;
  /** The H3 cells whose centres lie in the zone, at most 300. Only the GeoJSON decides what is covered */
  h3_cells: string[];
};

export type ProblemCode = Problem['code'];

export type CancelExpressDeliveryBody = {
  /** Why the delivery is canceled. `customer_request`: the customer does not want the goods any more. `duplicate`: the same order exists twice. `wrong_address`: an address is wrong. `item_unavailable`: the vendor does not have the goods. `not_ready`: the goods are not ready in time. `courier_late`: the courier is late. `price`: the delivery costs too much. `other`: another reason, which a comment can name. `store_closed`: the pickup location is closed. Only staff name this reason */
  reason?: "customer_request" | "duplicate" | "wrong_address" | "item_unavailable" | "not_ready" | "courier_late" | "price" | "other" | "store_closed" | undefined;
  /** Your own words, at most 280 characters. Couriers do not see them */
  comment?: string | undefined;
  /** The highest fee that you accept, in minor units. A cancel that costs more is refused with `cancellation_fee_changed`. Without this field, you accept any fee of the policy */
  accept_fee?: number | undefined;
};

export type PreviewCancelExpressDeliveryQuery = {
  /** The reason that the cancel would have. The fee depends on it. `customer_request`: the customer does not want the goods any more. `duplicate`: the same order exists twice. `wrong_address`: an address is wrong. `item_unavailable`: the vendor does not have the goods. `not_ready`: the goods are not ready in time. `courier_late`: the courier is late. `price`: the delivery costs too much. `other`: another reason, which a comment can name. `store_closed`: the pickup location is closed. Only staff name this reason */
  reason?: "customer_request" | "duplicate" | "wrong_address" | "item_unavailable" | "not_ready" | "courier_late" | "price" | "other" | "store_closed" | undefined;
};

export type ListExpressDeliveriesQuery = {
  /** Items on a page */
  limit?: number | undefined;
  /** `next_cursor` of the previous page */
  cursor?: string | undefined;
  /** One state, or several separated by commas */
  status?: string | undefined;
  /** Half-open range of the creation, from/to, at most 92 days. Dates begin at midnight in the time zone of the vendor, or of UTC if the request is about no single vendor */
  date_range?: string | undefined;
  /** Your own id of the delivery, whole */
  external_id?: string | undefined;
  /** The vendor order that the delivery was dispatched for, whole */
  order_id?: string | undefined;
  /** The courier to whom the delivery is assigned, or was at its end */
  courier_id?: string | undefined;
  /** A search: a whole id, external id or order id, the last four or more digits of a recipient’s phone, or whole words of the names and addresses of recipients. Case and accents do not count, and all words must be there */
  q?: string | undefined;
};

export type OnboardCourierBody = {
  /** Name, 1 to 120 characters. */
  name: string;
  /** Phone number in E.164, such as `+4930123456`. Spaces and dashes are removed. */
  phone: string;
  /** Vehicle of the courier. */
  vehicle_type: "bicycle" | "scooter" | "motorcycle" | "car" | "van";
  /** True in live mode, false in test mode. Objects of the two modes never meet. The default is `false`. */
  live_mode?: boolean | undefined;
  /** E-mail address, at most 254 characters */
  email?: string | undefined;
  /** Licence plate of the vehicle, at most 16 characters */
  plate?: string | undefined;
  /** City in which the courier works, at most 80 characters */
  city?: string | undefined;
};

export type ListCouriersQuery = {
  /** Items on a page */
  limit?: number | undefined;
  /** `next_cursor` of the previous page */
  cursor?: string | undefined;
  /** True lists couriers of live mode only, false of test mode */
  live_mode?: "true" | "false" | undefined;
  /** Couriers whose profile has this state */
  status?: "pending" | "active" | "suspended" | undefined;
  /** Couriers who are online or offline */
  availability?: "online" | "offline" | undefined;
  /** Couriers with this vehicle */
  vehicle_type?: "bicycle" | "scooter" | "motorcycle" | "car" | "van" | undefined;
  /** An id, whole words of the name, or the last four or more digits of the phone; 2 to 64 characters */
  q?: string | undefined;
};

export type UpdateCourierBody = {
  /** Full name, at most 120 characters. Only staff change it */
  name?: string | undefined;
  /** Phone number in E.164. Only staff change it; it ends all sessions */
  phone?: string | undefined;
  /** The vehicle */
  vehicle_type?: "bicycle" | "scooter" | "motorcycle" | "car" | "van" | undefined;
  /** E-mail address, at most 254 characters. Null removes it */
  email?: string | null | undefined;
  /** Licence plate, at most 16 characters. Null removes it */
  plate?: string | null | undefined;
  /** City, at most 80 characters. Null removes it */
  city?: string | null | undefined;
};

export type ActivateCourierBody = {
  /** Why, for the audit log: 1 to 280 characters. A repeat that changes nothing does not record it */
  reason?: string | undefined;
};

export type SetCourierAvailabilityBody = {
  /** Present state. */
  status: "online" | "offline";
};

export type ReportLocationBody = {
  /** Tuples as in the socket message `ping` */
  fixes: readonly (readonly [number, number, number | null, number | null, number | null, number | null, number | null])[];
} | {
  /** Latitude in WGS84 degrees, from -90 to 90. */
  lat: number;
  /** Longitude in WGS84 degrees, from -180 to 180. */
  lng: number;
  /** Increases with every fix of a phone */
  seq: number;
  /** When the phone measured the position, RFC 3339. */
  recorded_at: string;
  /** Metres; null if unknown. A fix below 0 or above 100 is dropped */
  accuracy_m?: number | null | undefined;
  /** Metres per second, 0 to 1000; null or any other number if unknown */
  speed?: number | null | undefined;
  /** Compass degrees, 0 to 360; null or any other number if unknown */
  heading?: number | null | undefined;
};

export type ReportLocationAnswer = {
  /** Number of accepted positions. */
  accepted: number;
  /** Number of positions that were dropped. */
  dropped: number;
  /** Why the server dropped the first of the dropped fixes; absent if it dropped none. `out_of_range`: the place does not exist, or is 0, 0. Swapped latitude and longitude can give this reason. `from_the_future`: the time of the fix is over 5 s ahead of the server. `too_old`: the fix is over 30 min old. A time in seconds gives this reason. `out_of_order`: the number or the time of the fix is not higher than that of an earlier one. `inaccurate`: the accuracy is worse than 100 m. `suspect`: the fix makes a jump that no vehicle can make, as swapped coordinates can. `too_many`: the message came too soon after the one before */
  reason?: "out_of_range" | "from_the_future" | "too_old" | "out_of_order" | "inaccurate" | "suspect" | "too_many";
};

export type AssignCourierBody = {
  /** Id of the delivery. */
  delivery_id: string;
  /** If it is missing, the matcher runs for this delivery now */
  courier_id?: string | undefined;
  /** Why a rule does not apply this time, 1 to 280 characters. Vendor and staff see it. */
  override_reason?: string | undefined;
};

export type AssignCourierAnswer = Delivery | {
  /** Kind of the object. */
  object: "dispatch_run";
  /** Id of the delivery. */
  delivery_id: string;
};

export type ListCandidatesQuery = {
  /** Id of the delivery. */
  delivery_id: string;
};

export type CandidatesItem = {
  /** The courier who has the delivery, or who lost it by this event. */
  courier: {
    /** Id of the object: a prefix for its kind and 26 lower-case characters. Treat it as opaque text. */
    id: string;
    /** Name, 1 to 120 characters. */
    name: string;
    /** Vehicle of the courier. */
    vehicle_type: "bicycle" | "scooter" | "motorcycle" | "car" | "van";
  };
  /** Length of the way in whole metres. */
  distance_m: number;
  /** Expected time to the pickup in whole seconds. */
  travel_s: number;
  /** Deliveries that the courier carries now. */
  load: number;
  /** Cost of this courier in seconds: a lower cost is better. */
  cost: number;
  /** Why it happened: a code, or the text of a person. */
  reason: string;
};

export type ListWaitingDeliveriesQuery = {
  /** Items on a page */
  limit?: number | undefined;
  /** `next_cursor` of the previous page */
  cursor?: string | undefined;
  /** For staff and internal services: true lists live deliveries only, false test deliveries only */
  live_mode?: "true" | "false" | undefined;
};

export type QueueEntry = {
  /** Kind of the object. */
  object: "queue_entry";
  /** The delivery as it was at that moment. */
  delivery: Delivery;
  /** When the search began to count: at the order, at the last release, or some minutes before the goods are ready if that is later. It counts at once if the vendor reports that the goods are ready */
  since: string;
  /** Null for the seconds before the alarm is raised */
  alarm_id: string | null;
  /** Number of offers by how they ended, including earlier searches */
  tries: {
    /** Number of accepted offers. */
    accepted: number;
    /** Number of declined offers. */
    declined: number;
    /** Number of expired offers. */
    expired: number;
    /** Number of withdrawn offers. */
    withdrawn: number;
  };
  /** The offer that was closed last. If the courier declined it, the reason is theirs */
  last_try: {
    /** How the offer ended. */
    status: "accepted" | "declined" | "expired" | "withdrawn";
    /** Why it happened: a code, or the text of a person. */
    reason: string | null;
    /** When it happened, RFC 3339 in UTC. */
    at: string;
  } | null;
};

export type ListDecisionsQuery = {
  /** Items on a page */
  limit?: number | undefined;
  /** `next_cursor` of the previous page */
  cursor?: string | undefined;
};

export type DispatchDecision = {
  /** Kind of the object. */
  object: "dispatch_decision";
  /** Id with which the run can be replayed while its inputs are stored */
  run_id: string;
  /** Id of the delivery. */
  delivery_id: string;
  /** When it happened, RFC 3339 in UTC. */
  at: string;
  /** Decision of the matcher. */
  verdict: "offered" | "offer_open" | "no_candidate" | "outbid" | "courier_not_free" | "not_due" | "withdrawn" | "not_opened";
  /** Why it happened: a code, or the text of a person. */
  reason: string;
  /** The courier to whom the plan gave the delivery */
  courier_id: string | null;
  /** Cost of this assignment in the whole plan, in seconds of one delivery */
  cost_s: number;
  /** Couriers who received an offer from this run; several in a parallel round */
  asked: string[];
  /** The best couriers that the run considered, best first */
  candidates: ({
    /** Id of the courier. */
    courier_id: string;
    /** True for the courier of the plan. */
    is_chosen: boolean;
    /** Seconds until the courier reaches the pickup */
    arrive_s: number;
    /** Seconds from the order to the last drop-off if the courier did nothing else, with fines for lateness */
    alone_s: number;
    /** Price of using this courier, in seconds: for orders to come, for not being free yet and for others who have been idle longer */
    price_s: number;
    /** Probability that the courier accepts */
    acceptance: number;
    /** Why it happened: a code, or the text of a person. */
    reason: string;
  })[];
};

export type Alarm = {
  /** Id of the object: a prefix for its kind and 26 lower-case characters. Treat it as opaque text. */
  id: string;
  /** Kind of the object. */
  object: "alarm";
  /** The kind of problem */
  kind: "search_too_long" | "courier_silent" | "late";
  /** When the problem began, RFC 3339 in UTC */
  since: string;
  /** A sentence about the problem */
  detail: string;
  /** The delivery with the problem. Null if it is no longer stored */
  delivery: Delivery | null;
};

export type ListCellsQuery = {
  /** At most 500 H3 cells of resolution 7, separated by commas. Required if `bounds` is missing */
  cells?: string | undefined;
  /** west,south,east,north in degrees, covering at most 500 cells. Use it instead of `cells` */
  bounds?: string | undefined;
  /** true lists live mode only, false test mode only */
  live_mode?: "true" | "false" | undefined;
};

export type SurgeCell = {
  /** Kind of the object. */
  object: "surge_cell";
  /** H3 cell of resolution 7. */
  cell: string;
  /** True in live mode, false in test mode. Objects of the two modes never meet. */
  live_mode: boolean;
  /** Deliveries that search for a courier and whose goods are ready soon */
  demand: number;
  /** Couriers who are free soon, the nearest ones if there are many; null if no delivery searches for a courier */
  supply: number | null;
  /** Demand divided by supply, with the neighbouring cells, averaged over the last minutes */
  ratio: number;
  /** A factor of 1 or more, in steps of 0.1, for your own prices. Fees use it up to the limit of their pricing rule */
  surge: number;
  /** When demand and supply were counted, RFC 3339 in UTC. */
  counted_at: string;
};

export type ListCourierDeliveriesQuery = {
  /** Items on a page */
  limit?: number | undefined;
  /** `next_cursor` of the previous page */
  cursor?: string | undefined;
  /** One state, or several separated by commas */
  status?: string | undefined;
  /** Half-open range of the creation, from/to, at most 92 days. Dates begin at midnight in the time zone of the vendor, or of UTC if the request is about no single vendor */
  date_range?: string | undefined;
};

export type OffersItem = {
  /** Id of the offer. */
  offer_id: string;
  /** Id of the delivery. */
  delivery_id: string;
  /** The courier can answer until then, by the clock of the server */
  expires_at: string;
  /** The clock of the server when it wrote this. The app counts down from the difference */
  server_time: string;
  /** The business that sends the goods */
  vendor_name: string | null;
  /** Where the courier collects the goods. */
  pickup: {
    /** The number of the stop in the delivery; 0 is the pickup */
    stop: number;
    /** WGS84 degrees */
    coordinates: {
      /** Latitude in WGS84 degrees, from -90 to 90. */
      lat: number;
      /** Longitude in WGS84 degrees, from -180 to 180. */
      lng: number;
    };
    /** Address for people: one line of at most 280 characters, or an object with its parts. */
    address: Address | null;
    /** Note for the courier, at most 280 characters. */
    instructions: string | null;
    /** When the goods are ready, or from when the recipient expects them */
    ready_at?: string;
  };
  /** The drop-offs in the order of visits */
  drop_off: ({
    /** The number of the stop in the delivery; 0 is the pickup */
    stop: number;
    /** WGS84 degrees */
    coordinates: {
      /** Latitude in WGS84 degrees, from -90 to 90. */
      lat: number;
      /** Longitude in WGS84 degrees, from -180 to 180. */
      lng: number;
    };
    /** Address for people: one line of at most 280 characters, or an object with its parts. */
    address: Address | null;
    /** Note for the courier, at most 280 characters. */
    instructions: string | null;
    /** When the goods are ready, or from when the recipient expects them */
    ready_at?: string;
  })[];
  /** Number of drop-offs */
  drop_off_count: number;
  /** Weight of the goods, kg; null if the vendor named none */
  weight: number | null;
  /** The way from the pickup along all drop-offs, metres */
  distance_m: number;
  /** The way from the courier's last position to the pickup; null if the server has no position */
  to_pickup: {
    /** Metres along streets */
    distance_m: number;
    /** Seconds with the vehicle of the courier */
    duration_s: number;
  } | null;
  /** Pay of the courier for this delivery, without tips */
  payout: {
    /** Minor units of the currency */
    amount: number;
    /** ISO 4217 code */
    currency: string;
  };
};

export type DeclineOfferBody = {
  /** Why the courier declines; at most 280 characters. `offer.accept` ignores it */
  reason?: string | undefined;
};

export type RegisterDeviceBody = {
  /** The token that the push service gave to the app; 8 to 4096 visible ASCII characters */
  token: string;
  /** The operating system of the device */
  platform: "ios" | "android" | "web";
  /** The version of the app, at most 32 characters */
  app_version?: string | undefined;
  /** The push service that knows the token. By default the one that the server prefers */
  provider?: "fcm" | "webhook" | undefined;
};

export type Device = {
  /** The id of the device */
  id: string;
  /** Kind of the object. */
  object: "device";
  /** The operating system of the device */
  platform: "ios" | "android" | "web";
  /** The version of the app; null if the app did not say */
  app_version: string | null;
  /** The push service; null for the one that the server prefers */
  provider: "fcm" | "webhook" | null;
  /** When the app registered the device last */
  registered_at: string;
};

export type AddCourierDocumentBody = {
  /** The kind of document */
  type: "id" | "license" | "vehicle_insurance";
  /** The number of the document, at most 64 characters. It is kept encrypted */
  number?: string | undefined;
  /** The last day on which the document is valid, in UTC, YYYY-MM-DD; today or later */
  expires_on: string;
  /** A file of at most 10 MiB, unless `FILES_MAX_BYTES` sets another limit. */
  file?: Blob | undefined;
};

export type ListDocumentsForReviewQuery = {
  /** Items on a page */
  limit?: number | undefined;
  /** `next_cursor` of the previous page */
  cursor?: string | undefined;
  /** For staff and internal services: true lists live deliveries only, false test deliveries only */
  live_mode?: "true" | "false" | undefined;
  /** Documents of this status. By default those that wait: `pending` and `in_review` */
  status?: "pending" | "in_review" | "approved" | "rejected" | "expired" | undefined;
};

export type DecideDocumentBody = {
  /** The decision */
  decision: "approve" | "reject";
  /** Why the document is rejected. Required to reject. `unreadable`: the picture cannot be read. `wrong_document`: it is a document of another type. `name_mismatch`: it is in the name of another person. `expired`: it is not valid any more. `not_genuine`: it does not look genuine. `other`: another reason, which the comment can name */
  reason?: "unreadable" | "wrong_document" | "name_mismatch" | "expired" | "not_genuine" | "other" | undefined;
  /** A note to the courier, at most 280 characters */
  comment?: string | undefined;
  /** The last day on which the document is valid, if the courier gave a wrong one. Only to approve */
  expires_on?: string | undefined;
};

export type ListEarningsQuery = {
  /** Items on a page */
  limit?: number | undefined;
  /** `next_cursor` of the previous page */
  cursor?: string | undefined;
  /** Half-open range of the time of the entry, from/to, at most 92 days. Dates begin at midnight in the time zone of the vendor, or of UTC if the request is about no single vendor */
  date_range?: string | undefined;
};

export type SetBankAccountBody = {
  /** The name of the holder as the bank knows it, at most 100 characters */
  holder_name: string;
  /** Why the account is set, for the audit log: 1 to 280 characters. A repeat that changes nothing does not record it */
  reason?: string | undefined;
  /** ISO 4217 code. Only earnings in this currency are paid to the account */
  currency: string;
  /** The IBAN, without blanks. Leave it out if the bank has none */
  iban?: string | undefined;
  /** ISO 3166 code of the country of the bank. Required without `iban` */
  country?: string | undefined;
  /** The number of the account, 4 to 34 digits or upper-case letters. Required without `iban` */
  account_number?: string | undefined;
  /** The code of the bank in its country, 2 to 20 digits or upper-case letters. Required without `iban` */
  bank_code?: string | undefined;
};

export type GetWalletBalanceQuery = {
  /** The vendor, which staff must name. Vendors leave it out */
  vendor_id?: string | undefined;
  /** For staff: the mode of the wallet, by default true */
  live_mode?: "true" | "false" | undefined;
};

export type WalletBalance = {
  /** The kind of object */
  object: "wallet_balance";
  /** ISO 4217 code of the currency of all amounts */
  currency: string;
  /** The money that may be spent now, minor units */
  available: number;
  /** The money that is reserved for open deliveries, minor units */
  held: number;
  /** The part of charges that exceeded the money reserved for them, minor units. The next money in the wallet pays it first. Until then no money can be reserved */
  owed: number;
  /** Top-ups that payers have paid and that their payment gateway has not confirmed, minor units. They cannot be spent yet */
  pending: number;
  /** True while the wallet refuses new deliveries. Open ones go on and are charged */
  frozen: boolean;
  /** The mode. Test money and live money never mix */
  live_mode: boolean;
};

export type FundWalletBody = {
  /** The amount to pay, minor units, at most 10^12. The operator may have set a lower limit, 100000000 by default */
  amount: number;
  /** ISO 4217 code. It must be the currency of the account, which is also the default */
  currency?: string | undefined;
  /** The payment gateway. Without it, the server takes its preferred one for the mode of the key */
  gateway?: "sandbox" | "stripe" | "paystack" | "flutterwave" | undefined;
  /** The web page to which the gateway sends the payer afterwards, at most 2048 characters. It proves nothing about the payment */
  return_url?: string | undefined;
};

export type ListTopUpsQuery = {
  /** Items on a page */
  limit?: number | undefined;
  /** `next_cursor` of the previous page */
  cursor?: string | undefined;
  /** Only top-ups of this state */
  status?: "pending" | "succeeded" | "failed" | "expired" | undefined;
  /** For staff: only top-ups of this vendor. Vendors leave it out */
  vendor_id?: string | undefined;
  /** For staff: true lists live top-ups only, false test ones only */
  live_mode?: "true" | "false" | undefined;
};

export type RefundTopUpBody = {
  /** Your own name of the refund, 1 to 64 characters of `A-Z a-z 0-9 . _ ~ -`. The same reference makes one refund of the top-up, however often it is sent */
  reference: string;
  /** Why the money goes back, at most 200 characters. The vendor sees it */
  reason: string;
  /** The amount, minor units: at most what is left of the top-up. All of it by default */
  amount?: number | undefined;
};

export type ListTopUpRefundsQuery = {
  /** Items on a page */
  limit?: number | undefined;
  /** `next_cursor` of the previous page */
  cursor?: string | undefined;
  /** Only refunds of this state */
  status?: "pending" | "processing" | "needs_action" | "paid" | "failed" | "reversed" | undefined;
  /** Only refunds of this top-up */
  top_up_id?: string | undefined;
  /** True lists live refunds only, false test ones only */
  live_mode?: "true" | "false" | undefined;
};

export type ResolveTopUpRefundBody = {
  /** `paid`: the payer has the money. `failed`: they never will, so the wallet gets it back */
  outcome: "paid" | "failed";
  /** How you know, for the audit log and the answer: 1 to 280 characters */
  reason: string;
};

export type ListSuspenseQuery = {
  /** Items on a page */
  limit?: number | undefined;
  /** `next_cursor` of the previous page */
  cursor?: string | undefined;
  /** Only money of this state */
  status?: "open" | "awaiting_approval" | "credited" | "returned" | undefined;
  /** True lists live money only, false test money only */
  live_mode?: "true" | "false" | undefined;
};

export type DecideSuspenseBody = {
  /** `credit` books the money into the wallet of the vendor. `return` says that the payer gets it back */
  decision: "credit" | "return";
  /** Why, for the audit log and the transaction. At most 200 characters */
  reason: string;
};

export type ApproveSuspenseBody = {
  /** The decision that is approved. If another one has replaced it, nothing happens */
  decision: "credit" | "return";
  /** The version in which the approver has read it. If it has changed since, nothing happens */
  version: number;
};

export type RequestAdjustmentBody = {
  /** The vendor whose wallet is adjusted, in its currency */
  vendor_id: string;
  /** Minor units: above 0 into the wallet, below 0 out of it. At most 10^12 */
  amount: number;
  /** Why, as the vendor reads it in its transactions. At most 200 characters */
  reason: string;
  /** True adjusts the live wallet. False by default */
  live_mode?: boolean | undefined;
};

export type ListAdjustmentsQuery = {
  /** Items on a page */
  limit?: number | undefined;
  /** `next_cursor` of the previous page */
  cursor?: string | undefined;
  /** Only adjustments of this state */
  status?: "awaiting_approval" | "booked" | "rejected" | undefined;
  /** Only adjustments of the wallets of this vendor */
  vendor_id?: string | undefined;
  /** True lists live wallets only, false test wallets only */
  live_mode?: "true" | "false" | undefined;
};

export type DecideAdjustmentBody = {
  /** `approve` books the adjustment. `reject` ends it, and no money moves */
  decision: "approve" | "reject";
};

export type ListReconciliationsQuery = {
  /** Items on a page */
  limit?: number | undefined;
  /** `next_cursor` of the previous page */
  cursor?: string | undefined;
  /** False lists only comparisons with unmatched payments or transfers, and true only those without */
  matched?: "true" | "false" | undefined;
};

export type ProcessPayoutsBody = {
  /** ISO 4217 code of the earnings that are paid out */
  currency: string;
  /** The date that names the batch, in UTC: today by default, or one of the 7 days before */
  date?: string | undefined;
  /** True pays couriers of live mode. False by default */
  live_mode?: boolean | undefined;
};

export type ListPayoutsQuery = {
  /** Items on a page */
  limit?: number | undefined;
  /** `next_cursor` of the previous page */
  cursor?: string | undefined;
  /** Payouts of this state */
  status?: "awaiting_approval" | "pending" | "processing" | "needs_action" | "paid" | "failed" | "reversed" | "canceled" | undefined;
  /** Payouts of this batch. Leave out `courier_id` and `live_mode` then */
  batch_id?: string | undefined;
  /** Payouts of this courier. Leave out `live_mode` then */
  courier_id?: string | undefined;
  /** True lists live payouts only, false test payouts only */
  live_mode?: "true" | "false" | undefined;
};

export type ResolvePayoutBody = {
  /** `paid`: the money has left for the courier. `failed`: it never will, so the earnings get it back. A payout that waits for an approval can only be `failed` */
  outcome: "paid" | "failed";
  /** How you know, or why you decline it, for the audit log and the answer: 1 to 280 characters */
  reason: string;
};

export type ListTransactionsQuery = {
  /** Items on a page */
  limit?: number | undefined;
  /** `next_cursor` of the previous page */
  cursor?: string | undefined;
  /** Only debits, or only credits */
  type?: "debit" | "credit" | undefined;
  /** Only this kind of transaction */
  category?: "charge" | "repayment" | "refund" | "settlement" | "adjustment" | "top_up" | "top_up_refund" | "top_up_refund_return" | "chargeback" | "chargeback_return" | "suspense_credit" | undefined;
  /** Half-open range of the booking, from/to, at most 92 days. Dates begin at midnight in the time zone of the vendor, or of UTC if the request is about no single vendor */
  date_range?: string | undefined;
  /** Only those about this delivery */
  delivery_id?: string | undefined;
  /** The vendor, which staff must name. Vendors leave it out */
  vendor_id?: string | undefined;
  /** For staff: the mode, by default true */
  live_mode?: "true" | "false" | undefined;
};

export type ListChargesQuery = {
  /** Items on a page */
  limit?: number | undefined;
  /** `next_cursor` of the previous page */
  cursor?: string | undefined;
  /** Half-open range of the booking, from/to, at most 92 days. Dates begin at midnight in the time zone of the vendor, or of UTC if the request is about no single vendor */
  date_range?: string | undefined;
  /** Only those about this delivery */
  delivery_id?: string | undefined;
  /** The vendor, which staff must name. Vendors leave it out */
  vendor_id?: string | undefined;
  /** For staff: the mode, by default true */
  live_mode?: "true" | "false" | undefined;
};

export type ListInvoicesQuery = {
  /** Items on a page */
  limit?: number | undefined;
  /** `next_cursor` of the previous page */
  cursor?: string | undefined;
  /** Only invoices, or only credit notes */
  type?: "invoice" | "credit_note" | undefined;
  /** The vendor, which staff must name. Vendors leave it out */
  vendor_id?: string | undefined;
  /** For staff: the mode, by default true */
  live_mode?: "true" | "false" | undefined;
};

export type InvoicesItem = {
  /** The id of the invoice or credit note; null for a receipt */
  id: string | null;
  /** A credit note corrects an earlier invoice. A receipt is made of one delivery and has no number */
  object: "invoice" | "credit_note" | "receipt";
  /** The invoice that a credit note corrects; null for the others */
  credits: {
    /** The id of the invoice */
    id: string;
    /** The number of the invoice */
    number: string;
  } | null;
  /** The number of the invoice, without gaps before it; null for a receipt */
  number: string | null;
  /** The month, such as `2026-01`; null for a receipt */
  period: string | null;
  /** When the invoice was issued, or when the receipt was last charged, UTC */
  issued_at: string;
  /** ISO 4217 code of the currency of all amounts */
  currency: string;
  /** The sum of the lines without tax, minor units */
  net: number;
  /** The tax in the lines, minor units */
  tax: number;
  /** The sum of the lines with tax, minor units; negative in a credit note */
  amount: number;
  /** The mode. Test money and live money never mix */
  live_mode: boolean;
};

export type GetInvoiceQuery = {
  /** The vendor, which staff must name. Vendors leave it out */
  vendor_id?: string | undefined;
  /** For staff: the mode, by default true */
  live_mode?: "true" | "false" | undefined;
};

export type ListSettlementsQuery = {
  /** Items on a page */
  limit?: number | undefined;
  /** `next_cursor` of the previous page */
  cursor?: string | undefined;
  /** Only settlements of days, or of weeks */
  cycle?: "daily" | "weekly" | undefined;
  /** Half-open range in which the periods begin, from/to, at most 92 days. Dates begin at midnight in the time zone of the vendor, or of UTC if the request is about no single vendor */
  date_range?: string | undefined;
  /** Only those of this vendor, for staff and internal services */
  vendor_id?: string | undefined;
  /** For staff and internal services: the mode, by default true */
  live_mode?: "true" | "false" | undefined;
};

export type ListSettlementPayoutsQuery = {
  /** Items on a page */
  limit?: number | undefined;
  /** `next_cursor` of the previous page */
  cursor?: string | undefined;
  /** Half-open range in which the periods begin, from/to, at most 92 days. Dates begin at midnight in the time zone of the vendor, or of UTC if the request is about no single vendor */
  date_range?: string | undefined;
  /** The vendor, which staff must name. Vendors leave it out */
  vendor_id?: string | undefined;
  /** For staff: the mode, by default true */
  live_mode?: "true" | "false" | undefined;
};

export type RefundDeliveryBody = {
  /** Your own name of the refund, 1 to 64 characters of `A-Z a-z 0-9 . _ ~ -`. The same reference makes one refund of the delivery, however often it is sent */
  reference: string;
  /** Why the money goes back, at most 280 characters. The vendor sees it */
  reason: string;
  /** The amount with its tax, minor units: at most what is left of the charge. All of it by default */
  amount?: number | undefined;
};

export type RaiseDisputeBody = {
  /** The delivery whose charge is disputed */
  delivery_id: string;
  /** The mistake in the delivery or its charge. `never_delivered`: the recipient never got the goods. `arrived_late`: the goods came too late. `delivered_early`: the goods came too early. `delivered_to_wrong_address`: the goods went to a wrong place. `missing_or_incorrect_items`: goods were missing or wrong. `damaged_items`: goods were damaged. `poor_delivery_experience`: the courier did not behave well. `overcharge`: the charge is higher than the price that was agreed. `wait_fee`: the charge for waiting is wrong. `cancellation_fee`: the charge for the cancel is wrong. `return_fee`: the charge for the way back is wrong. `other`: another reason, which the description names */
  reason: "never_delivered" | "arrived_late" | "delivered_early" | "delivered_to_wrong_address" | "missing_or_incorrect_items" | "damaged_items" | "poor_delivery_experience" | "overcharge" | "wait_fee" | "cancellation_fee" | "return_fee" | "other";
  /** Your own words, at most 1,000 characters */
  description: string;
  /** The amount that you want back, with its tax, minor units. By default all that was not refunded yet */
  amount?: number | undefined;
  /** Proofs of the delivery that support the dispute, from `GET /deliveries/{id}/proof`, at most 10. The default is `[]`. */
  proof_ids?: readonly string[] | undefined;
};

export type ListDisputesQuery = {
  /** Items on a page */
  limit?: number | undefined;
  /** `next_cursor` of the previous page */
  cursor?: string | undefined;
  /** Disputes of this state */
  status?: "open" | "in_review" | "accepted" | "rejected" | "withdrawn" | undefined;
  /** Disputes about this delivery */
  delivery_id?: string | undefined;
};

export type ListDisputesForReviewQuery = {
  /** Items on a page */
  limit?: number | undefined;
  /** `next_cursor` of the previous page */
  cursor?: string | undefined;
  /** Disputes of this state */
  status?: "open" | "in_review" | "accepted" | "rejected" | "withdrawn" | undefined;
  /** Disputes about this delivery */
  delivery_id?: string | undefined;
  /** Disputes of this vendor */
  vendor_id?: string | undefined;
  /** True lists live disputes only, false test disputes only */
  live_mode?: "true" | "false" | undefined;
};

export type DecideDisputeBody = {
  /** Whether the vendor gets money back */
  outcome: "accepted" | "rejected";
  /** The side on which the cause lies */
  party_at_fault: "vendor" | "recipient" | "courier" | "platform" | "unknown";
  /** The amount that the vendor gets back, minor units: all that is disputed by default. Only to accept */
  amount?: number | undefined;
  /** The decision in words, at most 1,000 characters. The vendor sees it */
  note: string;
};

export type ListDeliveriesQuery = {
  /** Items on a page */
  limit?: number | undefined;
  /** `next_cursor` of the previous page */
  cursor?: string | undefined;
  /** One state, or several separated by commas */
  status?: string | undefined;
  /** Half-open range of the creation, from/to, at most 92 days. Dates begin at midnight in the time zone of the vendor, or of UTC if the request is about no single vendor */
  date_range?: string | undefined;
  /** Your own id of the delivery, whole */
  external_id?: string | undefined;
  /** The vendor order that the delivery was dispatched for, whole */
  order_id?: string | undefined;
  /** The courier to whom the delivery is assigned, or was at its end */
  courier_id?: string | undefined;
  /** A search: a whole id, external id or order id, the last four or more digits of a recipient’s phone, or whole words of the names and addresses of recipients. Case and accents do not count, and all words must be there */
  q?: string | undefined;
  /** The vendor, for staff and internal services */
  vendor_id?: string | undefined;
  /** For staff and internal services: true lists live deliveries only, false test deliveries only */
  live_mode?: "true" | "false" | undefined;
};

export type ArriveAtStopBody = {
  /** Why the action is right although the courier is away from the stop; at most 280 characters */
  override_reason?: string | undefined;
  /** When the courier was assigned, as the delivery shows it. A retry with this field changes nothing of a later assignment */
  assigned_at?: string | undefined;
};

export type PickUpDeliveryBody = {
  /** Why the action is right although the courier is away from the stop; at most 280 characters */
  override_reason?: string | undefined;
  /** When the courier was assigned, as the delivery shows it. A retry with this field changes nothing of a later assignment */
  assigned_at?: string | undefined;
  /** Proof that is recorded before the action */
  proof?: {
    /** Files that were uploaded for the stop, at most 10 */
    files?: readonly string[] | undefined;
    /** The PIN that the recipient told the courier, 4 to 8 digits */
    pin?: string | undefined;
    /** Name of the person who signed, at most 120 characters */
    signature_name?: string | undefined;
    /** How that person is related to the recipient, at most 60 characters */
    signature_relationship?: string | undefined;
    /** Scanned barcodes, at most 20 */
    barcodes?: readonly string[] | undefined;
    /** True if the courier checked the age of the recipient by an identity document. False records nothing */
    age_verified?: boolean | undefined;
  } | undefined;
};

export type FailAtStopBody = {
  /** Why the drop-off cannot be served. `customer_unavailable`: nobody is there or answers. `customer_refused`: the recipient does not take the goods. `address_not_found`: the courier cannot find the place. `access_denied`: the courier cannot get in, or the place is closed. `damaged`: the goods are damaged. `lost`: the goods are lost. `unsafe`: the place is not safe for the courier. `id_check_failed`: the recipient cannot prove their identity or age. `pin_failed`: the recipient does not know the PIN */
  reason: "customer_unavailable" | "customer_refused" | "address_not_found" | "access_denied" | "damaged" | "lost" | "unsafe" | "id_check_failed" | "pin_failed";
  /** Why the action is right although the courier is away from the stop; at most 280 characters */
  override_reason?: string | undefined;
  /** When the courier was assigned, as the delivery shows it. A retry with this field changes nothing of a later assignment */
  assigned_at?: string | undefined;
  /** Tries to reach the recipient since the pickup. A courier needs two that are at least one minute apart. The default is `[]`. */
  contact_tries?: readonly ({
    /** When the courier tried, RFC 3339 with a zone */
    at: string;
    /** How the courier tried to reach the recipient. */
    channel: "call" | "message";
  })[] | undefined;
};

export type ReleaseDeliveryBody = {
  /** Why the courier loses the delivery; at most 280 characters */
  reason: string;
  /** When the courier was assigned, as the delivery shows it. A retry with this field changes nothing of a later assignment */
  assigned_at?: string | undefined;
  /** The courier who loses the delivery. A retry with this field never takes it from another courier */
  courier_id?: string | undefined;
};

export type DeliveryStatus = {
  /** Id of the object: a prefix for its kind and 26 lower-case characters. Treat it as opaque text. */
  id: string;
  /** Kind of the object. */
  object: "delivery_status";
  /** Present state. */
  status: "scheduled" | "searching" | "assigned" | "picked_up" | "in_transit" | "delivered" | "canceled" | "failed";
  /** Finer detail of the state, such as `en_route_to_pickup`. Null if there is none. */
  stage: "en_route_to_pickup" | "arrived_at_pickup" | "en_route_to_drop_off" | "arrived_at_drop_off" | "offering" | null;
  /** Number of the present version, from 1. Each change raises it. It is also the `ETag`. */
  version: number;
  /** When the object last changed, RFC 3339 in UTC. */
  updated_at: string;
};

export type DeliveryEventsItem = {
  /** Id of the object: a prefix for its kind and 26 lower-case characters. Treat it as opaque text. */
  id: string;
  /** Kind of the object. */
  object: "event";
  /** Version of the API with which the event was written, a date. */
  api_version: string;
  /** When the object was created, RFC 3339 in UTC. */
  created_at: string;
  /** True in live mode, false in test mode. Objects of the two modes never meet. */
  live_mode: boolean;
  /** Number of the event within its delivery, from 1 without gaps */
  sequence: number;
  /** Id of the delivery. */
  delivery_id: string;
  /** The caller's own id: 1 to 64 characters of `A-Z a-z 0-9 . _ ~ -`, unique per vendor and mode. */
  external_id?: string;
  /** Id of the vendor. */
  vendor_id: string;
  /** Kind of the object, event or actor. */
  type: "delivery.created" | "delivery.searching" | "courier.assigned" | "courier.unassigned" | "courier.arrived_pickup" | "picked_up" | "in_transit" | "courier.arrived_drop_off" | "drop_off.delivered" | "drop_off.failed" | "delivered" | "delivery.failed" | "canceled" | "delivery.updated" | "delivery.ready" | "delivery.delayed" | "delivery.search_delayed" | "delivery.refunded";
  /** The facts of the event. Empty if the event is not for couriers and a courier reads it */
  data: {
    /** State of the delivery before the event. Null if the event created it. */
    from?: "scheduled" | "searching" | "assigned" | "picked_up" | "in_transit" | "delivered" | "canceled" | "failed" | null;
    /** State of the delivery after the event. */
    to?: "scheduled" | "searching" | "assigned" | "picked_up" | "in_transit" | "delivered" | "canceled" | "failed";
    /** Finer detail of the state, such as `en_route_to_pickup`. Null if there is none. */
    stage?: string | null;
    /** Number of the drop-off from 1, or 0 for the pickup. */
    stop?: number;
    /** The kind of caller that caused the event, and its id if it has one. */
    actor?: EventActor;
    /** Why it happened: a code, or the text of a person. */
    reason?: string;
    /** Why the courier or the dispatcher acted although a rule would have refused it; recipients do not see it */
    override_reason?: string;
    /** Start of the window, or when the goods are ready. RFC 3339. */
    ready_at?: string;
    /** The fields of the delivery that changed, as JSON pointers into `delivery`. Recipients do not get them. Events of the first release lack them */
    changed?: string[];
    /** The refund of the vendor */
    refund?: {
      /** The id of the refund */
      id: string;
      /** The amount that went back, with its tax, minor units */
      amount: number;
      /** The tax in the amount, minor units */
      tax: number;
    };
    /** The courier who has the delivery, or who lost it by this event. */
    courier?: CourierCard;
    /** The delivery as it was at that moment. */
    delivery?: Delivery;
  };
};

export type GetTrackingStateAnswer = {
  /** `return` if goods that were not handed over go back to the pickup */
  kind: "delivery" | "return";
  /** Present state. */
  status: "scheduled" | "searching" | "assigned" | "picked_up" | "in_transit" | "delivered" | "canceled" | "failed";
  /** Finer detail of the state, such as `en_route_to_pickup`. Null if there is none. */
  stage: "en_route_to_pickup" | "arrived_at_pickup" | "en_route_to_drop_off" | "arrived_at_drop_off" | "offering" | null;
  /** Number of the newest event of the delivery, from 1 without gaps. */
  sequence: number;
  /** Name and colour of the vendor. */
  vendor: {
    /** Name of the vendor. */
    name: string;
    /** Colour of the page, as CSS. */
    accent: string;
    /** Changes with each new logo, which `GET /t/{token}/logo` sends; null for none */
    logo: string | null;
  };
  /** The courier. Null while none is assigned. */
  courier: {
    /** First name of the courier. */
    first_name: string;
    /** Vehicle of the courier. */
    vehicle_type: string;
  } | null;
  /** Where the courier collects the goods. */
  pickup: {
    /** Latitude in WGS84 degrees, from -90 to 90. */
    lat: number;
    /** Longitude in WGS84 degrees, from -180 to 180. */
    lng: number;
  };
  /** Where the courier hands the goods over: 1 to 10 drop-offs. */
  drop_off: {
    /** Latitude in WGS84 degrees, from -90 to 90. */
    lat: number;
    /** Longitude in WGS84 degrees, from -180 to 180. */
    lng: number;
    /** Note for the courier, at most 280 characters. */
    instructions: string | null;
  };
  /** The way along streets to this drop-off, as an encoded polyline with six decimals. Absent while other stops come first, if the distance is an estimate, and if the place was corrected. After another drop-off it begins at its first point more than 200 m away from that */
  polyline?: string;
  /** Open stops that are visited before this one. 0 if it is next; only then the page shows the courier */
  stops_before: number;
  /** The PIN that the recipient tells the courier. Null if none is required, and after the end */
  pin: string | null;
  /** Arrival at this drop-off. Null after the end, and while it is not known: the courier has not been heard of for so long that they count as lost, or are long overdue, or the search takes so long that it has an alarm */
  eta: ExpectedArrival | null;
  /** When the delivery reached each step. */
  steps: {
    /** When the delivery was created, RFC 3339 in UTC. */
    ordered_at: string;
    /** When the courier was assigned, RFC 3339 in UTC. Null before. */
    assigned_at: string | null;
    /** When the courier collected the goods, RFC 3339 in UTC. Null before. */
    picked_up_at: string | null;
    /** When the courier left the pickup, RFC 3339 in UTC. Null before. */
    in_transit_at: string | null;
    /** When it ended, RFC 3339 in UTC. Null before. */
    ended_at: string | null;
  };
  /** Why it happened: a code, or the text of a person. */
  reason: string | null;
  /** Why the vendor put off the pickup. Null once the goods are ready or collected */
  delay_reason: string | null;
  /** The rating by this recipient. Null while they cannot rate */
  rating: {
    /** One to five stars; null if they have not rated yet */
    rating: number | null;
    /** The words of the recipient; null if there are none */
    comment: string | null;
    /** True while the recipient can give or change the rating */
    open: boolean;
    /** The last moment to give or change it: the link ends then, at the latest. Null if it is over */
    until: string | null;
  } | null;
  /** Clock of the service, from which the page counts. */
  clock: {
    /** Time of the service clock, milliseconds since 1970. */
    now: number;
    /** How many times faster than real time the service clock runs. 1 outside simulations. */
    scale: number;
  };
};

export type AddStopProofBody = {
  /** Name of the person who signed, at most 120 characters */
  signature_name?: string | undefined;
  /** How that person is related to the recipient, at most 60 characters */
  signature_relationship?: string | undefined;
  /** The PIN that the recipient told the courier, 4 to 8 digits */
  pin?: string | undefined;
  /** Scanned barcodes, each in a field of its own; at most 20 */
  barcodes?: string | readonly string[] | undefined;
  /** `true` if the courier checked the age of the recipient by an identity document */
  age_verified?: "true" | undefined;
  /** When the courier was assigned, as the delivery shows it. A retry with this field changes nothing of a later assignment */
  assigned_at?: string | undefined;
  /** At most 4 files. */
  photo?: readonly Blob[] | undefined;
  /** A file of at most 10 MiB, unless `FILES_MAX_BYTES` sets another limit. */
  signature?: Blob | undefined;
};

export type TestSteps = {
  /** Kind of the object. */
  object: "test_steps";
  /** The delivery */
  delivery_id: string;
  /** Its state */
  status: "scheduled" | "searching" | "assigned" | "picked_up" | "in_transit" | "delivered" | "canceled" | "failed";
  /** The steps that are possible now, the usual next one first. Empty without a courier and after the end */
  steps: ("arrived_at_pickup" | "picked_up" | "in_transit" | "arrived_at_drop_off" | "delivered" | "failed")[];
};

export type AdvanceTestBody = {
  /** The step to take. The default is the usual next one */
  to?: "arrived_at_pickup" | "picked_up" | "in_transit" | "arrived_at_drop_off" | "delivered" | "failed" | undefined;
};

export type GetVendorProfileQuery = {
  /** The vendor. Required for staff */
  vendor_id?: string | undefined;
};

export type UpdateVendorProfileBody = {
  /** The vendor. Required for staff */
  vendor_id?: string | undefined;
  /** The registered name. Null for none */
  legal_name?: string | null | undefined;
  /** The tax number, at most 64 characters. Null for none */
  tax_id?: string | null | undefined;
  /** Address of the website, at most 254 characters. Null for none */
  website?: string | null | undefined;
  /** The address of the business. Null for none */
  address?: NewAddress | null | undefined;
  /** The person to contact about the account. Null for none */
  contact?: NewContact | null | undefined;
  /** IANA time zone of the dates in analytics and lists. Null for the time zone of the opening hours, or UTC without any */
  timezone?: string | null | undefined;
  /** How recipients see the vendor */
  branding?: {
    /** The name that recipients see, at most 120 characters */
    name?: string | undefined;
    /** Colour of the tracking pages, #rrggbb, with a contrast of at least 4.5 with white */
    accent?: string | undefined;
  } | undefined;
};

export type SetVendorLogoBody = {
  /** The vendor. Required for staff */
  vendor_id?: string | undefined;
  /** A file of at most 10 MiB, unless `FILES_MAX_BYTES` sets another limit. */
  logo?: Blob | undefined;
};

export type ListVendorHoursQuery = {
  /** Items on a page */
  limit?: number | undefined;
  /** `next_cursor` of the previous page */
  cursor?: string | undefined;
  /** The vendor. Required for staff */
  vendor_id?: string | undefined;
};

export type SetVendorHoursBody = {
  /** The vendor. Required for staff */
  vendor_id?: string | undefined;
  /** The location. Without it the hours apply to all locations, also to those with hours of their own */
  location_id?: string | undefined;
  /** IANA time zone of all times and dates, such as Europe/Berlin */
  timezone: string;
  /** The days with their periods. A day that is not listed is closed. Null means always open */
  weekly: readonly ({
    /** 1 is Monday and 7 is Sunday */
    day_of_week: number;
    /** The periods in which the location is open, at most 10; an empty list means closed */
    periods: readonly ({
      /** Local time at which the location opens, HH:MM */
      start: string;
      /** Local time at which it closes, HH:MM. An end before the start is on the next day */
      end: string;
    })[];
  })[] | null;
  /** Dates that differ from their day of the week, at most 100 */
  exceptions?: readonly ({
    /** A local date, YYYY-MM-DD */
    date: string;
    /** True if the location is closed on this date */
    closed?: boolean | undefined;
    /** The periods in which the location is open, at most 10; an empty list means closed */
    periods?: readonly ({
      /** Local time at which the location opens, HH:MM */
      start: string;
      /** Local time at which it closes, HH:MM. An end before the start is on the next day */
      end: string;
    })[] | undefined;
  })[] | undefined;
};

export type SetLocationReadinessBody = {
  /** False stops new immediate pickups at the location at once */
  ready: boolean;
  /** When a location that is not ready becomes ready by itself. It then also refuses scheduled pickups before this time */
  until?: string | undefined;
};

export type CreateVendorLocationBody = {
  /** The name of the location, at most 120 characters */
  name: string;
  /** Whether it is a storefront or a warehouse. The default is `"storefront"`. */
  kind?: "storefront" | "warehouse" | undefined;
  /** Where couriers collect the goods */
  coordinates: NewCoordinates;
  /** The address, as one line or in parts */
  address: NewAddress;
  /** The person at the location */
  contact: NewContact;
  /** For the courier at each pickup, at most 280 characters. Null for none */
  instructions?: string | null | undefined;
  /** The longest way from here, metres. Null for the vendor’s limit */
  max_distance_m?: number | null | undefined;
  /** The vendor who gets the location */
  vendor_id: string;
};

export type UpdateVendorLocationBody = {
  /** The name of the location, at most 120 characters */
  name?: string | undefined;
  /** Whether it is a storefront or a warehouse */
  kind?: "storefront" | "warehouse" | undefined;
  /** Where couriers collect the goods */
  coordinates?: NewCoordinates | undefined;
  /** The address, as one line or in parts */
  address?: NewAddress | undefined;
  /** The person at the location */
  contact?: NewContact | undefined;
  /** For the courier at each pickup, at most 280 characters. Null for none */
  instructions?: string | null | undefined;
  /** The longest way from here, metres. Null for the vendor’s limit */
  max_distance_m?: number | null | undefined;
};

export type GetVendorCoverageQuery = {
  /** Items on a page */
  limit?: number | undefined;
  /** `next_cursor` of the previous page */
  cursor?: string | undefined;
  /** The vendor. Required for staff */
  vendor_id?: string | undefined;
  /** Latitude of a point to test, WGS84 degrees. Needs `lng` */
  lat?: number | undefined;
  /** Longitude of a point to test, WGS84 degrees. Needs `lat` */
  lng?: number | undefined;
};

export type Coverage = {
  /** Always `coverage` */
  object: "coverage";
  /** The vendor location */
  location_id: string;
  /** The longest way of a delivery from here, metres */
  max_distance_m: number;
  /** The zones of drop-offs. If the list is empty, only the distance counts */
  zones: Zone[];
  /** The answer for `lat` and `lng`, if they were sent */
  point?: {
    /** Whether a drop-off may be at this point */
    covered: boolean;
    /** Why it may not; null if it may. `drop_off_not_in_coverage`: it lies outside all zones of the location. `distance_too_long`: the estimated way to it is longer than `max_distance_m` */
    reason: "drop_off_not_in_coverage" | "distance_too_long" | null;
    /** The estimated way from the location to the point, metres */
    distance_m: number;
  };
};

export type CreateLocationZoneBody = {
  /** The name of the zone, at most 120 characters */
  name: string;
  /** GeoJSON of the zone: a Polygon or a MultiPolygon with at most 500 positions */
  geojson: {
    /** Always `Polygon` */
    type: "Polygon";
    /** The outer ring, then holes. The last position of a ring repeats the first */
    coordinates: readonly (readonly (readonly number[])[])[];
  } | {
    /** Always `MultiPolygon` */
    type: "MultiPolygon";
    /** The polygons, at most 20 */
    coordinates: readonly (readonly (readonly (readonly number[])[])[])[];
  };
};

export type UpdateLocationZoneBody = {
  /** The name of the zone, at most 120 characters */
  name?: string | undefined;
  /** GeoJSON of the zone: a Polygon or a MultiPolygon with at most 500 positions */
  geojson?: {
    /** Always `Polygon` */
    type: "Polygon";
    /** The outer ring, then holes. The last position of a ring repeats the first */
    coordinates: readonly (readonly (readonly number[])[])[];
  } | {
    /** Always `MultiPolygon` */
    type: "MultiPolygon";
    /** The polygons, at most 20 */
    coordinates: readonly (readonly (readonly (readonly number[])[])[])[];
  } | undefined;
};

export type CreateVendorBody = {
  /** The name that recipients see, at most 120 characters */
  name: string;
  /** ISO 4217 code of the currency of new quotes and deliveries */
  currency?: string | undefined;
  /** How long a search for a courier lasts, minutes */
  search_limit_min?: number | undefined;
  /** The longest way of a delivery, metres */
  max_distance_m?: number | undefined;
};

export type UpdateVendorBody = {
  /** The name that recipients see, at most 120 characters */
  name?: string | undefined;
  /** ISO 4217 code of the currency of new quotes and deliveries */
  currency?: string | undefined;
  /** How long a search for a courier lasts, minutes */
  search_limit_min?: number | undefined;
  /** The longest way of a delivery, metres */
  max_distance_m?: number | undefined;
  /** A suspended vendor gets no quotes and no new deliveries. Open deliveries go on */
  status?: "active" | "suspended" | undefined;
  /** Why, for the audit log, which the vendor can read: 1 to 280 characters */
  reason?: string | undefined;
  /** When the money of the vendor is settled. A change counts from the next period on */
  settlement?: {
    /** How often: each day, or each week on Monday */
    cycle: "daily" | "weekly";
    /** Local time at which a period ends, HH:MM, in the time zone of the vendor */
    cut_off: string;
  } | undefined;
};

export type DispatchVendorOrderBody = {
  /** The vendor location where the goods are collected */
  location_id: string;
  /** Overrides fields of the vendor location, and says when the goods are ready */
  pickup?: {
    /** Address for people: one line of at most 280 characters, or an object with its parts. */
    address?: NewAddress | null | undefined;
    /** Note for the courier, at most 280 characters. */
    instructions?: string | null | undefined;
    /** When the courier should be there. Either end may be missing. */
    window?: NewTimeWindow | null | undefined;
    /** The vendor's own id of the stop: 1 to 64 characters of `A-Z a-z 0-9 . _ ~ -`. */
    external_id?: string | null | undefined;
    /** The person at the stop. */
    contact?: NewContact | undefined;
  } | undefined;
  /** Where the courier hands the goods over: 1 to 10 drop-offs. */
  drop_off: readonly NewDropOff[];
  /** The goods: weight, category and fragility. */
  metadata?: {
    /** Weight in kg, more than 0 and at most 10,000 */
    weight?: number | undefined;
    /** `Food` or `Package`. Upper and lower case are the same. */
    category?: string | undefined;
    /** How carefully the goods must be handled. `true` means `high`, and `false` means `none`. */
    fragility?: boolean | "none" | "low" | "high" | undefined;
  } | undefined;
  /** `express` starts the search at once. `scheduled` waits for the window of the pickup. The default is `"express"`. */
  priority?: "express" | "scheduled" | undefined;
  /** Id of the quote whose price the delivery has, from `POST /express/quotes`. A quote can be used once, before it expires. */
  quote_id?: string | undefined;
  /** Vehicles that may carry the delivery. An empty list allows all of them. The default is `[]`. */
  vehicle_types?: readonly ("bicycle" | "scooter" | "motorcycle" | "car" | "van")[] | undefined;
  /** Your own data: at most 50 keys of 40 characters, with values of at most 500 characters */
  custom?: Record<string, string | number | boolean> | undefined;
  /** Tip for the courier in minor units of the vendor’s currency. The wallet reserves it with the fee, and pays it only if the delivery is delivered. The fee does not contain it */
  tip?: number | undefined;
  /** Code of a promotion, at most 64 characters. It selects pricing rules of type `promotion`, which change who pays the fee. A code that no active rule has is not refused and changes nothing; `discounts` of the quote lists what counts. Upper and lower case differ. If a quote is named, only its own code counts */
  promo?: string | undefined;
  /** Whether the recipients want messages. It is stored and shown; the server itself sends none */
  notify_recipient?: boolean | undefined;
  /** When the search ends if no courier was found: later than the time from which it counts, by at most one day */
  search_until?: string | undefined;
  /** Test mode only: a robo-courier carries the delivery */
  test_specifications?: NewTestSpecifications | undefined;
  /** The vendor. Required for staff and internal services */
  vendor_id?: string | undefined;
  /** For staff and internal services. The default is false */
  live_mode?: boolean | undefined;
  /** `service` if an internal service has collected the order values from the customer. Settlements then pay them to the vendor for each drop-off that is delivered. The default is `vendor` */
  order_value_collected_by?: "vendor" | "service" | undefined;
};

export type GetSuccessRateQuery = {
  /** Half-open range of dates in the time zone of the answer, from/to, at most 92 days, within the years 2000 to 2199. The last 30 days if it is left out */
  date_range?: string | undefined;
  /** The vendor, for staff and internal services; left out for all */
  vendor_id?: string | undefined;
  /** For staff and internal services: the mode of the deliveries, by default true */
  live_mode?: "true" | "false" | undefined;
  /** Only deliveries that were collected at this vendor location */
  location_id?: string | undefined;
};

export type SuccessRate = {
  /** The kind of object */
  object: "success_rate";
  /** The dates on which the deliveries ended */
  date_range: {
    /** The first date */
    from: string;
    /** The first date after the range */
    to: string;
  };
  /** IANA time zone of the dates: that of the location, or else of the vendor; UTC for the whole platform */
  time_zone: string;
  /** False for deliveries of test mode */
  live_mode: boolean;
  /** The vendor; null for the whole platform */
  vendor_id: string | null;
  /** The vendor location; null for all */
  location_id: string | null;
  /** Delivered */
  delivered: number;
  /** Canceled */
  canceled: number;
  /** Failed */
  failed: number;
  /** The delivered share of all that ended, 0 to 1. Null if none ended */
  rate: number | null;
  /** Delivered no later than promised */
  on_time: number;
  /** Deliveries that were canceled or failed, by the caller */
  ended_by: ({
    /** How the deliveries ended */
    outcome: "canceled" | "failed";
    /** The kind of caller who ended them */
    by: "vendor" | "staff" | "internal" | "courier" | "system";
    /** How many */
    count: number;
  })[];
  /** Deliveries that were canceled or failed, by the reason */
  reasons: ({
    /** How the deliveries ended */
    outcome: "canceled" | "failed";
    /** The reason; `unspecified` if none was given */
    reason: string;
    /** How many */
    count: number;
  })[];
  /** Returns, which no other number here contains */
  returns: {
    /** Delivered */
    delivered: number;
    /** Canceled */
    canceled: number;
    /** Failed */
    failed: number;
  };
};

export type Timings = {
  /** The kind of object */
  object: "timings";
  /** The dates on which the deliveries ended */
  date_range: {
    /** The first date */
    from: string;
    /** The first date after the range */
    to: string;
  };
  /** IANA time zone of the dates: that of the location, or else of the vendor; UTC for the whole platform */
  time_zone: string;
  /** False for deliveries of test mode */
  live_mode: boolean;
  /** The vendor; null for the whole platform */
  vendor_id: string | null;
  /** The vendor location; null for all */
  location_id: string | null;
  /** From the create until the vendor reported the goods ready */
  preparation: {
    /** Deliveries in which both ends of the span are known */
    count: number;
    /** Mean in seconds, exact to a tenth */
    mean_s: number | null;
    /** Median in seconds, within 5 % */
    p50_s: number | null;
    /** 90th percentile in seconds, within 5 % */
    p90_s: number | null;
  };
  /** From the courier's arrival at the pickup until they collected the goods */
  wait: {
    /** Deliveries in which both ends of the span are known */
    count: number;
    /** Mean in seconds, exact to a tenth */
    mean_s: number | null;
    /** Median in seconds, within 5 % */
    p50_s: number | null;
    /** 90th percentile in seconds, within 5 % */
    p90_s: number | null;
  };
  /** From the pickup until the last drop-off, of delivered deliveries */
  transit: {
    /** Deliveries in which both ends of the span are known */
    count: number;
    /** Mean in seconds, exact to a tenth */
    mean_s: number | null;
    /** Median in seconds, within 5 % */
    p50_s: number | null;
    /** 90th percentile in seconds, within 5 % */
    p90_s: number | null;
  };
};

export type GetDeliveryCostsQuery = {
  /** Half-open range of dates in the time zone of the answer, from/to, at most 92 days, within the years 2000 to 2199. The last 30 days if it is left out */
  date_range?: string | undefined;
  /** The vendor, for staff and internal services; left out for all */
  vendor_id?: string | undefined;
  /** For staff and internal services: the mode of the deliveries, by default true */
  live_mode?: "true" | "false" | undefined;
  /** Only deliveries that were collected at this vendor location */
  location_id?: string | undefined;
  /** How the fees are added up. The default is `"location"`. */
  group_by?: "location" | "category" | undefined;
};

export type DeliveryCosts = {
  /** The kind of object */
  object: "delivery_costs";
  /** The dates on which the deliveries ended */
  date_range: {
    /** The first date */
    from: string;
    /** The first date after the range */
    to: string;
  };
  /** IANA time zone of the dates: that of the location, or else of the vendor; UTC for the whole platform */
  time_zone: string;
  /** False for deliveries of test mode */
  live_mode: boolean;
  /** The vendor; null for the whole platform */
  vendor_id: string | null;
  /** The vendor location; null for all */
  location_id: string | null;
  /** How the charges are added up */
  group_by: "location" | "category";
  /** One row for each group and currency, the highest sum first */
  data: ({
    /** The location, if `group_by` is `location`; null if none was named */
    location_id: string | null;
    /** The category, if `group_by` is `category`; null if none was named */
    category: string | null;
    /** ISO 4217 code of the currency */
    currency: string;
    /** Delivered deliveries */
    deliveries: number;
    /** Sum of all charges, less refunds, also of canceled and failed deliveries, in minor units */
    charged: number;
  })[];
};

export type ListRiderPerformanceQuery = {
  /** Half-open range of dates in the time zone of the answer, from/to, at most 92 days, within the years 2000 to 2199. The last 30 days if it is left out */
  date_range?: string | undefined;
  /** The vendor, for staff and internal services; left out for all */
  vendor_id?: string | undefined;
  /** For staff and internal services: the mode of the deliveries, by default true */
  live_mode?: "true" | "false" | undefined;
  /** Only deliveries that were collected at this vendor location */
  location_id?: string | undefined;
  /** Items on a page */
  limit?: number | undefined;
  /** `next_cursor` of the previous page */
  cursor?: string | undefined;
};

export type RiderPerformance = {
  /** The kind of object */
  object: "rider_performance";
  /** The courier */
  courier_id: string;
  /** The courier's first name */
  first_name: string | null;
  /** Deliveries that they delivered */
  deliveries: number;
  /** Deliveries of theirs that failed */
  failed: number;
  /** The share of their deliveries that was on time, 0 to 1 */
  on_time_rate: number | null;
  /** Average of the ratings, 1 to 5; null without a rating */
  rating: number | null;
  /** Ratings */
  ratings: number;
  /** Ratings with a comment */
  comments: number;
};

export type ListRiderCommentsQuery = {
  /** The vendor, for staff and internal services; left out for all */
  vendor_id?: string | undefined;
  /** For staff and internal services: the mode of the deliveries, by default true */
  live_mode?: "true" | "false" | undefined;
  /** Only comments about this courier */
  courier_id?: string | undefined;
  /** Items on a page */
  limit?: number | undefined;
  /** `next_cursor` of the previous page */
  cursor?: string | undefined;
};

export type Rating = {
  /** The kind of object */
  object: "rating";
  /** The delivery */
  delivery_id: string;
  /** The courier */
  courier_id: string;
  /** Whose rating it is */
  by: "recipient" | "vendor";
  /** One to five stars */
  rating: number;
  /** The words of the rater; null if there are none */
  comment: string | null;
  /** When it was first given */
  created_at: string;
  /** When it was last changed */
  updated_at: string;
};

export type MarkDeliveryReadyBody = {
  /** When the goods became ready, by default now. Must not be in the future */
  ready_at?: string | undefined;
};

export type DelayPickupBody = {
  /** Delay from the ready time, or from now if that has passed. The default is 10. The same value sent again within one minute is the same delay; later it is another delay. To make retries safe, use `ready_at` */
  minutes?: number | undefined;
  /** The new ready time. Use it instead of `minutes` */
  ready_at?: string | undefined;
  /** The courier and the recipient see this text */
  reason?: string | undefined;
};

export type ListPricingRulesQuery = {
  /** The vendor. Required for staff */
  vendor_id?: string | undefined;
  /** `active` lists the rules that hold now. `all` adds the stored rules that begin later or have ended. The default is `"active"`. */
  state?: "active" | "all" | undefined;
};

export type SubsidizeQuoteBody = {
  /** The quote */
  quote_id: string;
  /** A discount that the vendor gives its customer and pays itself. It does not change `fee` */
  subsidy: {
    /** An amount */
    type: "fixed";
    /** The amount in minor units of the vendor’s currency */
    amount: number;
  } | {
    /** A share of what the customer would otherwise pay */
    type: "percent";
    /** The share in basis points, 1 to 10000: 2500 is 25 % */
    rate_bp: number;
    /** The most that the subsidy is, minor units of the vendor’s currency */
    cap?: number | undefined;
  } | {
    /** All that the customer would otherwise pay */
    type: "free";
    /** The most that the subsidy is, minor units of the vendor’s currency */
    cap?: number | undefined;
  };
};

export type QuoteCalculation = {
  /** Always `quote_calculation` */
  object: "quote_calculation";
  /** True in live mode, false in test mode. Objects of the two modes never meet. */
  live_mode: boolean;
  /** `express` starts the search at once. `scheduled` waits for the window of the pickup. */
  priority: "express" | "scheduled";
  /** Price of the delivery in minor units of `currency`, such as cents. */
  fee: number;
  /** Upper-case ISO 4217 code. */
  currency: string;
  /** Lines of the fee. Their amounts sum exactly to `fee`. */
  fee_breakdown: ({
    /** Purpose of the line. */
    type: "base" | "distance" | "weight" | "priority" | "surge" | "tax";
    /** Amount in minor units of the currency, such as cents. */
    amount: number;
  })[];
  /** The share of the vendor’s customer: the fee without the discounts, minor units of `currency` */
  customer_fee: number;
  /** The sum of the discounts of type `subsidy`, minor units of `currency` */
  vendor_subsidy: number;
  /** The share of the vendor: the discounts that it pays, minor units of `currency` */
  vendor_net_cost: number;
  /** The share of the platform: the discounts that it pays, minor units of `currency` */
  platform_share: number;
  /** The parts of the fee that the customer does not pay. With `customer_fee` they sum exactly to `fee` */
  discounts: ({
    /** The reason for the discount */
    type: "surge_protection" | "promotion" | "free_delivery_threshold" | "region_flag" | "tier_flag" | "subsidy";
    /** The amount, which is above 0, minor units of `currency` */
    amount: number;
    /** The payer */
    paid_by: "vendor" | "platform";
  })[];
  /** How demand changes the price */
  surge: {
    /** The factor of demand in the price: 1 or more. It stays until `expires_at` */
    multiplier: number;
    /** Whether the factor would have been higher without its limit */
    capped: boolean;
  };
  /** The waiting at the pickup that the server expects to charge. `fee` does not contain it: the minutes that really pass are charged. Null if the server has no estimate */
  waiting_estimate: {
    /** The minutes of waiting at the pickup that will probably be charged */
    minutes: number;
    /** Their charge, beside `fee`, minor units of `currency` */
    amount: number;
  } | null;
  /** Length of the way in whole metres. */
  distance_m: number;
  /** Expected time of the way in whole seconds. */
  duration_s: number;
  /** The source of `distance_m` and `duration_s`. `route`: the way along streets through all drop-offs, in the order of visits, of the first of `vehicle_types`, or of a scooter. `estimate`: straight lines times a factor, if the server has no streets there or did not find the way in time */
  distance_source: "route" | "estimate";
  /** The rules that gave lines and discounts, in the order in which they were applied */
  applied_rules: ({
    /** The rule; null for one of the settings, for the subsidy and the tax */
    rule_id: string | null;
    /** The line or the discount that it gave */
    type: "base" | "distance" | "weight" | "priority" | "surge" | "tax" | "surge_protection" | "promotion" | "free_delivery_threshold" | "region_flag" | "tier_flag" | "subsidy";
    /** The amount of that line or discount, minor units of `currency` */
    amount: number;
  })[];
};

export type CreatePricingRuleBody = {
  /** The vendor whose rule it is. If it is absent, the rule is the platform’s and holds for every vendor */
  vendor_id?: string | undefined;
  /** The effect of the rule on a price */
  terms: {
    /** A fixed part */
    type: "base";
    /** The fixed part of a fee, minor units */
    amount: number;
  } | {
    /** A part for the way */
    type: "distance";
    /** For each km of the way. Each tenth that is begun counts, minor units */
    per_km: number;
  } | {
    /** A part for heavy goods */
    type: "weight";
    /** For each kg that is begun above `free_kg`, minor units */
    per_kg: number;
    /** Weight without a surcharge, kg, at most 1000 */
    free_kg: number;
  } | {
    /** A part for an immediate delivery */
    type: "priority";
    /** The part of an immediate delivery, minor units */
    amount: number;
  } | {
    /** Demand raises the parts above by the factor of the pickup’s cell */
    type: "surge";
    /** The highest factor in basis points, 10000 to 100000. 10000 raises nothing */
    most_bp: number;
  } | {
    /** A limit on what the customer pays */
    type: "surge_protection";
    /** The most that the customer pays, minor units */
    most: number;
    /** The payer of the part that the customer does not pay */
    paid_by: "vendor" | "platform";
  } | {
    /** A discount for quotes that name its code as `promo` */
    type: "promotion";
    /** The code, at most 64 letters, digits and . _ ~ - */
    code: string;
    /** The share of the rest, basis points, 1 to 10000 */
    rate_bp: number;
    /** The most that the discount is, minor units */
    cap?: number | undefined;
    /** The payer of the part that the customer does not pay */
    paid_by: "vendor" | "platform";
  } | {
    /** The vendor pays for orders from a value on */
    type: "free_delivery_threshold";
    /** The lowest sum of the order values of all drop-offs, minor units */
    order_value: number;
  } | {
    /** The vendor pays where all drop-offs lie in one of these cells */
    type: "region_flag";
    /** H3 cells of any resolution, at most 100 */
    cells: readonly string[];
  } | {
    /** The vendor pays for customers of these tiers */
    type: "tier_flag";
    /** Values of `customer_tier`, at most 20 */
    tiers: readonly string[];
  };
  /** When the rule begins. The default is now */
  active_from?: string | undefined;
  /** When the rule ends; null: when somebody ends it */
  active_to?: string | null | undefined;
};

export type UpdatePricingRuleBody = {
  /** The vendor whose rule it is. If it is absent, the rule is the platform’s and holds for every vendor */
  vendor_id?: string | undefined;
  /** The effect of the rule on a price */
  terms?: {
    /** A fixed part */
    type: "base";
    /** The fixed part of a fee, minor units */
    amount: number;
  } | {
    /** A part for the way */
    type: "distance";
    /** For each km of the way. Each tenth that is begun counts, minor units */
    per_km: number;
  } | {
    /** A part for heavy goods */
    type: "weight";
    /** For each kg that is begun above `free_kg`, minor units */
    per_kg: number;
    /** Weight without a surcharge, kg, at most 1000 */
    free_kg: number;
  } | {
    /** A part for an immediate delivery */
    type: "priority";
    /** The part of an immediate delivery, minor units */
    amount: number;
  } | {
    /** Demand raises the parts above by the factor of the pickup’s cell */
    type: "surge";
    /** The highest factor in basis points, 10000 to 100000. 10000 raises nothing */
    most_bp: number;
  } | {
    /** A limit on what the customer pays */
    type: "surge_protection";
    /** The most that the customer pays, minor units */
    most: number;
    /** The payer of the part that the customer does not pay */
    paid_by: "vendor" | "platform";
  } | {
    /** A discount for quotes that name its code as `promo` */
    type: "promotion";
    /** The code, at most 64 letters, digits and . _ ~ - */
    code: string;
    /** The share of the rest, basis points, 1 to 10000 */
    rate_bp: number;
    /** The most that the discount is, minor units */
    cap?: number | undefined;
    /** The payer of the part that the customer does not pay */
    paid_by: "vendor" | "platform";
  } | {
    /** The vendor pays for orders from a value on */
    type: "free_delivery_threshold";
    /** The lowest sum of the order values of all drop-offs, minor units */
    order_value: number;
  } | {
    /** The vendor pays where all drop-offs lie in one of these cells */
    type: "region_flag";
    /** H3 cells of any resolution, at most 100 */
    cells: readonly string[];
  } | {
    /** The vendor pays for customers of these tiers */
    type: "tier_flag";
    /** Values of `customer_tier`, at most 20 */
    tiers: readonly string[];
  } | undefined;
  /** When the rule begins */
  active_from?: string | undefined;
  /** When the rule ends; null: when somebody ends it */
  active_to?: string | null | undefined;
};

export type EndPricingRuleBody = {
  /** The vendor whose rule it is. If it is absent, the rule is the platform’s and holds for every vendor */
  vendor_id?: string | undefined;
};

export type ListApiKeysQuery = {
  /** Items on a page */
  limit?: number | undefined;
  /** `next_cursor` of the previous page */
  cursor?: string | undefined;
  /** The vendor, for staff. A vendor leaves it out */
  vendor_id?: string | undefined;
  /** The mode, for staff; false if it is left out. A vendor leaves it out */
  live_mode?: "true" | "false" | undefined;
};

export type CreateApiKeyBody = {
  /** The vendor, for staff. A vendor leaves it out */
  vendor_id?: string | undefined;
  /** The mode, for staff; false if it is left out. A vendor leaves it out */
  live_mode?: boolean | undefined;
  /** A name by which people know the key, at most 80 characters */
  name?: string | undefined;
  /** The scopes of the key. Without them it gets those of the calling key, or all if staff make it */
  scopes?: readonly ("deliveries:read" | "deliveries:write" | "billing:read" | "billing:write" | "wallets:read" | "wallets:write" | "webhooks:read" | "webhooks:write" | "vendor:read" | "vendor:write" | "keys:read" | "keys:write")[] | undefined;
  /** When the key ends by itself, UTC. Without it the key ends with the calling key, if that ends */
  expires_at?: string | undefined;
};

export type RotateApiKeyBody = {
  /** Hours for which the old key stays valid beside the new one, 0 to 168. The default is `24`. */
  overlap_hours?: number | undefined;
};

export type GetCourierMetricsQuery = {
  /** Half-open range of dates in the time zone of the answer, from/to, at most 92 days, within the years 2000 to 2199. The last 30 days if it is left out */
  date_range?: string | undefined;
};

export type CourierMetrics = {
  /** The kind of object */
  object: "courier_metrics";
  /** The courier */
  courier_id: string;
  /** The dates on which the deliveries ended */
  date_range: {
    /** The first date */
    from: string;
    /** The first date after the range */
    to: string;
  };
  /** The time zone of the dates */
  time_zone: "UTC";
  /** Deliveries that they delivered */
  delivered: number;
  /** Deliveries of theirs that failed */
  failed: number;
  /** Deliveries that they gave back, or lost because they were silent or late */
  released: number;
  /** Deliveries that were canceled because the courier was late */
  canceled: number;
  /** Delivered, as a share of delivered, failed, released and canceled ones. Null if none */
  success_rate: number | null;
  /** The offers that ended on these dates */
  offers: {
    /** Offers that their phone acknowledged */
    shown: number;
    /** Accepted */
    accepted: number;
    /** Declined */
    declined: number;
    /** Not answered in time */
    expired: number;
  };
  /** Accepted, as a share of accepted, declined and expired offers. Null if none */
  acceptance_rate: number | null;
  /** From the assignment until the last drop-off, of delivered deliveries */
  completion: {
    /** Deliveries in which both ends of the span are known */
    count: number;
    /** Mean in seconds, exact to a tenth */
    mean_s: number | null;
    /** Median in seconds, within 5 % */
    p50_s: number | null;
    /** 90th percentile in seconds, within 5 % */
    p90_s: number | null;
  };
  /** The share of their deliveries that was on time. Null if none was delivered */
  on_time_rate: number | null;
  /** Ratings by recipients and vendors */
  rating: {
    /** Average, 1 to 5; null without a rating */
    average: number | null;
    /** Ratings */
    count: number;
  };
};

export type RateDeliveryBody = {
  /** One to five stars; five is best */
  rating: number;
  /** A comment, at most 500 characters. The courier does not see it */
  comment?: string | undefined;
};

export type RateByLinkAnswer = {
  /** One to five stars; null if they have not rated yet */
  rating: number | null;
  /** The words of the recipient; null if there are none */
  comment: string | null;
  /** True while the recipient can give or change the rating */
  open: boolean;
  /** The last moment to give or change it: the link ends then, at the latest. Null if it is over */
  until: string | null;
};

export type CreateWebhookBody = {
  /** Absolute URL. */
  url: string;
  /** Event types, or * for all types */
  events: readonly ("delivery.created" | "delivery.searching" | "courier.assigned" | "courier.unassigned" | "courier.arrived_pickup" | "picked_up" | "in_transit" | "courier.arrived_drop_off" | "drop_off.delivered" | "drop_off.failed" | "delivered" | "delivery.failed" | "canceled" | "delivery.updated" | "delivery.ready" | "delivery.delayed" | "delivery.search_delayed" | "delivery.refunded" | "*")[];
  /** Free text for people, at most 280 characters. */
  description?: string | null | undefined;
  /** With `per_delivery`, an event is sent after each earlier event of its delivery was received or has failed for good. With `best_effort`, a failed event holds back no other. The default is `"best_effort"`. */
  ordering?: "best_effort" | "per_delivery" | undefined;
};

export type ListWebhooksQuery = {
  /** Items on a page */
  limit?: number | undefined;
  /** `next_cursor` of the previous page */
  cursor?: string | undefined;
  /** Lists only webhooks that get events, only disabled ones, or all. The default is `"enabled"`. */
  status?: "enabled" | "disabled" | "all" | undefined;
};

export type UpdateWebhookBody = {
  /** The new address, an http or https URL of at most 2048 characters */
  url?: string | undefined;
  /** The new event types, or * for all types */
  events?: readonly ("delivery.created" | "delivery.searching" | "courier.assigned" | "courier.unassigned" | "courier.arrived_pickup" | "picked_up" | "in_transit" | "courier.arrived_drop_off" | "drop_off.delivered" | "drop_off.failed" | "delivered" | "delivery.failed" | "canceled" | "delivery.updated" | "delivery.ready" | "delivery.delayed" | "delivery.search_delayed" | "delivery.refunded" | "*")[] | undefined;
  /** A new note of at most 280 characters; null for none */
  description?: string | null | undefined;
  /** With `per_delivery`, an event is sent after each earlier event of its delivery was received or has failed for good. With `best_effort`, a failed event holds back no other. A change concerns later events */
  ordering?: "best_effort" | "per_delivery" | undefined;
  /** `disabled` stops sending, and due attempts fail. `enabled` starts again; replay what was missed */
  status?: "enabled" | "disabled" | undefined;
};

export type RotateWebhookSecretBody = {
  /** Hours for which the old secret also signs each request, 0 to 168. The default is `24`. */
  overlap_hours?: number | undefined;
};

export type WebhookTest = {
  /** The kind of object */
  object: "webhook_test";
  /** The HTTP status that the receiver answered; null without an answer */
  status: number | null;
  /** How long the try took, ms */
  took_ms: number;
  /** Why the try failed; null for a success */
  error: string | null;
  /** The start of the answer, at most 1 KiB */
  response: string | null;
};

export type ListWebhookAttemptsQuery = {
  /** Items on a page */
  limit?: number | undefined;
  /** `next_cursor` of the previous page */
  cursor?: string | undefined;
  /** Lists only attempts in this state */
  state?: "due" | "succeeded" | "failed" | undefined;
};

export type WebhookAttempt = {
  /** The id of the attempt */
  id: string;
  /** The kind of object */
  object: "webhook_attempt";
  /** The event that is sent */
  event_id: string;
  /** The type of the event; null if the event is no longer kept */
  type: "delivery.created" | "delivery.searching" | "courier.assigned" | "courier.unassigned" | "courier.arrived_pickup" | "picked_up" | "in_transit" | "courier.arrived_drop_off" | "drop_off.delivered" | "drop_off.failed" | "delivered" | "delivery.failed" | "canceled" | "delivery.updated" | "delivery.ready" | "delivery.delayed" | "delivery.search_delayed" | "delivery.refunded" | null;
  /** Whether a try is due, or how the attempt ended */
  state: "due" | "succeeded" | "failed";
  /** The number of tries that have a result, at most 10 */
  tries: number;
  /** When the next try is due, UTC; null if the attempt has ended */
  next_at: string | null;
  /** The last 20 tries, oldest first */
  log: ({
    /** When the try was made, UTC */
    at: string;
    /** The HTTP status that the receiver answered; null without an answer */
    status: number | null;
    /** How long the try took, ms */
    took_ms: number;
    /** Why the try failed; null for a success */
    error: string | null;
    /** The start of the answer, at most 1 KiB */
    response: string | null;
  })[];
};

export type ReplayWebhookBody = {
  /** One event, which is sent again even if it was received */
  event_id?: string | undefined;
  /** Sends again what has failed or was never sent since this time, UTC, at most 30 days ago */
  since?: string | undefined;
};

export type WebhookReplay = {
  /** The kind of object */
  object: "webhook_replay";
  /** The number of attempts that became due */
  due: number;
  /** The `since` with which to go on, UTC; null if all events were looked at */
  next_since: string | null;
};

export type ListEventsQuery = {
  /** Items on a page */
  limit?: number | undefined;
  /** `next_cursor` of the previous page */
  cursor?: string | undefined;
  /** Lists only events of this type */
  type?: "delivery.created" | "delivery.searching" | "courier.assigned" | "courier.unassigned" | "courier.arrived_pickup" | "picked_up" | "in_transit" | "courier.arrived_drop_off" | "drop_off.delivered" | "drop_off.failed" | "delivered" | "delivery.failed" | "canceled" | "delivery.updated" | "delivery.ready" | "delivery.delayed" | "delivery.search_delayed" | "delivery.refunded" | undefined;
  /** Lists only events of this delivery */
  delivery_id?: string | undefined;
  /** Half-open range of the time of the event, from/to, at most 92 days. Dates begin at midnight in the time zone of the vendor, or of UTC if the request is about no single vendor */
  date_range?: string | undefined;
};

export type RequestOtpBody = {
  /** Phone number in E.164, such as `+4930123456`. Spaces and dashes are removed. */
  phone: string;
};

export type OneTimeCode = {
  /** Kind of the object. */
  object: "one_time_code";
  /** Lifetime in whole seconds. */
  expires_in: number;
};

export type CreateTokenBody = {
  /** Credential that is exchanged for tokens. */
  grant_type: "otp";
  /** Phone number in E.164, such as `+4930123456`. Spaces and dashes are removed. */
  phone: string;
  /** Code for programs. */
  code: string;
} | {
  /** Credential that is exchanged for tokens. */
  grant_type: "password";
  /** Email address, at most 254 characters. */
  email: string;
  /** Password, 1 to 256 characters. */
  password: string;
} | {
  /** Credential that is exchanged for tokens. */
  grant_type: "refresh_token";
  /** Long-lived token for the next `POST /auth/token`. It works once. */
  refresh_token: string;
};

export type Token = {
  /** Kind of the object. */
  object: "token";
  /** How to send the access token: `Authorization: Bearer …`. */
  token_type: "Bearer";
  /** Bearer token for requests and sockets. */
  access_token: string;
  /** Long-lived token for the next `POST /auth/token`. It works once. */
  refresh_token: string;
  /** Lifetime of the access token in seconds */
  expires_in: number;
  /** Id of the courier. */
  courier_id?: string;
  /** Id of the member of staff. Present if staff logged in. */
  staff_id?: string;
  /** The roles of the member of staff, which decide what they may do. Present if staff logged in */
  roles?: ("dispatcher" | "support" | "finance" | "admin")[];
};

export type Session = {
  /** The id of the session */
  id: string;
  /** The kind of object */
  object: "session";
  /** True for the session of the token that asks */
  is_current: boolean;
  /** The program that logged in, from its `User-Agent`, at most 200 characters */
  device: string | null;
  /** The network of the login: an IPv4 address, or the first 64 bits of IPv6; null for an old session */
  network: string | null;
  /** When the login was, UTC; null for an old session */
  created_at: string | null;
  /** When its refresh token was last used, UTC */
  last_used_at: string;
  /** When the session ends if its refresh token is not used, UTC */
  expires_at: string;
};

export type EndSessionsQuery = {
  /** False ends the session of the token that asks as well */
  keep_current?: "true" | "false" | undefined;
};

export type EndedSessions = {
  /** The kind of object */
  object: "ended_sessions";
  /** The number of sessions that were ended */
  ended: number;
};

export type AddStaffBody = {
  /** The e-mail address with which they log in, at most 254 characters */
  email: string;
  /** The roles, which decide what they may do */
  roles: readonly ("dispatcher" | "support" | "finance" | "admin")[];
  /** The first password, 12 to 256 characters. Without it the answer contains a random one */
  password?: string | undefined;
};

export type ChangeStaffRolesBody = {
  /** The roles, in place of all earlier ones */
  roles: readonly ("dispatcher" | "support" | "finance" | "admin")[];
};

export type ResetStaffPasswordBody = {
  /** The new password, 12 to 256 characters. Without it the answer contains a random one */
  password?: string | undefined;
};

export type ChangeOwnPasswordBody = {
  /** The present password, 1 to 256 characters */
  current_password: string;
  /** The new password, 12 to 256 characters */
  new_password: string;
};

export type ListAuditEntriesQuery = {
  /** Items on a page */
  limit?: number | undefined;
  /** `next_cursor` of the previous page */
  cursor?: string | undefined;
  /** The id of the actor: a member of staff, an API key, or the name of a service or operator */
  actor?: string | undefined;
  /** The action */
  action?: "delivery.change" | "delivery.prove" | "test.advance" | "delivery.refund" | "dispute.raise" | "dispute.review" | "dispute.decide" | "dispute.withdraw" | "courier.onboard" | "courier.update" | "courier.state" | "document.add" | "document.review" | "document.decide" | "document.expire" | "bank_account.set" | "courier.availability" | "device.remove" | "api_key.create" | "api_key.rotate" | "api_key.revoke" | "webhook.register" | "webhook.change" | "webhook.rotate_secret" | "webhook.remove" | "webhook.replay" | "session.end" | "staff.add" | "staff.roles" | "staff.reset" | "staff.password" | "staff.remove" | "vendor.add" | "vendor.update" | "vendor.hours" | "location.add" | "location.update" | "location.hours" | "location.readiness" | "zone.add" | "zone.update" | "zone.remove" | "pricing_rule.add" | "pricing_rule.update" | "pricing_rule.end" | "payout.process" | "payout.approve" | "payout.resolve" | "top_up.refund" | "top_up_refund.resolve" | "suspense.decide" | "suspense.approve" | "adjustment.request" | "adjustment.decide" | "settlement.approve" | "service_token.issue" | "wallet.freeze" | "wallet.adjust" | "earnings.adjust" | "demo.remove" | "analytics.rebuild" | undefined;
  /** The id of the object */
  object?: string | undefined;
  /** Half-open range of the time of the action, from/to, at most 92 days. Dates begin at midnight in the time zone of the vendor, or of UTC if the request is about no single vendor */
  date_range?: string | undefined;
};

export type AuditEntry = {
  /** The id of the entry */
  id: string;
  /** The kind of object */
  object: "audit_entry";
  /** When it was done, UTC */
  at: string;
  /** The person or program that did it */
  actor: {
    /** The kind of actor */
    type: "staff" | "vendor" | "courier" | "internal" | "operator" | "system";
    /** The account, the API key, the service or the operator. A vendor does not see the ids of staff */
    id?: string;
  };
  /** The action */
  action: "delivery.change" | "delivery.prove" | "test.advance" | "delivery.refund" | "dispute.raise" | "dispute.review" | "dispute.decide" | "dispute.withdraw" | "courier.onboard" | "courier.update" | "courier.state" | "document.add" | "document.review" | "document.decide" | "document.expire" | "bank_account.set" | "courier.availability" | "device.remove" | "api_key.create" | "api_key.rotate" | "api_key.revoke" | "webhook.register" | "webhook.change" | "webhook.rotate_secret" | "webhook.remove" | "webhook.replay" | "session.end" | "staff.add" | "staff.roles" | "staff.reset" | "staff.password" | "staff.remove" | "vendor.add" | "vendor.update" | "vendor.hours" | "location.add" | "location.update" | "location.hours" | "location.readiness" | "zone.add" | "zone.update" | "zone.remove" | "pricing_rule.add" | "pricing_rule.update" | "pricing_rule.end" | "payout.process" | "payout.approve" | "payout.resolve" | "top_up.refund" | "top_up_refund.resolve" | "suspense.decide" | "suspense.approve" | "adjustment.request" | "adjustment.decide" | "settlement.approve" | "service_token.issue" | "wallet.freeze" | "wallet.adjust" | "earnings.adjust" | "demo.remove" | "analytics.rebuild";
  /** The id of the object */
  object_id: string;
  /** The vendor that it concerns; null for none */
  vendor_id: string | null;
  /** The mode that it concerns; null for both */
  live_mode: boolean | null;
  /** The changed fields with their values before and after. It never contains a secret */
  changes: Record<string, {
      /** State of the delivery before the event. Null if the event created it. */
      from: string | number | boolean | string[] | null;
      /** State of the delivery after the event. */
      to: string | number | boolean | string[] | null;
    }>;
  /** The request; null for a socket or the command line */
  request_id: string | null;
  /** The network of the request: an IPv4 address, or the first 64 bits of IPv6. Vendors see only their own */
  network: string | null;
};

export type GetHealthAnswer = {
  /** Present state. */
  status: "ok";
  /** Time of the service clock, milliseconds since 1970. */
  now: number;
  /** How many times faster than real time the service clock runs. 1 outside simulations. */
  clock_scale: number;
};

export type GetReadinessAnswer = {
  /** Present state. */
  status: "ready";
};
