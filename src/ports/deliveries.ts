/** Deliveries, quotes, events and tracking links, as stored. */
import type { Caller } from '../domain/access.ts';
import type { Carried } from '../domain/deliveries/carried.ts';
import type { Channel, Delivery, TrackingLink } from '../domain/deliveries/delivery.ts';
import type { Duty } from '../domain/deliveries/due.ts';
import type { DomainEvent, EventType } from '../domain/deliveries/events.ts';
import type { Quote, SubsidizedQuote } from '../domain/deliveries/quote.ts';
import type { State } from '../domain/deliveries/states.ts';
import type { CourierId, DeliveryId, EventId, LinkId, QuoteId, VendorId } from '../domain/ids.ts';
import type { Page, PageRequest } from './pages.ts';
import type { Claim } from './changes.ts';
import type { Stop } from './process.ts';

export type DeliveryFilter = {
  readonly vendorId?: VendorId;
  readonly liveMode?: boolean;
  readonly channel?: Channel;
  readonly states?: readonly State[];
  readonly createdFrom?: number;
  readonly createdTo?: number;
  readonly externalId?: string;
  /** The vendor order that the delivery was dispatched for. */
  readonly orderId?: string;
  /** The courier to whom the delivery is or was assigned at its end. */
  readonly courierId?: CourierId;
  readonly search?: string;
};

export type LongSearched = { readonly countingSince: number; readonly liveMode?: boolean };

/** The owner of the deliveries; a missing field means all. */
export type OpenOwner = Pick<DeliveryFilter, 'vendorId' | 'liveMode'>;

/** A delivery and its due time; null if it was stored without one. */
export type DueDelivery = { readonly delivery: Delivery; readonly dueAt: number | null };

export type DeliveryStore = {
  /** Refuses `delivery_not_found` if the delivery is absent. */
  get(id: DeliveryId): Promise<Delivery>;
  find(id: DeliveryId): Promise<Delivery | null>;
  findMany(ids: readonly DeliveryId[]): Promise<readonly Delivery[]>;
  findByLink(tokenHash: string): Promise<Delivery | null>;
  /**
   * Reads fewer than 5 × limit + 20 deliveries. A search by states, by a channel, by several words or by five to seven
   * digits may return a page that is not full. So may a list of a courier's deliveries with another filter than
   * their vendor. Even such a page may have a next one.
   */
  list(filter: DeliveryFilter, page: PageRequest): Promise<Page<Delivery>>;
  /** Open deliveries whose search has started, the longest counted first; at most `limit` of each mode. */
  listSearching(region: string, limit: number): Promise<readonly Delivery[]>;
  /** Deliveries whose search counts from this time or earlier; the longest first. */
  listLongSearched(filter: LongSearched, page: PageRequest): Promise<Page<Delivery>>;
  /** Regions in which a search is on. */
  regionsSearching(): Promise<readonly string[]>;
  /** Open deliveries that this duty must look at now, longest due first. */
  listDue(duty: Duty, limit: number): Promise<readonly DueDelivery[]>;
  /**
   * Records that the duty has looked. The delivery is due again at `nextAt`, or with its next change if null. Does
   * nothing if the delivery was written in the meantime, because that write set a new due time.
   */
  putOff(duty: Duty, due: DueDelivery, nextAt: number | null): Promise<void>;
  /**
   * Open deliveries on which a robo-courier must act: at most `limit` that one carries, the oldest first, and as many
   * whose search has begun, the first begun first. Those that no robo-courier is to accept are left out.
   */
  listRobo(limit: number): Promise<readonly Delivery[]>;
  /** When the next search begins of a delivery that a robo-courier is to accept, service time in ms; null for none. */
  nextRoboAt(): Promise<number | null>;
  /** Deliveries changed since then, the last changed first. The beacon reads it. */
  listChangedSince(since: number, limit: number): Promise<readonly Delivery[]>;
  /** The open deliveries among them, of this vendor and mode. A new connection receives them. */
  listOpenSince(since: number, owner: OpenOwner, limit: number): Promise<readonly Delivery[]>;
};

/** The carried deliveries, in this process's memory, as the last received events left them. */
export type CarriedDeliveries = {
  /** Null if the delivery has no courier. */
  get(id: DeliveryId): Carried | null;
  all(): Iterable<Carried>;
  /** The deliveries that this courier has, in no order; empty if none. */
  of(courierId: CourierId): readonly Carried[];
  /** Calls the listener with a delivery before and after each change. Null stands for a delivery without a courier. */
  onChange(listener: (before: Carried | null, after: Carried | null) => void): Stop;
};

/** Quotes. The commit that uses a quote claims it, so each is used once. */
export type QuoteStore = {
  /** Stores the quote and returns it. If a quote with this id is stored, it stays, and is returned. */
  add(quote: Quote): Promise<Quote>;
  /** Refuses `quote_not_found`, also for a quote of another vendor or mode. */
  get(id: QuoteId, vendorId: VendorId, liveMode: boolean): Promise<Quote>;
  /**
   * Stores the subsidy of the quote and its shares, with a claim on the fact that settles it. If somebody has claimed that
   * before, nothing changes, and their claim is returned.
   */
  subsidize(quote: SubsidizedQuote): Promise<Claim | null>;
};

/** The lines along streets of a delivery's legs, in the order of visits. The commit of its birth stores them. */
export type PolylineStore = {
  /** Encoded lines. Empty if the delivery had no route, if an earlier version made it, or if they are no longer kept. */
  list(id: DeliveryId): Promise<readonly string[]>;
};

/** Filters of a vendor's events. `from` and `to` are service time in ms, half-open. */
export type EventFilter = {
  readonly vendorId: VendorId;
  readonly liveMode: boolean;
  readonly type?: EventType;
  readonly deliveryId?: DeliveryId;
  readonly from?: number;
  readonly to?: number;
};

export type EventLog = {
  /** An event of this vendor and mode. */
  findOwn(owner: Pick<EventFilter, 'vendorId' | 'liveMode'>, id: EventId): Promise<DomainEvent | null>;
  /** Events of this vendor and mode, newest first. A page with `type` may be short and still have a next one. */
  listOwn(filter: EventFilter, page: PageRequest): Promise<Page<DomainEvent>>;
  /** Follows the log from now on. `onGap` says that events may be missing; then read again by sequence. */
  follow(listener: (event: DomainEvent) => void, onGap: () => void): Promise<Stop>;
  /** Events of a delivery with a sequence above `after`, ascending. */
  list(deliveryId: DeliveryId, after: number, limit: number): Promise<readonly DomainEvent[]>;
};

/** Tracking links. The token is derived from the link's id, and only its hash is stored. */
export type Links = {
  /** New links for drop-offs 1 to `count`. */
  make(count: number): readonly TrackingLink[];
  tokenOf(id: LinkId): string;
  hash(token: string): string;
  /** The recipient of a token. Refuses 404 if the token is unknown and 410 if the link has ended. */
  open(token: string): Promise<{ delivery: Delivery; caller: Extract<Caller, { type: 'recipient' }> }>;
};

/** Members of the context that this file describes. */
export type DeliveryPorts = {
  readonly deliveries: DeliveryStore;
  readonly carried: CarriedDeliveries;
  readonly quotes: QuoteStore;
  readonly polylines: PolylineStore;
  readonly eventLog: EventLog;
  readonly links: Links;
};
