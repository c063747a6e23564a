import type { Discount, Split, Subsidy } from '../../domain/pricing/split.ts';
import { amountOf, dividedHalfUp } from '../amount.ts';

/** Basis points of the whole. */
const WHOLE_BP = 10_000n;

/** A discount before it is taken off: how much of what the customer would still pay. */
type Step = Omit<Discount, 'amount'> & { readonly of: (rest: number) => number };

/**
 * Divides a fee among customer, vendor and platform. Each discount is taken off what the customer would still pay, and
 * never more than that.
 */
export function splitFee(
  fee: number,
  subsidy: Subsidy | null,
): Pick<Split, 'customer' | 'vendor' | 'platform' | 'discounts'> {
  const steps: Step[] =
    subsidy === null ? [] : [{ type: 'subsidy', paid_by: 'vendor', of: (rest) => subsidyOf(subsidy, rest) }];
  let customer = fee;
  const discounts: Discount[] = [];
  for (const { type, paid_by, of } of steps) {
    const amount = amountOf(Math.min(customer, of(customer)));
    if (amount === 0) continue;
    discounts.push({ type, amount, paid_by });
    customer = amountOf(customer - amount);
  }
  return { customer, vendor: paidBy('vendor', discounts), platform: paidBy('platform', discounts), discounts };
}

function subsidyOf(subsidy: Subsidy, rest: number): number {
  switch (subsidy.type) {
    case 'fixed':
      return subsidy.amount;
    case 'percent':
      return Math.min(dividedHalfUp(BigInt(rest) * BigInt(subsidy.rate_bp), WHOLE_BP), subsidy.cap ?? rest);
    case 'free':
      return Math.min(rest, subsidy.cap ?? rest);
  }
}

function paidBy(payer: Discount['paid_by'], discounts: readonly Discount[]): number {
  return amountOf(discounts.reduce((sum, { paid_by, amount }) => sum + (paid_by === payer ? amount : 0), 0));
}
