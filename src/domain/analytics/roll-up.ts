import { endedAtOf, type Delivery } from '../deliveries/delivery.ts';
import { isOnTime } from '../deliveries/lateness.ts';
import { isResultOf, isTerminal } from '../deliveries/lifecycle.ts';
import type { DomainEvent, EventType } from '../deliveries/events.ts';
import { chargedOf } from '../pricing/funds.ts';
import type { CourierId, DeliveryId, LocationId, VendorId } from '../ids.ts';
import type { Offer } from '../offers/offer.ts';
import { UTC, type Zones } from '../vendors/time-zone.ts';
import { dateIn } from './local-date.ts';
import { weekOf } from './range.ts';
import type { Opinion, Rating } from './rating.ts';
import { mergeSums, type Sums } from './sums.ts';
import { sumsOfSpan } from './spans.ts';

/**
 * The things that a roll-up counts. `endings` counts deliveries, `places` the spending at each location of a vendor, `couriers` all
 * couriers of a scope, `courier` one of them, and `conduct` their offers and releases.
 */
export const SUBJECTS = ['endings', 'places', 'couriers', 'courier', 'conduct'] as const;
export type Subject = (typeof SUBJECTS)[number];

/**
 * The subjects that have a row for each location or courier, and so many of them that 92 dates are too many to add up. They have
 * rows of whole weeks beside those of dates, and a question reads either the one or the other of each week.
 */
export const DIVIDED: readonly Subject[] = ['places', 'couriers'];

/** A row: the sums of one date, or of one week. `part` divides the row of a date, and each subject has its own parts. */
export type RollUpKey = {
  readonly subject: Subject;
  readonly scope: string;
  /** A date, such as `2026-01-31`, or for divided subjects also a week, such as `2026-01-26/P1W`. */
  readonly date: string;
  readonly part: string;
};

/** Sums to add to a row. They belong to a delivery, or to no delivery if a rebuild does not count them again. */
export type Addition = { readonly deliveryId: DeliveryId | null; readonly key: RollUpKey; readonly sums: Sums };

/** The events that end a delivery. */
export const END_EVENTS: readonly EventType[] = ['delivered', 'delivery.failed', 'canceled'];
/** The events that are counted: the ends of deliveries, refunds, and releases. */
export const COUNTED_EVENTS: readonly EventType[] = [...END_EVENTS, 'delivery.refunded', 'courier.unassigned'];
/** Those who take a delivery from a courier for what the courier did or did not do. Staff have reasons of their own. */
const CAUSED_BY_COURIER = ['courier', 'system', 'vendor'];
/** A vendor cancels for this reason only if the courier caused it. */
const COURIER_LATE = 'courier_late';

/** The scope of a whole mode, of a vendor in a mode, or of a vendor's location in a mode. */
export function scopeOf(liveMode: boolean, id: VendorId | LocationId | null): string {
  return `${liveMode ? 'live' : 'test'}:${id ?? 'platform'}`;
}

/** A place and a currency, or a category and a currency, as the part of a row. An absent one is `-`. */
export function partOf(group: string | undefined, currency: string): string {
  return `${group ?? '-'}|${currency}`;
}

/** Reads such a part. */
export function readPart(part: string): { readonly group: string | null; readonly currency: string } {
  const [group = '-', currency = ''] = part.split('|');
  return { group: group === '-' ? null : group, currency };
}

/** The rules by which an end is counted: the time zones of its dates, and how soon a delivery without a window is due. */
export type CountRules = { readonly zones: Zones; readonly promiseMs: number };

/**
 * Returns the sums that the end of a delivery adds. A delivery that has not ended adds nothing.
 * @param refunded the part of the charge that is known to have gone back, minor units
 */
export function additionsOfEnd(delivery: Delivery, rules: CountRules, refunded = 0): Addition[] {
  const { times, state, kind } = delivery;
  const at = endedAtOf(delivery);
  if (at === null || !isTerminal(state)) return [];
  const isReturn = kind === 'return';
  const sums = isReturn ? { [`return_${state}`]: 1 } : sumsOfEnd(delivery, refunded, rules);
  const ends = rowsOf(delivery, 'endings', categoryOf(delivery), at, rules.zones, sums);
  if (isReturn) return ends;
  const { charged = 0, delivered = 0 } = sums;
  const spent = spentAt(delivery, at, rules.zones, { charged, delivered });
  const spans =
    times.deliveredAt === null || times.assignedAt === null
      ? {}
      : sumsOfSpan('completion', times.deliveredAt - times.assignedAt);
  return [...ends, ...spent, ...rowsOfCourier(delivery, at, rules.zones, sumsOfCourier(delivery, sums), spans)];
}

/** Returns the sums that a refund of an ended delivery takes away, on the date on which the delivery ended. */
export function additionsOfRefund(
  delivery: Delivery,
  amount: number,
  { zones }: Pick<CountRules, 'zones'>,
): Addition[] {
  const at = endedAtOf(delivery);
  if (at === null || delivery.kind === 'return') return [];
  const sums = { charged: -amount };
  return [...rowsOf(delivery, 'endings', categoryOf(delivery), at, zones, sums), ...spentAt(delivery, at, zones, sums)];
}

function categoryOf({ metadata, currency }: Delivery): string {
  return partOf(metadata.category, currency);
}

function spentAt(delivery: Delivery, at: number, zones: Zones, sums: Sums): Addition[] {
  const { id, liveMode, vendorId, locationId, currency } = delivery;
  const scope = scopeOf(liveMode, vendorId);
  const key = { subject: 'places', scope, date: dateIn(zones.vendor, at), part: partOf(locationId, currency) } as const;
  return additionsTo(key, id, sums);
}

/** Returns the sums that a rating adds if `counted` was added for it before. */
export function additionsOfRating(rating: Rating, counted: Opinion | null): Addition[] {
  const before = counted === null ? {} : sumsOfOpinion(counted);
  const undone = Object.fromEntries(Object.entries(before).map(([name, value]) => [name, -value]));
  const whose = { ...rating, id: rating.deliveryId, locationId: rating.locationId ?? undefined };
  return rowsOfCourier(whose, rating.endedAt, rating.zones, mergeSums([sumsOfOpinion(rating), undone]), {});
}

/** Returns the sums that a closed offer adds. An offer that no phone showed says nothing about its courier. */
export function additionsOfOffer({ courierId, state, deliveredAt, closedAt }: Offer): Addition[] {
  // An answer proves that a phone showed the offer, also if its acknowledgement was lost.
  const isShown = deliveredAt !== null || state === 'accepted' || state === 'declined';
  if (!isShown || closedAt === null) return [];
  return [conductOf(courierId, closedAt, { shown: 1, [state]: 1 })];
}

/** Returns the sums that a counted event adds by itself. The end of a delivery adds what the delivery says instead. */
export function additionsOfEvent({ type, data, created_at: createdAt }: CountedEvent): Addition[] {
  if (type !== 'courier.unassigned' || data.courier === undefined) return [];
  if (!CAUSED_BY_COURIER.includes(data.actor.type)) return [];
  return [conductOf(data.courier.id, Date.parse(createdAt), { released: 1 })];
}
export type CountedEvent = Pick<DomainEvent, 'type' | 'data' | 'created_at' | 'delivery_id'>;

function conductOf(courierId: CourierId, at: number, sums: Sums): Addition {
  const key = { subject: 'conduct', scope: courierId, date: dateIn(UTC, at), part: '' } as const;
  return { deliveryId: null, key, sums };
}

function sumsOfEnd(delivery: Delivery, refunded: number, { promiseMs }: CountRules): Sums {
  const { state, ending, times, funds } = delivery;
  const charged = chargedOf(funds?.charges ?? []) - refunded;
  const money = charged === 0 ? {} : { charged };
  const isDelivered = isResultOf('deliver', state);
  const waits = spanSums('wait', times.arrivedPickupAt, times.pickedUpAt);
  const prepared = spanSums('preparation', times.createdAt, times.readyAt);
  if (!isDelivered) {
    const why = { [`${state}/by/${ending?.by ?? 'system'}`]: 1, [`${state}/why/${reasonOf(delivery)}`]: 1 };
    return mergeSums([{ [state]: 1 }, money, why, waits, prepared]);
  }
  const onTime = isOnTime(delivery, promiseMs) ? 1 : 0;
  const transit = spanSums('transit', times.pickedUpAt, times.deliveredAt);
  return mergeSums([{ [state]: 1, on_time: onTime }, money, waits, prepared, transit]);
}

/** The reason as the name of a sum. The reasons are closed lists, so a text of another form comes from elsewhere. */
function reasonOf({ ending }: Delivery): string {
  const reason = ending?.reason ?? 'unspecified';
  return /^[a-z_]{1,40}$/.test(reason) ? reason : 'other';
}

function spanSums(name: string, from: number | null, to: number | null): Sums {
  return from === null || to === null ? {} : sumsOfSpan(name, to - from);
}

/** A canceled delivery counts only if its courier caused the cancellation. */
function sumsOfCourier({ ending }: Delivery, { delivered = 0, failed = 0, canceled = 0, on_time = 0 }: Sums): Sums {
  const lost = ending?.reason === COURIER_LATE ? canceled : 0;
  const counts = { delivered, failed, lost, on_time };
  return Object.fromEntries(Object.entries(counts).filter(([, count]) => count > 0));
}

function sumsOfOpinion({ stars, comment }: Opinion): Sums {
  return { rated: 1, stars, comments: comment === null ? 0 : 1 };
}

/** Whose rows are changed. */
type Whose = Pick<Delivery, 'id' | 'liveMode' | 'vendorId'> & { readonly locationId?: LocationId | undefined };

function rowsOfCourier(
  delivery: Whose & Pick<Delivery, 'courierId'>,
  at: number,
  zones: Zones,
  sums: Sums,
  spans: Sums,
): Addition[] {
  const { courierId, id } = delivery;
  if (courierId === null || Object.keys(sums).length === 0) return [];
  const own = { subject: 'courier', scope: courierId, date: dateIn(UTC, at), part: '' } as const;
  const rows = rowsOf(delivery, 'couriers', courierId, at, zones, sums);
  return [...rows, { deliveryId: id, key: own, sums: { ...sums, ...spans } }];
}

/** The rows of the platform, the vendor and the location, each by the dates of its own time zone. */
function rowsOf(
  { id, liveMode, vendorId, locationId }: Whose,
  subject: Subject,
  part: string,
  at: number,
  zones: Zones,
  sums: Sums,
): Addition[] {
  const owners = [[null, UTC] as const, [vendorId, zones.vendor] as const];
  const all = locationId === undefined ? owners : [...owners, [locationId, zones.location] as const];
  return all.flatMap(([owner, zone]) => {
    const date = dateIn(zone, at);
    return additionsTo({ subject, scope: scopeOf(liveMode, owner), date, part }, id, sums);
  });
}

/** Adds to the row of a date, and to that of its week if there is one. */
function additionsTo(key: RollUpKey, deliveryId: DeliveryId, sums: Sums): Addition[] {
  const dates = DIVIDED.includes(key.subject) ? [key.date, weekOf(key.date)] : [key.date];
  return dates.map((date) => ({ deliveryId, key: { ...key, date }, sums }));
}
