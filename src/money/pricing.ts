import type { VehicleType } from '../domain/couriers/courier.ts';
import type { Parcel, Priority } from '../domain/deliveries/parcel.ts';
import { distanceM, type Coordinates } from '../domain/geo/geo.ts';
import type { Quote, QuoteLine } from '../domain/deliveries/quote.ts';
import type { PriceRule, PricingRuleId } from '../domain/pricing/rules.ts';
import type { Discount, Split } from '../domain/pricing/split.ts';
import type { Settings } from '../settings.ts';
import { chargeDelivery, pricedKg } from './prices/charges.ts';
import { splitFee, type Paying } from './prices/split-fee.ts';
import type { Way } from '../domain/deliveries/way.ts';

/** What a price depends on. */
export type Priced = {
  /** The way from the pickup through the drop-offs in the order in which they are visited. */
  readonly way: Way;
  readonly metadata: Parcel;
  readonly priority: Priority;
  readonly currency: string;
  readonly rules: readonly PriceRule[];
  /** The factor that dispatch publishes at the pickup: 1 or more. */
  readonly surge: number;
  /** Tax that the charges contain, basis points of the charges without it. */
  readonly taxRateBp: number;
  readonly paying: Paying;
};

/** The origin of a line of the fee or of a discount: a rule, or null for the settings, the subsidy and the tax. */
export type Applied = {
  readonly ruleId: PricingRuleId | null;
  readonly type: QuoteLine['type'] | Discount['type'];
  readonly amount: number;
};

export type Price = Pick<Quote, 'fee' | 'currency' | 'feeBreakdown'> &
  Way & {
    readonly split: Split;
    readonly freeKg: number;
  };

/**
 * Prices a delivery along its way by the rules, and says who pays. Whole minor units; the lines and the shares sum exactly
 * to the fee.
 */
export function priceDelivery({ way, currency, rules, paying, ...charged }: Priced): Price & {
  /** In the order in which the rules were applied. */
  readonly trail: readonly Applied[];
} {
  const { fee, lines, surgeBp, isSurgeCapped } = chargeDelivery(rules, { ...charged, distanceM: way.distanceM });
  const { ruleIds, ...shares } = splitFee(fee, rules, paying);
  const idOf = (type: QuoteLine['type']) => rules.find(({ terms }) => terms.type === type)?.id ?? null;
  const trail = [
    ...lines.map(({ type, amount }): Applied => ({ ruleId: idOf(type), type, amount })),
    ...shares.discounts.map(({ type, amount }, at): Applied => ({ ruleId: ruleIds[at] ?? null, type, amount })),
  ];
  const split: Split = { ...shares, surgeBp, isSurgeCapped };
  return { fee, currency, feeBreakdown: lines, split, freeKg: freeKgOf(rules), trail, ...way };
}

function freeKgOf(rules: readonly PriceRule[]): number {
  return rules.flatMap(({ terms }) => (terms.type === 'weight' ? [terms.free_kg] : []))[0] ?? 0;
}

/** Why a quote does not cover a delivery, as its vendor is told. */
export const MISMATCHES = {
  places: 'The quote was made for other places, for another number of them or in another order.',
  windows: 'The quote was made with a window at one of several drop-offs and the delivery has none, or the reverse.',
  category: 'The quote was made for another `metadata.category`.',
  weight: 'The quote was made for another weight class than that of `metadata.weight`.',
  priority: 'The quote was made for another `priority`.',
  vehicle: 'The quote was made for another vehicle than the first of `vehicle_types`.',
  currency: 'The quote was made before the currency of the vendor changed.',
} as const;

/**
 * Names what a delivery asks for beyond the quote's promise: places (as listed, each may lie `matchDistanceM` away), windows
 * that change the way along them, category, weight class, priority, the vehicle whose way has the price, or the currency; null
 * when the quote covers it.
 */
export function findMismatch(
  quote: Quote,
  asked: Pick<Quote, 'places' | 'isTimed' | 'metadata' | 'priority' | 'currency'> & { readonly vehicle: VehicleType },
  quotes: Settings['quotes'],
): keyof typeof MISMATCHES | null {
  const isNear = (place: Coordinates, index: number): boolean => {
    const quoted = quote.places[index];
    return quoted !== undefined && distanceM(place, quoted) <= quotes.matchDistanceM;
  };
  if (asked.places.length !== quote.places.length || !asked.places.every(isNear)) return 'places';
  if (asked.isTimed !== quote.isTimed) return 'windows';
  if (asked.metadata.category !== quote.metadata.category) return 'category';
  const freeKg = quote.freeKg ?? quotes.freeKg;
  if (pricedKg(asked.metadata, freeKg) !== pricedKg(quote.metadata, freeKg)) return 'weight';
  if (asked.priority !== quote.priority) return 'priority';
  if (asked.vehicle !== (quote.vehicle ?? asked.vehicle)) return 'vehicle';
  return asked.currency === quote.currency ? null : 'currency';
}
