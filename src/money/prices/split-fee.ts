import type { Coordinates } from '../../domain/geo/geo.ts';
import {
  isDiscount,
  isInCell,
  WHOLE_BP,
  type DiscountTerms,
  type PriceRule,
  type PricingRuleId,
} from '../../domain/pricing/rules.ts';
import type { Discount, Split, Subsidy } from '../../domain/pricing/split.ts';
import { amountOf } from '../amount.ts';
import { shareAt } from '../rates.ts';

/** The facts that decide who pays a fee. */
export type Paying = {
  /** The sum of the order values of all drop-offs, minor units; null if none was named. */
  readonly orderValue: number | null;
  /** The tier of the vendor's customer, and the promotion that the vendor names; null for none. */
  readonly customerTier: string | null;
  readonly promo: string | null;
  readonly dropOffs: readonly Coordinates[];
  /** The discount that the vendor gives on this quote; null for none. */
  readonly subsidy: Subsidy | null;
};

/** The facts of a request that decide who pays its fee. */
export function payingOf({
  dropOffs,
  subsidy,
  customerTier,
  promo,
}: Pick<Paying, 'subsidy' | 'customerTier' | 'promo'> & { readonly dropOffs: readonly AskedDropOff[] }): Paying {
  const values = dropOffs.flatMap(({ orderValue }) => orderValue ?? []);
  const orderValue = values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0);
  return { subsidy, customerTier, promo, orderValue, dropOffs: dropOffs.map(({ place }) => place) };
}

type AskedDropOff = { readonly place: Coordinates; readonly orderValue?: number | null };

/** A discount before it is taken off: how much of what the customer would still pay. */
type Step = Omit<Discount, 'amount'> & { readonly ruleId: PricingRuleId | null; readonly of: (rest: number) => number };
type Shares = Pick<Split, 'customer' | 'vendor' | 'platform' | 'discounts'>;

/** The order in which discounts are taken off: what others pay before the vendor pays all of the rest. */
// One row per line: this is a table.
// oxfmt-ignore
const RANKS: Readonly<Record<Discount['type'], number>> = {
  surge_protection: 0, promotion: 1, subsidy: 2, free_delivery_threshold: 3, region_flag: 4, tier_flag: 5,
};

/**
 * Divides a fee among customer, vendor and platform. Each discount is taken off what the customer would still pay, and
 * never more than that. `ruleIds` names the rule of each discount; null for the subsidy of the request.
 */
export function splitFee(
  fee: number,
  rules: readonly PriceRule[],
  paying: Paying,
): Shares & { readonly ruleIds: readonly (PricingRuleId | null)[] } {
  const own = rules.flatMap(({ id, terms }) => (isDiscount(terms) && fits(terms, paying) ? [stepOf(id, terms)] : []));
  const { subsidy } = paying;
  if (subsidy !== null)
    own.push({ type: 'subsidy', paid_by: 'vendor', ruleId: null, of: (rest) => subsidyOf(subsidy, rest) });
  let customer = fee;
  const taken: (Discount & { readonly ruleId: PricingRuleId | null })[] = [];
  for (const { of, ...step } of own.toSorted((a, b) => RANKS[a.type] - RANKS[b.type])) {
    const amount = amountOf(Math.min(customer, of(customer)));
    if (amount === 0) continue;
    taken.push({ ...step, amount });
    customer = amountOf(customer - amount);
  }
  const discounts = taken.map(({ type, amount, paid_by }): Discount => ({ type, amount, paid_by }));
  const shares = { customer, vendor: paidBy('vendor', discounts), platform: paidBy('platform', discounts), discounts };
  return { ...shares, ruleIds: taken.map(({ ruleId }) => ruleId) };
}

/** The shares of a fee that the customer pays alone, as in quotes that were stored without shares. */
export function shareless(fee: number): Split {
  return { customer: fee, vendor: 0, platform: 0, discounts: [], surgeBp: WHOLE_BP, isSurgeCapped: false };
}

/**
 * Adds a subsidy to shares that exist: a part of what the customer would still pay goes over to the vendor. The shares are
 * then the same as if the quote had been requested with the subsidy, because all later discounts take the whole rest.
 */
export function addSubsidy(split: Split, subsidy: Subsidy): Split {
  const amount = amountOf(Math.min(split.customer, subsidyOf(subsidy, split.customer)));
  if (amount === 0) return split;
  return {
    ...split,
    customer: amountOf(split.customer - amount),
    vendor: amountOf(split.vendor + amount),
    discounts: [...split.discounts, { type: 'subsidy', amount, paid_by: 'vendor' }],
  };
}

function fits(terms: DiscountTerms, { orderValue, customerTier, promo, dropOffs }: Paying): boolean {
  switch (terms.type) {
    case 'surge_protection':
      return true;
    case 'promotion':
      return terms.code === promo;
    case 'free_delivery_threshold':
      return orderValue !== null && orderValue >= terms.order_value;
    case 'region_flag':
      return dropOffs.every((place) => terms.cells.some((cell) => isInCell(place, cell)));
    case 'tier_flag':
      return customerTier !== null && terms.tiers.includes(customerTier);
  }
}

function stepOf(ruleId: PricingRuleId | null, terms: DiscountTerms): Step {
  const { type } = terms;
  switch (terms.type) {
    case 'surge_protection':
      return { type, ruleId, paid_by: terms.paid_by, of: (rest) => Math.max(0, rest - terms.most) };
    case 'promotion':
      return { type, ruleId, paid_by: terms.paid_by, of: (rest) => shareOf(rest, terms) };
    case 'free_delivery_threshold':
    case 'region_flag':
    case 'tier_flag':
      return { type, ruleId, paid_by: 'vendor', of: (rest) => rest };
  }
}

function subsidyOf(subsidy: Subsidy, rest: number): number {
  switch (subsidy.type) {
    case 'fixed':
      return subsidy.amount;
    case 'percent':
      return shareOf(rest, subsidy);
    case 'free':
      return Math.min(rest, subsidy.cap ?? rest);
  }
}

function shareOf(rest: number, { rate_bp, cap }: { readonly rate_bp: number; readonly cap?: number }): number {
  return Math.min(shareAt(rest, rate_bp), cap ?? rest);
}

function paidBy(payer: Discount['paid_by'], discounts: readonly Discount[]): number {
  return amountOf(discounts.reduce((sum, { paid_by, amount }) => sum + (paid_by === payer ? amount : 0), 0));
}
