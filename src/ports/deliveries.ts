/** Deliveries, quotes, events and tracking links, as stored. */
import type { Caller } from '../domain/access.ts';
import type { Channel, Delivery, TrackingLink } from '../domain/deliveries/delivery.ts';
import type { Duty } from '../domain/deliveries/due.ts';
import type { DomainEvent } from '../domain/deliveries/events.ts';
import type { Quote } from '../domain/deliveries/quote.ts';
import type { State } from '../domain/deliveries/states.ts';
import type { DeliveryId, LinkId, QuoteId, VendorId } from '../domain/ids.ts';
import type { Page, PageRequest } from './pages.ts';
import type { Stop } from './process.ts';

export type DeliveryFilter = {
  readonly vendorId?: VendorId;
  readonly liveMode?: boolean;
  readonly channel?: Channel;
  readonly states?: readonly State[];
  readonly createdFrom?: number;
  readonly createdTo?: number;
  readonly search?: string;
};

export type LongSearched = { readonly countingSince: number; readonly liveMode?: boolean };

/** Whose deliveries; what is left out means all. */
export type OpenOwner = Pick<DeliveryFilter, 'vendorId' | 'liveMode'>;

/** A delivery and when it was due; null when it was stored without a due time. */
export type DueDelivery = { readonly delivery: Delivery; readonly dueAt: number | null };

export type DeliveryStore = {
  /** Refuses `delivery_not_found` when absent. */
  get(id: DeliveryId): Promise<Delivery>;
  find(id: DeliveryId): Promise<Delivery | null>;
  findMany(ids: readonly DeliveryId[]): Promise<readonly Delivery[]>;
  findByLink(tokenHash: string): Promise<Delivery | null>;
  /**
   * Reads fewer than 5 × limit + 20 deliveries. A search that is narrowed by states or a channel, or that names five to seven
   * digits, may give a page with fewer than it has place for, and still a next one.
   */
  list(filter: DeliveryFilter, page: PageRequest): Promise<Page<Delivery>>;
  /** Open deliveries whose search has begun, those that count longest first, and no more than the limit of either mode. */
  listSearching(region: string, limit: number): Promise<readonly Delivery[]>;
  /** Deliveries searched for whose search counts from then or before; the longest first. */
  listLongSearched(filter: LongSearched, page: PageRequest): Promise<Page<Delivery>>;
  /** Regions in which a delivery is being searched for. */
  regionsSearching(): Promise<readonly string[]>;
  /** Deliveries that couriers hold, by id, on from the id `after`. */
  listHeld(limit: number, after: DeliveryId | null): Promise<readonly Delivery[]>;
  /** Open deliveries that this duty must look at now, those due longest first. */
  listDue(duty: Duty, limit: number): Promise<readonly DueDelivery[]>;
  /**
   * Takes note that the duty has looked: the delivery is due again at `nextAt`, or with its next change when null. Does
   * nothing when the delivery was written meanwhile and its due time with it.
   */
  putOff(duty: Duty, due: DueDelivery, nextAt: number | null): Promise<void>;
  /** Open deliveries whose robo-courier must be moved. */
  listRobo(limit: number): Promise<readonly Delivery[]>;
  /** Deliveries changed since, the last changed first: the beacon reads it. */
  listChangedSince(since: number, limit: number): Promise<readonly Delivery[]>;
  /** The open ones among them, of this vendor and mode: who joins is shown them. */
  listOpenSince(since: number, owner: OpenOwner, limit: number): Promise<readonly Delivery[]>;
};

/** Quotes; that a quote is used once is a claim in the commit that uses it. */
export type QuoteStore = {
  add(quote: Quote): Promise<void>;
  /** Refuses `quote_not_found`, also for another vendor's or mode's. */
  get(id: QuoteId, vendorId: VendorId, liveMode: boolean): Promise<Quote>;
};

export type EventLog = {
  /** Follows the log from now on. `onGap` says that events may have been missed: resync by sequence. */
  follow(listener: (event: DomainEvent) => void, onGap: () => void): Promise<Stop>;
  /** Events of a delivery with a sequence above `after`, ascending. */
  list(deliveryId: DeliveryId, after: number, limit: number): Promise<readonly DomainEvent[]>;
};

/** Tracking links: the token is derived from the link's id, only its hash is stored. */
export type Links = {
  /** New links for drop-offs 1 to `count`. */
  make(count: number): readonly TrackingLink[];
  tokenOf(id: LinkId): string;
  hash(token: string): string;
  /** The recipient that a token stands for; refuses 404 when unknown, 410 when its time is over. */
  open(token: string): Promise<{ delivery: Delivery; caller: Extract<Caller, { type: 'recipient' }> }>;
};
