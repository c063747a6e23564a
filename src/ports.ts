// one table: every interface between the folders, in one place
/* oxlint-disable max-lines */
/**
 * Every interface between the folders; types only. A use case takes `Pick<Context, …>`, so its signature shows what it
 * can touch. Times are service time in epoch ms unless the name says otherwise.
 */
import type { IncomingMessage } from 'node:http';
import type { AcceptanceRecord } from './domain/offers/acceptance.ts';
import type { Caller, CredentialId, StaffRole } from './domain/access.ts';
import type { Alarm, AlarmKind } from './domain/alarm.ts';
import type { Availability, Courier, CourierState, VehicleType } from './domain/couriers/courier.ts';
import type { DecisionRow, RunRecord } from './domain/offers/decision.ts';
import type { Channel, Delivery, TrackingLink } from './domain/deliveries/delivery.ts';
import type { Duty } from './domain/deliveries/due.ts';
import type { DomainEvent } from './domain/deliveries/events.ts';
import type { Coordinates } from './domain/geo/geo.ts';
import type { Hint } from './domain/surge/hint.ts';
import type {
  AttemptId,
  CourierId,
  DeliveryId,
  EventId,
  KeyId,
  LinkId,
  LocationId,
  OfferId,
  QuoteId,
  RegistrationId,
  StaffId,
  VendorId,
} from './domain/ids.ts';
import type { Offer, OfferState, OfferTries } from './domain/offers/offer.ts';
import type { Position } from './domain/couriers/position.ts';
import type { Learned, PreparationKey, PreparationSample } from './domain/learning/preparation.ts';
import type { Quote } from './domain/deliveries/quote.ts';
import type { State } from './domain/deliveries/states.ts';
import type { SurgeCell } from './domain/surge/surge.ts';
import type { Speeds } from './domain/couriers/start.ts';
import type { LegSample } from './domain/learning/travel.ts';
import type { Vendor, VendorLocation } from './domain/vendor.ts';
import type { Settings } from './settings.ts';

export type Stop = () => void;

/** Two kinds of time. Service time may run faster than the machine's; `real` is machine time. All values are ms. */
export type Clock = {
  /** How many times faster service time runs. */
  readonly scale: number;
  now(): number;
  sleep(ms: number): Promise<void>;
  every(ms: number, task: () => void): Stop;
  readonly real: {
    /** Epoch ms. For stored instants such as the end of a session; a span between two instants needs `elapsed`. */
    now(): number;
    /** The monotonic clock of this process, for every span. Another process cannot use the value. */
    elapsed(): number;
    /** The database's wall clock in epoch ms, which may jump. Only for timestamps that other systems check. */
    wall(): number;
    sleep(ms: number): Promise<void>;
    every(ms: number, task: () => void): Stop;
    after(ms: number, task: () => void): Stop;
  };
};

export type Log = {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
  /** Who changed what by right of a role; written whatever the level. */
  audit(fields: object, message: string): void;
};

/** Counters and timings by name; the names and their help are one list in `metrics.ts`. */
export type Metrics = {
  count(name: string, labels?: Record<string, string>, by?: number): void;
  observe(name: string, seconds: number, labels?: Record<string, string>): void;
  /** Null: what the label values name is gone, or nobody here knows its value any more. */
  gauge(name: string, value: number | null, labels?: Record<string, string>): void;
  text(): Promise<string>;
};

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

/** A page of a list, newest first where nothing else is said; `next` goes on after the last item, null at the end. */
export type Page<T> = { readonly items: readonly T[]; readonly next: PageMark | null };
export type PageMark = { readonly at: number; readonly id: string };
export type PageRequest = { readonly limit: number; readonly after: PageMark | null };

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

export type CourierStore = {
  get(id: CourierId): Promise<Courier>;
  find(id: CourierId): Promise<Courier | null>;
  findMany(ids: readonly CourierId[]): Promise<readonly Courier[]>;
  findByPhone(phone: string, liveMode: boolean): Promise<Courier | null>;
  /** Adds a courier; false when the phone is taken in this mode. */
  add(courier: Courier): Promise<boolean>;
  /** Both conditional on the version; null when stale. Who is no longer active goes offline with it. */
  setState(id: CourierId, version: number, state: CourierState): Promise<Courier | null>;
  setAvailability(id: CourierId, version: number, availability: Availability, at: number): Promise<Courier | null>;
  listOnline(ids: readonly CourierId[]): Promise<readonly Courier[]>;
};

/** What couriers are told apart by before anybody looks at them. */
export type CourierKind = Pick<Courier, 'liveMode' | 'kind' | 'vehicleType'>;

/**
 * The couriers who are online, in this process's memory: a little old at worst, so what is planned with it may fail when
 * it is written, which is where it is decided.
 */
export type Roster = {
  /** Brings it up to date. What this process wrote before the call is known after it, as is what others told meanwhile. */
  refresh(): Promise<void>;
  /** A courier who is online, as last read; null for any other. */
  find(id: CourierId): Courier | null;
  /** Who of them holds the delivery. */
  holderOf(id: DeliveryId): CourierId | null;
  /** All of them of this mode, kind and vehicle. */
  ofKind(kind: CourierKind): ReadonlySet<CourierId>;
};

export type VendorStore = {
  get(id: VendorId): Promise<Vendor>;
  find(id: VendorId): Promise<Vendor | null>;
  add(vendor: Vendor): Promise<void>;
  findLocation(id: LocationId): Promise<VendorLocation | null>;
  addLocation(location: VendorLocation): Promise<void>;
};

/** Quotes; that a quote is used once is a claim in the commit that uses it. */
export type QuoteStore = {
  add(quote: Quote): Promise<void>;
  /** Refuses `quote_not_found`, also for another vendor's or mode's. */
  get(id: QuoteId, vendorId: VendorId, liveMode: boolean): Promise<Quote>;
};

export type ClaimStore = { find(fact: string): Promise<Claim | null> };

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

export type AlarmStore = {
  /** Opens an alarm; null when the same one is open already. */
  raise(alarm: Alarm): Promise<Alarm | null>;
  /** Closes alarms of a delivery; all kinds when none is named. Gives the closed ones. */
  clear(deliveryId: DeliveryId, kind?: AlarmKind): Promise<readonly Alarm[]>;
  /** Open alarms, newest first. */
  listOpen(page: PageRequest): Promise<Page<Alarm>>;
  /** The open alarms of this kind of these deliveries; one read for all. */
  findOpen(kind: AlarmKind, deliveryIds: readonly DeliveryId[]): Promise<readonly Alarm[]>;
};

/** How long the goods of a place take, learned from pickups. */
export type PreparationStore = {
  /** What was learned for each of these keys, in their order; one read for all. */
  findMany(keys: readonly PreparationKey[]): Promise<readonly Learned[]>;
  /** Adds samples to their hour, their place and their vendor. */
  record(samples: readonly PreparationSample[], rule: LearningRule): Promise<void>;
};

/** Which quantile is kept at hand, and how many samples are remembered. */
export type LearningRule = { readonly quantile: number; readonly memory: number };

/** How often couriers accept what they are offered. */
export type AcceptanceStore = {
  /** The records of these couriers, at most a minute old; those without one are left out. One read for all. */
  estimates(courierIds: readonly CourierId[]): Promise<ReadonlyMap<CourierId, AcceptanceRecord>>;
  /**
   * Takes note of a closed offer that says something of its courier, once however often it is told. Does not wait for
   * the store and never throws: an answer that gets lost makes the estimate no worse than it was.
   */
  record(closed: Offer): void;
};

/** What the matcher decided, and from what, kept for a while. */
export type DecisionStore = {
  /** Keeps a run. Does not wait for the store and never throws: of runs that cannot be written some are dropped. */
  record(run: RunRecord): void;
  /** What was decided about a delivery, newest first. */
  list(deliveryId: DeliveryId, page: PageRequest): Promise<Page<DecisionRow>>;
};

/** A way that a courier may be sent: from where he is or will be, to a stop. */
export type TravelPair = { readonly from: Coordinates; readonly to: Coordinates; readonly vehicle: VehicleType };

/**
 * How long ways take, from the memory of this process: nothing here waits, and what is not known yet is fetched for the
 * next time.
 */
export type TravelTimes = Speeds & {
  /** False: there is no routing server, so that `legs` knows none and `wanted` does nothing. */
  readonly hasRouter: boolean;
  /** Seconds that a routing server told lately, in the order of the pairs; NaN where it told none. */
  legs(pairs: readonly TravelPair[]): Float64Array;
  /** Asks for those of the pairs that `legs` does not know, the first ones first, and before what was wanted earlier. */
  wanted(pairs: readonly TravelPair[]): void;
  /** Learns from legs. One that is lost or told twice does no harm. */
  record(samples: readonly LegSample[]): Promise<void>;
};

/** Demand over supply per cell, by the last count of each region; all of it as it is now, faded when nobody counts. */
export type SurgeMap = {
  /** Puts the cells in place of all that was known of the region. Refuses `busy` when the store is away. */
  publish(region: string, cells: readonly SurgeCell[]): Promise<void>;
  /** The cell in which a place counts. Calm, with a surge of 1, when nothing is known or the store is away: never fails. */
  at(place: Coordinates, liveMode: boolean): Promise<SurgeCell>;
  /** All that is known of these regions. Refuses `busy` when the store is away. */
  list(regions: readonly string[]): Promise<readonly SurgeCell[]>;
  /** What is known of these cells, in both modes; calm ones may be left out. Refuses `busy` when the store is away. */
  listIn(cells: readonly string[]): Promise<readonly SurgeCell[]>;
};

/** Whose turn it is to be told something: one hint per courier and gap, whoever leads where. */
export type HintTurns = {
  /** Takes the courier's turn; false when he had one lately, or nobody can know. Never throws. */
  take(courierId: CourierId): Promise<boolean>;
};

export type EventLog = {
  /** Follows the log from now on. `onGap` says that events may have been missed: resync by sequence. */
  follow(listener: (event: DomainEvent) => void, onGap: () => void): Promise<Stop>;
  /** Events of a delivery with a sequence above `after`, ascending. */
  list(deliveryId: DeliveryId, after: number, limit: number): Promise<readonly DomainEvent[]>;
};

/** Couriers who lie no farther from a place than `withinM`, apart from those of the rings before; metres. */
export type Ring = { readonly withinM: number; readonly positions: readonly Position[] };

export type PositionIndex = {
  /** The newest position this process knows, its own or heard from others. */
  last(courierId: CourierId): Position | null;
  /** The newest position anybody knows. */
  find(courierId: CourierId): Promise<Position | null>;
  /** Hands a position to the next tick; a later one before the tick replaces it. */
  put(position: Position): void;
  /** Says that the couriers are there without a new position; written with the next tick. */
  touch(courierIds: readonly CourierId[]): void;
  /** Hears each tick's batch, of this process and of all others. */
  onBatch(listener: (batch: readonly Position[]) => void): Stop;
  /** Positions in these regions, of whatever size, of couriers whose presence lease runs. */
  listPresent(regions: readonly string[]): Promise<readonly Position[]>;
  /** The same, or null when there are more than `most`: then `present` and `around` know what it would have given. */
  listUpTo(regions: readonly string[], most: number): Promise<readonly Position[] | null>;
  /** The newest position this process knows of a courier whose presence lease runs by what it has heard. */
  present(courierId: CourierId): Position | null;
  /** Those around a place, ring by ring: each lies outside the one before, the last one reaches to `mostM`. */
  around(place: Coordinates, mostM: number): Iterable<Ring>;
  /** Machine time in ms since the courier was last heard of; null when long ago. */
  silentForMs(courierIds: readonly CourierId[]): Promise<ReadonlyMap<CourierId, number>>;
};

export type Leases = {
  /** Takes the lease or renews it: the fencing number while this process holds it, else null. Machine time. */
  tryHold(name: string, ttlMs: number): Promise<number | null>;
  release(name: string): Promise<void>;
};

/** A bell between processes. The one of the context says that a region's leader should look at that region now. */
export type Bell = { ring(what: string): void; onRing(listener: (what: string) => void): Stop };

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

export type Tokens = {
  readonly accessToken: string;
  readonly refreshToken: string;
  /** Seconds. */
  readonly expiresIn: number;
  readonly courierId: CourierId | null;
  readonly staffId: StaffId | null;
};

export type Grant =
  | { readonly type: 'otp'; readonly phone: string; readonly code: string }
  | { readonly type: 'password'; readonly email: string; readonly password: string }
  | { readonly type: 'refresh_token'; readonly refreshToken: string };

/** Whose sessions they are: staff by e-mail, in lower case. */
export type AccountKey = { readonly courierId: CourierId } | { readonly email: string };

export type NewStaff = { readonly email: string; readonly password: string; readonly roles: readonly StaffRole[] };

export type Credentials = {
  /** A vendor key or an access token to its caller; refuses `unauthorized` or `token_expired`. */
  authenticate(token: string): Promise<Caller>;
  /** Sends a one-time code, if a courier has the phone. @param network what limits count the caller's address by */
  requestOtp(phone: string, network: string): Promise<void>;
  grant(grant: Grant, network: string): Promise<Tokens>;
  /** Ends the session of this caller: its refresh family and its live access tokens. */
  logout(caller: Caller): Promise<void>;
  addVendorKey(vendorId: VendorId, liveMode: boolean): Promise<{ id: KeyId; key: string }>;
  /** Adds an account of staff; null if the e-mail has one, which stays as it is. */
  addStaff(staff: NewStaff): Promise<StaffId | null>;
  /** Sets password and roles of an account of staff and ends all its sessions; null if the e-mail has none. */
  resetStaff(staff: NewStaff): Promise<{ staffId: StaffId; endedSessions: number } | null>;
  /** Ends all sessions of a courier or staff member. */
  endSessionsOf(account: AccountKey): Promise<void>;
  /** Hears which credentials end, in whatever process. A loss of messages is possible: `listEnded` knows them all. */
  onEnded(listener: (ended: ReadonlySet<CredentialId>) => void): Stop;
  /** Those of the credentials that have ended, as stored. */
  listEnded(ids: readonly CredentialId[]): Promise<ReadonlySet<CredentialId>>;
  /** A short token for an internal service, audience `internal`. */
  issueInternal(service: string, ttlS: number): Promise<string>;
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

/** Signs what callers carry back to us, such as page cursors. */
export type Signer = { sign(text: string): string; verify(text: string, mac: string): boolean };

export type Registration = {
  readonly id: RegistrationId;
  readonly vendorId: VendorId;
  readonly liveMode: boolean;
  readonly url: string;
  readonly events: readonly string[];
  readonly description: string | null;
  readonly createdAt: number;
};

/** One event to one registration until it is through: the try that is due, and the log of those made. */
export type Attempt = {
  readonly id: AttemptId;
  readonly lease: AttemptLease;
  readonly eventId: EventId;
  /** Of the try that is due, from 1. A try whose result was never recorded has no number of its own. */
  readonly number: number;
  readonly registration: Registration;
  /** Null when it cannot be decrypted: it was stored with another key. */
  readonly secret: string | null;
  readonly event: DomainEvent;
};

/** A registration with something due, and whose it is; null when it was removed. */
export type Waiting = { readonly registrationId: RegistrationId; readonly vendorId: VendorId | null };

/** How many attempts are leased at most, from `now` for at least this long; service time in ms. */
export type AttemptClaim = { readonly now: number; readonly leaseMs: number; readonly limit: number };

/** By what the store knows the attempt, and the claim that leased it. */
export type AttemptLease = { readonly key: string; readonly claim: string };

/** An attempt that ended without a try, and why; its vendor is null when the registration was removed. */
export type EndedAttempt = Pick<Waiting, 'registrationId' | 'vendorId'> & {
  readonly id: AttemptId;
  readonly error: string;
};

/** What a claim gives: attempts to be sent, each leased, and those that it ended because nothing can be sent. */
export type Claimed = { readonly attempts: readonly Attempt[]; readonly ended: readonly EndedAttempt[] };

export type AttemptOutcome = {
  readonly at: number;
  readonly status: number | null;
  readonly tookMs: number;
  readonly error: string | null;
  readonly response: string | null;
};

export type WebhookStore = {
  /** Adds a registration; false when the vendor has `most` in this mode, however many are added at once. */
  register(registration: Registration, secret: string, most: number): Promise<boolean>;
  list(vendorId: VendorId, liveMode: boolean, page: PageRequest): Promise<Page<Registration>>;
  /** Turns up to `limit` due events into attempt rows, one per matching registration; may be run again. */
  fanOut(limit: number): Promise<number>;
  /** Registrations with an attempt that is due, by id, on from the id `after`. */
  listWaiting(now: number, limit: number, after: RegistrationId | null): Promise<readonly Waiting[]>;
  /**
   * Leases attempts of a registration that are due, those due longest first. A claim that fails is given back before the
   * next reading or claim. The lease doubles with each claim of which no result was recorded; after ten the attempt ends.
   */
  claimDue(registrationId: RegistrationId, claim: AttemptClaim): Promise<Claimed>;
  /**
   * Counts and logs a try; `nextAt` null ends the attempt as done or failed. A failure whose lease was taken over by
   * another claim changes nothing.
   */
  record(lease: AttemptLease, outcome: AttemptOutcome, nextAt: number | null): Promise<void>;
};

export type WebhookStage = 'event' | 'attempt';

/** What is open in the whole installation now, in groups. Each number goes up to the bound of its store. */
export type Census = {
  readonly deliveries: readonly { readonly state: State; readonly liveMode: boolean; readonly count: number }[];
  readonly couriers: readonly { readonly kind: Courier['kind']; readonly liveMode: boolean; readonly count: number }[];
  readonly alarms: readonly { readonly kind: AlarmKind; readonly count: number }[];
  /** Events without attempts yet, and attempts whose time has come; since when the oldest, null when there is none. */
  readonly webhooks: readonly {
    readonly stage: WebhookStage;
    readonly count: number;
    readonly dueSince: number | null;
  }[];
};

export type CensusStore = { take(now: number): Promise<Census> };

/** Rows that an older version of the server has stored otherwise than this one does. */
export type OldRows = {
  /** One pass over them, while `isHeld`. Gives how many were mended; after a pass that found none it reads none. */
  mend(isHeld: () => boolean): Promise<number>;
};

export type Health = { isReady(): Promise<boolean> };

/** Where a request or a socket comes from. */
export type CallerAddress = {
  /** An IP address, for logs. */
  readonly address: string;
  /** What limits count by: the address of IPv4, the first 64 bits of IPv6. */
  readonly network: string;
};

/** The caller's address, which trusted proxies report for those behind them. */
export type AddressOf = (request: Pick<IncomingMessage, 'socket' | 'headers'>) => CallerAddress;

export type Context = {
  readonly settings: Settings;
  readonly addressOf: AddressOf;
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly commit: Commit;
  readonly confirmed: Confirmed;
  readonly deliveries: DeliveryStore;
  readonly couriers: CourierStore;
  readonly roster: Roster;
  readonly vendors: VendorStore;
  readonly quotes: QuoteStore;
  readonly claims: ClaimStore;
  readonly offers: OfferStore;
  readonly alarms: AlarmStore;
  readonly preparation: PreparationStore;
  readonly acceptance: AcceptanceStore;
  readonly decisions: DecisionStore;
  readonly travel: TravelTimes;
  readonly surge: SurgeMap;
  readonly hintTurns: HintTurns;
  readonly eventLog: EventLog;
  readonly positions: PositionIndex;
  readonly leases: Leases;
  readonly bell: Bell;
  readonly notices: Notices;
  readonly push: Push;
  readonly credentials: Credentials;
  readonly links: Links;
  readonly signer: Signer;
  readonly webhooks: WebhookStore;
  readonly health: Health;
};
