import type { QuoteLine } from '../../domain/deliveries/quote.ts';
import type { Parcel, Priority } from '../../domain/deliveries/parcel.ts';
import { isDiscount, WHOLE_BP, type ChargeTerms, type PriceRule } from '../../domain/pricing/rules.ts';
import { allocate, amountOf, dividedHalfUp } from '../amount.ts';
import { shareAt, withoutTax } from '../rates.ts';

/** The facts that charges depend on. */
export type Charged = {
  /** The way along the stops, metres. */
  readonly distanceM: number;
  readonly metadata: Parcel;
  readonly priority: Priority;
  /** The factor that dispatch publishes at the pickup: 1 or more. */
  readonly surge: number;
  /** Tax that the charges contain, basis points of the charges without it. */
  readonly taxRateBp: number;
};

export type Charges = {
  /** Sum exactly to `fee`. Apart from the base, lines of nothing are left out. */
  readonly lines: readonly QuoteLine[];
  readonly fee: number;
  readonly surgeBp: number;
  readonly isSurgeCapped: boolean;
};

type Own = Exclude<ChargeTerms, { type: 'surge' }>;

const GRAMS_PER_KG = 1000;

/**
 * The price of a delivery by these rules. Each line is rounded half up once. The rules name amounts with tax: the tax is a
 * line of its own, and the other lines share the rest by largest remainder.
 */
export function chargeDelivery(rules: readonly PriceRule[], input: Charged): Charges {
  const terms = rules.map((rule) => rule.terms);
  const own = terms.flatMap((each): QuoteLine[] =>
    each.type === 'surge' || isDiscount(each) ? [] : [{ type: each.type, amount: chargeOf(each, input) }],
  );
  const most = terms.find((each) => each.type === 'surge')?.most_bp ?? WHOLE_BP;
  const wantedBp = Math.round(input.surge * WHOLE_BP);
  const surgeBp = Math.max(WHOLE_BP, Math.min(wantedBp, most));
  const raised = shareAt(sumOf(own), surgeBp - WHOLE_BP);
  const gross: QuoteLine[] = [...own, { type: 'surge', amount: raised }];
  const fee = sumOf(gross);
  const lines = withTax(gross, fee, input.taxRateBp).filter(({ type, amount }) => type === 'base' || amount > 0);
  return { lines, fee, surgeBp, isSurgeCapped: wantedBp > surgeBp };
}

/** The started kg that cost extra: the weight class of a parcel. Both weights are rounded to whole grams. */
export function pricedKg({ weight = 0 }: Parcel, freeKg: number): number {
  // The difference of two fractions of a kg is rarely exact, and would begin a kg that is not there.
  const pricedG = Math.round(weight * GRAMS_PER_KG) - Math.round(freeKg * GRAMS_PER_KG);
  return Math.max(0, Math.ceil(pricedG / GRAMS_PER_KG));
}

function chargeOf(terms: Own, { distanceM, metadata, priority }: Charged): number {
  switch (terms.type) {
    case 'base':
      return terms.amount;
    case 'distance':
      return dividedHalfUp(BigInt(Math.ceil(distanceM / 100)) * BigInt(terms.per_km), 10n);
    case 'weight':
      return pricedKg(metadata, terms.free_kg) * terms.per_kg;
    case 'priority':
      return priority === 'express' ? terms.amount : 0;
  }
}

/** The lines without the tax that they contain, and the tax: fee − round(fee / (1 + rate)). */
function withTax(gross: readonly QuoteLine[], fee: number, rateBp: number): QuoteLine[] {
  const net = withoutTax(fee, rateBp);
  if (net === fee) return [...gross];
  const weights = gross.map(({ amount }) => amount);
  const parts = allocate(net, weights);
  const lines = gross.map(({ type }, index): QuoteLine => ({ type, amount: parts[index] ?? 0 }));
  return [...lines, { type: 'tax', amount: amountOf(fee - net) }];
}

function sumOf(lines: readonly QuoteLine[]): number {
  return amountOf(lines.reduce((sum, { amount }) => sum + amount, 0));
}
