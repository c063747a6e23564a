import type { Parcel, Priority } from '../domain/deliveries/parcel.ts';
import { routeOf } from '../domain/deliveries/eta.ts';
import { distanceM, type Coordinates } from '../domain/geo/geo.ts';
import type { Quote, QuoteLine } from '../domain/deliveries/quote.ts';
import type { Settings } from '../settings.ts';

type Rules = Settings['quotes'];

/** What a price depends on. `places` are the pickup and the drop-offs in the order in which they are visited. */
export type Priced = {
  readonly places: readonly Coordinates[];
  readonly metadata: Parcel;
  readonly priority: Priority;
};

export type Price = Pick<Quote, 'fee' | 'currency' | 'feeBreakdown' | 'distanceM' | 'durationS'>;

/**
 * Prices a delivery along its stops: base, distance by started 100 m, weight by started kg above the free ones, and the
 * priority. Whole minor units; the lines sum exactly to the fee. Metres and seconds are those of a scooter.
 */
export function priceDelivery(input: Priced & { readonly currency: string; readonly quotes: Rules }): Price {
  const { places, metadata, priority, currency, quotes } = input;
  const route = routeOf(places, 'scooter');
  const lines: QuoteLine[] = [
    { type: 'base', amount: quotes.baseFee },
    { type: 'distance', amount: Math.ceil((Math.ceil(route.distanceM / 100) * quotes.perKmFee) / 10) },
    { type: 'weight', amount: pricedKg(metadata, quotes) * quotes.perKgFee },
    { type: 'priority', amount: priority === 'express' ? quotes.expressFee : 0 },
  ];
  const feeBreakdown = lines.filter(({ type, amount }) => type === 'base' || amount > 0);
  return { fee: feeBreakdown.reduce((sum, { amount }) => sum + amount, 0), currency, feeBreakdown, ...route };
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
  quotes: Rules,
): keyof typeof MISMATCHES | null {
  const isNear = (place: Coordinates, index: number): boolean => {
    const quoted = quote.places[index];
    return quoted !== undefined && distanceM(place, quoted) <= quotes.matchDistanceM;
  };
  if (asked.places.length !== quote.places.length || !asked.places.every(isNear)) return 'places';
  if (asked.isTimed !== quote.isTimed) return 'windows';
  if (asked.metadata.category !== quote.metadata.category) return 'category';
  if (pricedKg(asked.metadata, quotes) !== pricedKg(quote.metadata, quotes)) return 'weight';
  return asked.priority === quote.priority ? null : 'priority';
}

/** The started kg that cost extra: the weight class of a parcel. */
function pricedKg({ weight = 0 }: Parcel, { freeKg }: Rules): number {
  return Math.max(0, Math.ceil(weight - freeKg));
}
