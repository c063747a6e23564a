// `npm run docs` generates this file from the schemas of the server and overwrites all changes. // one table
import type { CourierDelivery, Delivery } from './types.ts';

export type EventType = 'delivery.created' | 'delivery.searching' | 'courier.assigned' | 'courier.unassigned' | 'courier.arrived_pickup' | 'picked_up' | 'in_transit' | 'courier.arrived_drop_off' | 'drop_off.delivered' | 'drop_off.failed' | 'delivered' | 'delivery.failed' | 'canceled' | 'delivery.updated' | 'delivery.ready' | 'delivery.delayed' | 'delivery.search_delayed' | 'delivery.refunded';

export type SocketEvent = {
  id: string;
  object: "event";
  api_version: string;
  created_at: string;
  live_mode: boolean;
  sequence: number;
  delivery_id: string;
  external_id?: string;
  vendor_id?: string;
  data: {
    from?: "scheduled" | "searching" | "assigned" | "picked_up" | "in_transit" | "delivered" | "canceled" | "failed" | null;
    to?: "scheduled" | "searching" | "assigned" | "picked_up" | "in_transit" | "delivered" | "canceled" | "failed";
    stage?: string | null;
    stop?: number;
    actor?: {
      type: "vendor" | "staff" | "internal" | "courier" | "system";
      id?: string;
    };
    reason?: string;
    /** Why the courier or the dispatcher acted although a rule would have refused it; recipients do not see it */
    override_reason?: string;
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
    courier?: {
      id?: string;
      first_name: string;
      vehicle_type: "bicycle" | "scooter" | "motorcycle" | "car" | "van";
    };
    delivery?: Delivery;
  };
  type: EventType;
};

export type Fix = readonly [number, number, number | null, number | null, number | null, number | null, number | null];

export type PingAnswer = {
  /** The sequence number up to which the server has all fixes. The phone continues after it */
  seq: number;
  accepted: number;
  dropped: number;
  /** Why the server dropped the first of the dropped fixes; absent if it dropped none. `out_of_range`: the place does not exist, or is 0, 0. Swapped latitude and longitude can give this reason. `from_the_future`: the time of the fix is over 5 s ahead of the server. `too_old`: the fix is over 30 min old. A time in seconds gives this reason. `out_of_order`: the number or the time of the fix is not higher than that of an earlier one. `inaccurate`: the accuracy is worse than 100 m. `suspect`: the fix makes a jump that no vehicle can make, as swapped coordinates can. `too_many`: the message came too soon after the one before */
  reason?: "out_of_range" | "from_the_future" | "too_old" | "out_of_order" | "inaccurate" | "suspect" | "too_many";
  /** Wait this long before the next batch; service time */
  slow_down_ms?: number;
};

export type Offer = {
  offer_id: string;
  delivery_id: string;
  /** The courier can answer until then, by the clock of the server */
  expires_at: string;
  /** The clock of the server when it wrote this. The app counts down from the difference */
  server_time: string;
  /** The business that sends the goods */
  vendor_name: string | null;
  pickup: {
    /** The number of the stop in the delivery; 0 is the pickup */
    stop: number;
    /** WGS84 degrees */
    coordinates: {
      lat: number;
      lng: number;
    };
    address: string | {
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
    } | null;
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
      lat: number;
      lng: number;
    };
    address: string | {
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
    } | null;
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

export type OfferWithdrawn = {
  offer_id: string;
  /** Why the offer is gone. `taken`: another courier has the delivery. `canceled`: the delivery was canceled. `assigned_by_hand`: a dispatcher assigned the delivery, or another delivery to this courier. `courier_offline`: this courier went offline. `wrong_vehicle`: the goods do not fit the present vehicle of this courier. `search_ended`: the search ended without a courier. `delayed`: the goods will be ready much later, and the delivery may be offered again. `better_match`: another courier is a much better match. `expired`: the courier did not answer in time */
  reason: "taken" | "canceled" | "assigned_by_hand" | "courier_offline" | "wrong_vehicle" | "search_ended" | "delayed" | "better_match" | "expired";
};

export type CourierHint = {
  /** H3 cell of resolution 7 */
  cell: string;
  /** The middle of the cell */
  coordinates: {
    lat: number;
    lng: number;
  };
  /** As the crow flies */
  distance_m: number;
  /** Orders that wait there or are expected before the hint ends */
  expected_orders: number;
  /** End of the hint. The courier need not follow it, and there is no message when it ends */
  expires_at: string;
};

export type Positions = {
  at: number;
  items: ([string | null, string | null, number, number, number, number, number])[];
};

export type CourierSnapshot = {
  delivery_id: string;
  sequence: number;
  delivery: CourierDelivery;
};

export type VendorSnapshot = {
  delivery_id: string;
  sequence: number;
  delivery: Delivery;
};

export type TrackSnapshot = {
  delivery_id: string;
  sequence: number;
  delivery: {
    /** `return` if goods that were not handed over go back to the pickup */
    kind: "delivery" | "return";
    status: "scheduled" | "searching" | "assigned" | "picked_up" | "in_transit" | "delivered" | "canceled" | "failed";
    stage: "en_route_to_pickup" | "arrived_at_pickup" | "en_route_to_drop_off" | "arrived_at_drop_off" | "offering" | null;
    sequence: number;
    vendor: {
      name: string;
      accent: string;
      /** Changes with each new logo, which `GET /t/{token}/logo` sends; null for none */
      logo: string | null;
    };
    courier: {
      first_name: string;
      vehicle_type: string;
    } | null;
    pickup: {
      lat: number;
      lng: number;
    };
    drop_off: {
      lat: number;
      lng: number;
      instructions: string | null;
    };
    /** The way along streets to this drop-off, as an encoded polyline with six decimals. Absent while other stops come first, if the distance is an estimate, and if the place was corrected. After another drop-off it begins at its first point more than 200 m away from that */
    polyline?: string;
    /** Open stops that are visited before this one. 0 if it is next; only then the page shows the courier */
    stops_before: number;
    /** The PIN that the recipient tells the courier. Null if none is required, and after the end */
    pin: string | null;
    /** Arrival at this drop-off. Null after the end, and while it is not known: the courier has not been heard of for so long that they count as lost, or are long overdue, or the search takes so long that it has an alarm */
    eta: {
      at: string;
      lower_at: string;
      upper_at: string;
    } | null;
    steps: {
      ordered_at: string;
      assigned_at: string | null;
      picked_up_at: string | null;
      in_transit_at: string | null;
      ended_at: string | null;
    };
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
    clock: {
      now: number;
      scale: number;
    };
  };
};

/** What a courier does, with the body of each message. */
export type CourierActions = {
  'offer.accept': {
    /** Why the courier declines; at most 280 characters. `offer.accept` ignores it */
    reason?: string | undefined;
    offer_id: string;
  };
  'offer.decline': {
    /** Why the courier declines; at most 280 characters. `offer.accept` ignores it */
    reason?: string | undefined;
    offer_id: string;
  };
  'stop.arrive': {
    /** Why the action is right although the courier is away from the stop; at most 280 characters */
    override_reason?: string | undefined;
    /** When the courier was assigned, as the delivery shows it. A retry with this field changes nothing of a later assignment */
    assigned_at?: string | undefined;
    delivery_id: string;
    stop: number;
  };
  'delivery.pick_up': {
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
    delivery_id: string;
  };
  'delivery.depart': {
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
    delivery_id: string;
  };
  'delivery.deliver': {
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
    delivery_id: string;
    stop: number;
  };
  'delivery.fail': {
    /** Why the drop-off cannot be served. `customer_unavailable`: nobody is there or answers. `customer_refused`: the recipient does not take the goods. `address_not_found`: the courier cannot find the place. `access_denied`: the courier cannot get in, or the place is closed. `damaged`: the goods are damaged. `lost`: the goods are lost. `unsafe`: the place is not safe for the courier. `id_check_failed`: the recipient cannot prove their identity or age. `pin_failed`: the recipient does not know the PIN */
    reason: "customer_unavailable" | "customer_refused" | "address_not_found" | "access_denied" | "damaged" | "lost" | "unsafe" | "id_check_failed" | "pin_failed";
    /** Why the action is right although the courier is away from the stop; at most 280 characters */
    override_reason?: string | undefined;
    /** When the courier was assigned, as the delivery shows it. A retry with this field changes nothing of a later assignment */
    assigned_at?: string | undefined;
    /** Tries to reach the recipient since the pickup. A courier needs two that are at least one minute apart */
    contact_tries?: readonly ({
      /** When the courier tried, RFC 3339 with a zone */
      at: string;
      channel: "call" | "message";
    })[] | undefined;
    delivery_id: string;
    stop: number;
  };
  'delivery.release': {
    /** Why the courier loses the delivery; at most 280 characters */
    reason: string;
    /** When the courier was assigned, as the delivery shows it. A retry with this field changes nothing of a later assignment */
    assigned_at?: string | undefined;
    delivery_id: string;
  };
};
