import type { DisputeId, RefundId } from '../ids.ts';
import type { Split } from './split.ts';

/** The reasons for which the end of a delivery charges its vendor. */
export const CHARGE_TYPES = ['delivery', 'tip', 'wait', 'return', 'cancellation'] as const;

/** One line of what the end of a delivery charged its vendor, minor units. The amount contains the tax. Keys are wire form. */
export type ChargeLine = {
  readonly type: (typeof CHARGE_TYPES)[number];
  readonly amount: number;
  readonly tax: number;
};

/** Money of a charge that went back to the vendor. It never changes. */
export type Refund = {
  readonly id: RefundId;
  /** The name that its caller gave it. A delivery has one refund of each name. */
  readonly reference: string;
  /** The words of the caller. */
  readonly reason: string;
  /** The parts of the lines of the charge that went back, minor units, above 0. */
  readonly lines: readonly ChargeLine[];
  /** The dispute that it decides. Absent for none. */
  readonly disputeId?: DisputeId;
  /** Service time in ms. */
  readonly at: number;
};

/** The money of a delivery, minor units. Rates are basis points, as of its birth: what was promised is what is paid. */
export type Funds = {
  /** The shares of the fee. They sum to it. */
  readonly shares: Pick<Split, 'customer' | 'vendor' | 'platform'>;
  /** The tax that prices contain, of the price without it, and the courier's share of a fee without its tax. */
  readonly taxRateBp: number;
  readonly courierShareBp: number;
  /** The amount that the vendor's wallet reserves until the end: the fee without the platform's share, and the tip. */
  readonly hold: number;
  /** The fact under which the ledger has the hold. A hold of nothing is not in the ledger. */
  readonly holdKey: string;
  /** The charge of the vendor by the end. Absent while the delivery is open. */
  readonly charges?: readonly ChargeLine[];
  /** The refunds of the charge, oldest first. Together they never exceed it. Absent for none. */
  readonly refunds?: readonly Refund[];
};

/** The sum that the vendor pays for these lines, minor units. */
export function chargedOf(lines: readonly ChargeLine[]): number {
  return lines.reduce((sum, { amount }) => sum + amount, 0);
}

/** The tax that these lines contain, minor units. */
export function taxOf(lines: readonly ChargeLine[]): number {
  return lines.reduce((sum, { tax }) => sum + tax, 0);
}

/** The sum of the refunds of a delivery, minor units. */
export function refundedOf({ refunds = [] }: Pick<Funds, 'refunds'>): number {
  return chargedOf(refunds.flatMap(({ lines }) => lines));
}
