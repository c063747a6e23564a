import { getResolution, isValidCell, latLngToCell } from 'h3-js';
import { z } from 'zod';
import type { Coordinates } from '../geo/geo.ts';
import type { Id } from '../ids.ts';
import { DISCOUNT_TYPES, PAYERS } from './split.ts';

/** The most that an amount of a rule may be, minor units. */
const MOST_AMOUNT = 100_000_000;
/** Basis points of the whole. */
export const WHOLE_BP = 10_000;

const amount = (note: string) => z.number().int().min(0).max(MOST_AMOUNT).describe(`${note}, minor units`);
const paid_by = z.enum(PAYERS).describe('The payer of the part that the customer does not pay');
const word = (note: string) =>
  z
    .string()
    .regex(/^[A-Za-z0-9._~-]{1,64}$/, 'must be 1 to 64 letters, digits and . _ ~ -')
    .describe(note);

/** The effect of one rule on a price. Amounts are in the vendor's currency, rates in basis points. Keys are wire form. */
export const RuleTerms = z
  .discriminatedUnion('type', [
    z.strictObject({ type: z.literal('base').describe('A fixed part'), amount: amount('The fixed part of a fee') }),
    z.strictObject({
      type: z.literal('distance').describe('A part for the way'),
      per_km: amount('For each km of the way. Each tenth that is begun counts'),
    }),
    z.strictObject({
      type: z.literal('weight').describe('A part for heavy goods'),
      per_kg: amount('For each kg that is begun above `free_kg`'),
      free_kg: z.number().min(0).max(1000).describe('Weight without a surcharge, kg, at most 1000'),
    }),
    z.strictObject({
      type: z.literal('priority').describe('A part for an immediate delivery'),
      amount: amount('The part of an immediate delivery'),
    }),
    z.strictObject({
      type: z.literal('surge').describe('Demand raises the parts above by the factor of the pickup’s cell'),
      most_bp: z
        .number()
        .int()
        .min(WHOLE_BP)
        .max(10 * WHOLE_BP)
        .describe('The highest factor in basis points, 10000 to 100000. 10000 raises nothing'),
    }),
    z.strictObject({
      type: z.literal('surge_protection').describe('A limit on what the customer pays'),
      most: amount('The most that the customer pays'),
      paid_by,
    }),
    z.strictObject({
      type: z.literal('promotion').describe('A discount for quotes that name its code as `promo`'),
      code: word('The code, at most 64 letters, digits and . _ ~ -'),
      rate_bp: z.number().int().min(1).max(WHOLE_BP).describe('The share of the rest, basis points, 1 to 10000'),
      cap: amount('The most that the discount is').exactOptional(),
      paid_by,
    }),
    z.strictObject({
      type: z.literal('free_delivery_threshold').describe('The vendor pays for orders from a value on'),
      order_value: amount('The lowest sum of the order values of all drop-offs'),
    }),
    z.strictObject({
      type: z.literal('region_flag').describe('The vendor pays where all drop-offs lie in one of these cells'),
      cells: z
        .array(
          z
            .string()
            .refine((cell) => isValidCell(cell), 'must be an H3 cell')
            .describe('An H3 cell'),
        )
        .min(1)
        .max(100)
        .describe('H3 cells of any resolution, at most 100'),
    }),
    z.strictObject({
      type: z.literal('tier_flag').describe('The vendor pays for customers of these tiers'),
      tiers: z.array(word('A tier')).min(1).max(20).describe('Values of `customer_tier`, at most 20'),
    }),
  ])
  .describe('The effect of the rule on a price');
export type RuleTerms = z.output<typeof RuleTerms>;
/** The rules about who pays. Every one of them that fits a quote applies; of all other types one rule applies. */
export type DiscountTerms = Extract<RuleTerms, { type: (typeof DISCOUNT_TYPES)[number] }>;
export type ChargeTerms = Exclude<RuleTerms, DiscountTerms>;

export type PricingRuleId = Id<'prl'>;

/** A rule that prices a delivery. Its id is null if it follows from the settings. */
export type PriceRule = { readonly id: PricingRuleId | null; readonly terms: RuleTerms };

/** A stored rule. Times are service time in ms. */
export type PricingRule = PriceRule & {
  readonly id: PricingRuleId;
  readonly activeFrom: number;
  /** When it ends; null: when somebody ends it. */
  readonly activeTo: number | null;
  readonly createdAt: number;
};

/** Says whether a discount rule may apply beside others of its type. */
export function isDiscount(terms: RuleTerms): terms is DiscountTerms {
  return (DISCOUNT_TYPES as readonly string[]).includes(terms.type);
}

/** Says whether a place lies in an H3 cell. */
export function isInCell({ lat, lng }: Coordinates, cell: string): boolean {
  return latLngToCell(lat, lng, getResolution(cell)) === cell;
}
