import type { VendorId } from '../ids.ts';
import { isDiscount, type PriceRule, type PricingRule } from './rules.ts';

/** The owner of rules: a vendor, or the platform, whose rules hold for every vendor without a rule of that type. */
export type RuleOwner = VendorId | 'platform';

/** Rules of one owner at most. */
export const MOST_RULES = 100;

/** All rules of one owner. */
export type RuleBook = {
  readonly id: RuleOwner;
  readonly rules: readonly PricingRule[];
  /** Rises by one with each change. */
  readonly version: number;
  readonly updatedAt: number;
};

export const emptyBook = (id: RuleOwner): RuleBook => ({ id, rules: [], version: 0, updatedAt: 0 });

/** Says whether a rule holds at this time. */
export function isActive({ activeFrom, activeTo }: PricingRule, at: number): boolean {
  return activeFrom <= at && (activeTo === null || at < activeTo);
}

/**
 * The rules that price a delivery now. One rule of each type of charge holds: one of the vendor's, else one of the
 * platform's, else the one of the settings. If an owner has several, the one that began last holds. All active
 * discounts hold.
 * @param books the vendor's and the platform's
 */
export function rulesInForce(books: readonly RuleBook[], settings: readonly PriceRule[], now: number): PriceRule[] {
  const stored = books.map(({ rules }) =>
    rules
      .filter((rule) => isActive(rule, now))
      .toSorted((a, b) => b.activeFrom - a.activeFrom || (a.id < b.id ? 1 : -1)),
  );
  const charges = settings.map((setting) => {
    const own = stored.map((rules) => rules.find(({ terms }) => terms.type === setting.terms.type));
    return own.find((rule) => rule !== undefined) ?? setting;
  });
  return [...charges, ...stored.flat().filter(({ terms }) => isDiscount(terms))];
}

/** The same rules with one more. The rules that ended first make room. Null if every place is taken. */
export function withRule(
  rules: readonly PricingRule[],
  added: PricingRule,
  now: number,
): readonly PricingRule[] | null {
  if (rules.length < MOST_RULES) return [...rules, added];
  const [oldest] = rules
    .filter(({ activeTo }) => activeTo !== null && activeTo <= now)
    .toSorted((a, b) => (a.activeTo ?? 0) - (b.activeTo ?? 0));
  return oldest === undefined ? null : [...rules.filter((rule) => rule !== oldest), added];
}
