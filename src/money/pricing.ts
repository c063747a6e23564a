import type { Parcel, Priority } from '../domain/deliveries/parcel.ts';
import { routeOf } from '../domain/deliveries/eta.ts';
import { distanceM, type Coordinates } from '../domain/geo/geo.ts';
import type { Quote } from '../domain/deliveries/quote.ts';
import type { PriceRule } from '../domain/pricing/rules.ts';
import type { Split, Subsidy } from '../domain/pricing/split.ts';
import type { Settings } from '../settings.ts';
import { chargeDelivery, pricedKg } from './prices/charges.ts';
import { splitFee } from './prices/split-fee.ts';

/** What a price depends on. `places` are the pickup and the drop-offs in the order in which they are visited. */
export type Priced = {
  readonly places: readonly Coordinates[];
  readonly metadata: Parcel;
  readonly priority: Priority;
  readonly currency: string;
  readonly rules: readonly PriceRule[];
  /** The factor that dispatch publishes at the pickup: 1 or more. */
  readonly surge: number;
  /** Tax that the charges contain, basis points of the charges without it. */
  readonly taxRateBp: number;
  /** The discount that the vendor gives on this quote; null for none. */
  readonly subsidy: Subsidy | null;
};

export type Price = Pick<Quote, 'fee' | 'currency' | 'feeBreakdown' | 'distanceM' | 'durationS'> & {
  readonly split: Split;
};

/**
 * Prices a delivery along its stops by the rules, and says who pays. Whole minor units; the lines and the shares sum
 * exactly to the fee. Metres and seconds are those of a scooter.
 */
export function priceDelivery({ places, currency, rules, subsidy, ...charged }: Priced): Price {
  const route = routeOf(places, 'scooter');
  const { fee, lines, surgeBp, isSurgeCapped } = chargeDelivery(rules, { ...charged, distanceM: route.distanceM });
  const split: Split = { ...splitFee(fee, subsidy), surgeBp, isSurgeCapped };
  return { fee, currency, feeBreakdown: lines, split, ...route };
}

/** Why a quote does not cover a delivery, as its vendor is told. */
export const MISMATCHES = {
  places: 'The quote was made for other places, for another number of them or in another order.',
  windows: 'The quote was made with a window at one of several drop-offs and the delivery has none, or the reverse.',
  category: 'The quote was made for another `metadata.category`.',
  weight: 'The quote was made for another weight class than that of `metadata.weight`.',
  priority: 'The quote was made for another `priority`.',
} as const;

/**
 * Names what a delivery asks for beyond the quote's promise: places (as listed, each may lie `matchDistanceM` away), windows
 * that change the way along them, category, weight class or priority; null when the quote covers it.
 */
export function findMismatch(
  quote: Quote,
  asked: Pick<Quote, 'places' | 'isTimed' | 'metadata' | 'priority'>,
  quotes: Settings['quotes'],
): keyof typeof MISMATCHES | null {
  const isNear = (place: Coordinates, index: number): boolean => {
    const quoted = quote.places[index];
    return quoted !== undefined && distanceM(place, quoted) <= quotes.matchDistanceM;
  };
  if (asked.places.length !== quote.places.length || !asked.places.every(isNear)) return 'places';
  if (asked.isTimed !== quote.isTimed) return 'windows';
  if (asked.metadata.category !== quote.metadata.category) return 'category';
  if (pricedKg(asked.metadata, quotes.freeKg) !== pricedKg(quote.metadata, quotes.freeKg)) return 'weight';
  return asked.priority === quote.priority ? null : 'priority';
}
