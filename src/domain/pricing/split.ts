import type { SubsidyId } from '../ids.ts';

/** A discount that a vendor gives its customer on a quote. Amounts are minor units, rates are basis points. Keys are wire form. */
export type Subsidy =
  | { readonly type: 'fixed'; readonly amount: number }
  | { readonly type: 'percent'; readonly rate_bp: number; readonly cap?: number }
  | { readonly type: 'free'; readonly cap?: number };

/** A subsidy that was applied to a quote after it was made, and the part of the fee that it takes off, minor units. */
export type AppliedSubsidy = {
  readonly id: SubsidyId;
  readonly terms: Subsidy;
  readonly amount: number;
  /** Service time in ms. */
  readonly appliedAt: number;
};

/** The types of rules about who pays. */
export const DISCOUNT_TYPES = [
  'surge_protection',
  'promotion',
  'free_delivery_threshold',
  'region_flag',
  'tier_flag',
] as const;
/** The types of discounts: those of the rules, and the one that a request carries. */
export const DISCOUNTS = [...DISCOUNT_TYPES, 'subsidy'] as const;
export const PAYERS = ['vendor', 'platform'] as const;

/** A part of a fee that the customer does not pay, minor units above 0, and who pays it. Keys are wire form. */
export type Discount = {
  readonly type: (typeof DISCOUNTS)[number];
  readonly amount: number;
  readonly paid_by: (typeof PAYERS)[number];
};

/** The shares of a fee. The three shares are not negative and sum exactly to it. Minor units. */
export type Split = {
  readonly customer: number;
  readonly vendor: number;
  readonly platform: number;
  /** In the order in which they were taken off. With the customer's share they sum to the fee. */
  readonly discounts: readonly Discount[];
  /** The factor in the price, basis points: 10000 raises nothing. It stays while the quote is valid. */
  readonly surgeBp: number;
  /** True if demand asked for a higher factor than a rule allows. */
  readonly isSurgeCapped: boolean;
};
