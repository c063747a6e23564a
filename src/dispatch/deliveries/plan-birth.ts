import { momentWithout } from '../../domain/deliveries/eta.ts';
import { preparationAtBirth, timesAtBirth, type Delivery } from '../../domain/deliveries/delivery.ts';
import { isoTime } from '../../domain/time.ts';
import { distanceM, regionOf, type Coordinates } from '../../domain/geo/geo.ts';
import { factsOf } from '../../domain/deliveries/guards.ts';
import { stageAfter, step, timesAfter } from '../../domain/deliveries/lifecycle.ts';
import { refuseExpiredQuote, subsidyClaim, useClaim, type Quote } from '../../domain/deliveries/quote.ts';
import { Refusal, refuseField } from '../../domain/refusals/refusals.ts';
import { closesAt, searchFor, type SearchSpan } from '../../domain/deliveries/search.ts';
import type { Stop } from '../../domain/deliveries/stops/stop.ts';
import type { NewVerification, Verification } from '../../domain/proof/verification.ts';
import { longestWayM } from '../../domain/vendors/accept.ts';
import { hoursOf } from '../../domain/vendors/hours.ts';
import { zonesOf } from '../../domain/vendors/time-zone.ts';
import type { Vendor, VendorLocation } from '../../domain/vendors/vendor.ts';
import { isTimed } from '../../domain/deliveries/stops/visits.ts';
import { findMismatch, MISMATCHES, priceDelivery, type Price } from '../../money/pricing.ts';
import type { Change, Effect } from '../../ports/changes.ts';
import type { Settings } from '../../settings.ts';
import { actorFor, bookingOf, makeChange, withEffects } from '../change-delivery.ts';
import type { Doer, NewDelivery, NewStop } from '../commands.ts';
import { allowed } from '../move-delivery.ts';
import { noPlace } from './vendor-location.ts';
import type { DeliveryId } from '../../domain/ids.ts';
import type { PriceRule } from '../../domain/pricing/rules.ts';
import type { Split } from '../../domain/pricing/split.ts';
import { bookVerb } from '../../money/charges/book-verb.ts';
import { fundsAtBirth } from '../../money/charges/fund-delivery.ts';
import { payingOf } from '../../money/prices/split-fee.ts';
import type { Ways } from '../../domain/learning/ways.ts';
import { pricedVehicle, type Way } from '../../domain/deliveries/way.ts';
import type { FoundWay } from '../find-way.ts';

/** The longest search that a caller may request: a day. */
const LONGEST_SEARCH_MS = 24 * 3_600_000;
/** A place this near a vendor location has its address: the house and the street in front of it. */
const SAME_ADDRESS_M = 100;

type SearchSettings = { readonly settings: Pick<Settings, 'search'> };

/** With the way that has the price: that of the quote, or else one along streets that is known, or an estimate. */
export type BirthFacts = FoundWay & {
  readonly id: DeliveryId;
  readonly vendor: Vendor;
  readonly location: VendorLocation | null;
  /** Where and when the goods can be collected. */
  readonly pickup: NewStop;
  readonly quote: Quote | null;
  /** The ended delivery of the same vendor order, whose place the new one takes; null if there is none. */
  readonly endedOrder: DeliveryId | null;
  readonly settings: Settings;
  /** How long ways take, for the arrival times of its event. */
  readonly ways: Ways;
  readonly links: Delivery['links'];
  /** Makes the PIN of a stop and encrypts it. */
  readonly seal: (verification: NewVerification) => Verification;
  /** How long the goods are expected to take, ms. Null if the request names a ready time or the end of the search. */
  readonly estimateMs: number | null;
  /** The rules of a price without a quote, and the factor of demand at the pickup. */
  readonly rules: readonly PriceRule[];
  readonly surge: number;
  readonly now: number;
};

/**
 * The facts that a create claims: its quote is used once, and the vendor's name for it names one delivery. The name is
 * an external id, or the id of a vendor order, which names one open delivery at a time. Claims are kept for
 * `retention.claimsMs`.
 */
export function claimsOf(command: NewDelivery): { readonly quote: string | null; readonly name: string | null } {
  const { vendorId, liveMode, externalId, orderId, quoteId } = command;
  const owner = `${vendorId}:${liveMode ? 'live' : 'test'}`;
  return {
    quote: quoteId === null ? null : useClaim(quoteId),
    name:
      orderId !== null ? `order:${owner}:${orderId}` : externalId === null ? null : `external:${owner}:${externalId}`,
  };
}

/** Claims the facts of a birth. A vendor order whose last delivery has ended moves on to the new one. */
function claimingOf(command: NewDelivery, { id, endedOrder, quote: priced }: BirthFacts): Effect[] {
  const { quote, name } = claimsOf(command);
  // From now on the quote gets no subsidy. If it has one, the subsidy has made this claim.
  const settled = priced === null || priced.subsidy !== undefined ? null : subsidyClaim(priced.id);
  const claimed = endedOrder === null ? [name, quote, settled] : [quote, settled];
  const claims = claimed
    .filter((fact) => fact !== null)
    .map((fact): Effect => ({ kind: 'claim_fact', fact, holder: id }));
  if (endedOrder === null || name === null) return claims;
  return [...claims, { kind: 'move_claim', fact: name, from: endedOrder, holder: id }];
}

/**
 * Plans the birth of a delivery: its price, its search and its claims. The price follows the quote, or else the present
 * rules.
 */
export function planBirth(command: NewDelivery, doer: Doer, facts: BirthFacts): Change {
  const { vendor, location, settings, links, estimateMs, now } = facts;
  const pickup = stopOf(facts, facts.pickup, 0);
  const dropOffs = command.dropOffs.map((stop, index) => stopOf(facts, stop, index + 1));
  const verb = command.priority === 'express' ? 'create' : 'schedule';
  const actor = actorFor(doer);
  const { split, ...price } = priceOf(command, [pickup, ...dropOffs], facts);
  const funds = fundsAtBirth({ id: facts.id, fee: price.fee, ...command.extras }, split, settings.pay);
  const born: Delivery = {
    id: facts.id,
    kind: 'delivery',
    liveMode: command.liveMode,
    channel: command.channel,
    vendorId: command.vendorId,
    ...(location === null ? {} : { locationId: location.id }),
    timeZones: zonesOf(vendor, location),
    externalId: command.externalId,
    ...(command.orderId === null ? {} : { orderId: command.orderId }),
    contentHash: command.contentHash,
    state: 'searching',
    stage: stageAfter(verb),
    version: 0,
    sequence: 0,
    madeBy: { verb, stop: null, actor },
    priority: command.priority,
    pickup,
    preparation: preparationAtBirth(pickup.window, estimateMs),
    dropOffs,
    metadata: command.metadata,
    vehicleTypes: command.vehicleTypes,
    custom: command.custom,
    ...command.extras,
    quoteId: command.quoteId,
    ...price,
    ...facts.way,
    funds,
    region: regionOf(pickup.place, settings.dispatch.regionResolution),
    ...searchOf(command, pickup, facts),
    courierId: null,
    courier: null,
    formerCouriers: [],
    robo: command.robo,
    links,
    related: [],
    outcome: null,
    ending: null,
    times: timesAfter(verb, timesAtBirth(now), now),
  };
  const hours = location === null ? null : hoursOf(vendor, location);
  const more = { location, hours, maxDistanceM: longestWayM(vendor, location, settings.search.maxDistanceM) };
  const row = allowed(step(null, verb, actor.type, factsOf(null, born, now, more)));
  const after = { ...born, state: row.to };
  const booked = { books: row.books, before: null, after, now, opensReturn: false, terms: settings.charges };
  const { delivery, commands } = bookVerb(booked);
  const change = makeChange(null, delivery, [{ type: row.emits, actor }], momentWithout(now, facts.ways, settings));
  return withEffects(change, [...claimingOf(command, facts), ...drawingOf(born, facts), ...bookingOf(commands)]);
}

/** Keeps the lines of the way beside the delivery, which is read and written more often than they are drawn. */
function drawingOf({ id, vendorId, liveMode }: Delivery, { polylines }: BirthFacts): Effect[] {
  if (polylines === undefined) return [];
  return [{ kind: 'keep_polylines', deliveryId: id, vendorId, liveMode, polylines }];
}

/** Says whether the address of the location is right for this place. The coordinates of a vendor's system may be rounded. */
function isAt(place: Coordinates, location: VendorLocation): boolean {
  return distanceM(place, location.place) <= SAME_ADDRESS_M;
}

/** Where and when the goods can be collected: by the command, or else by the location. */
export function pickupOf({ pickup }: NewDelivery, location: VendorLocation | null): NewStop {
  const place = pickup?.place ?? location?.place;
  if (place === undefined) throw noPlace();
  return {
    ...pickup,
    place,
    address: pickup?.address ?? (location !== null && isAt(place, location) ? location.address : null),
    contact: pickup?.contact ?? location?.contact ?? null,
    instructions: pickup?.instructions ?? location?.instructions ?? null,
    window: pickup?.window ?? null,
    externalId: pickup?.externalId ?? null,
    undeliverableAction: pickup?.undeliverableAction ?? 'return',
  };
}

function stopOf({ seal, visits }: BirthFacts, { verification, ...stop }: NewStop, index: number): Stop {
  const wanted = verification === undefined ? {} : { verification: seal(verification) };
  const visit = visits.indexOf(index) + 1;
  return { ...stop, ...wanted, index, visit, state: 'pending', arrivedAt: null, doneAt: null, reason: null };
}

type BirthPrice = Omit<Price, 'split' | 'freeKg' | keyof Way> & { readonly split: Split | null };

/** The price of the quote, or by the rules of this moment. */
function priceOf(command: NewDelivery, stops: readonly Stop[], facts: BirthFacts): BirthPrice {
  const { metadata, priority } = command;
  const { vendor, quote, settings, rules, surge, way, now } = facts;
  const { quotes, pay } = settings;
  const { currency } = vendor;
  if (quote === null) {
    const charged = { way, metadata, priority, currency, rules, surge, taxRateBp: pay.taxRateBp };
    const { promo = null } = command.extras;
    const paying = payingOf({ dropOffs: command.dropOffs, promo, customerTier: null, subsidy: null });
    return priceOnly(priceDelivery({ ...charged, paying }));
  }
  if (quote.expiresAt <= now) throw refuseExpiredQuote(quote);
  const places = stops.map(({ place }) => place);
  const vehicle = pricedVehicle(command.vehicleTypes);
  const inputs = { places, isTimed: isTimed(command.dropOffs), metadata, priority, vehicle, currency };
  const reason = findMismatch(quote, inputs, quotes);
  if (reason !== null) throw new Refusal('mismatched_price_quote', { reason, detail: MISMATCHES[reason] });
  return priceOnly(quote);
}

function priceOnly({ fee, currency, feeBreakdown, split }: Pick<Quote, keyof BirthPrice>): BirthPrice {
  return { fee, currency, feeBreakdown, split: split ?? null };
}

/**
 * When the search starts, counts and ends. An end that the request names is kept. Refuses `impossible_value` for an end
 * before the search counts, before the pickup window of a scheduled delivery closes, or more than a day after.
 */
export function searchOf(
  { searchUntilAt, priority }: Pick<NewDelivery, 'searchUntilAt' | 'priority'>,
  { window }: Pick<Stop, 'window'>,
  { vendor, settings, estimateMs, now }: Pick<BirthFacts, 'vendor' | 'estimateMs' | 'now'> & SearchSettings,
): SearchSpan {
  const estimatedAt = estimateMs === null ? null : now + estimateMs;
  const closes = closesAt(priority, window);
  const times = { namedAt: window?.readyAt ?? null, estimatedAt, closesAt: closes };
  const span = searchFor(times, vendor.searchLimitMs, settings.search, now);
  if (searchUntilAt === null) return span;
  const { searchCountsFromAt: countsFromAt } = span;
  if (closes !== null && searchUntilAt < closes) {
    const rule = `must be no earlier than the end of the pickup window, which is ${isoTime(closes)}`;
    throw refuseField('/search_until', 'out_of_range', `${rule}; it is ${isoTime(searchUntilAt)}`);
  }
  const latestAt = Math.max(countsFromAt + LONGEST_SEARCH_MS, closes ?? 0);
  if (searchUntilAt > countsFromAt && searchUntilAt <= latestAt) {
    return { ...span, searchUntilAt, searchLimitMs: searchUntilAt - countsFromAt };
  }
  const rule = `must be later than ${isoTime(countsFromAt)}, from when the search counts, and within a day of that`;
  throw refuseField('/search_until', 'out_of_range', `${rule}; it is ${isoTime(searchUntilAt)}`);
}
