import { WHOLE_BP } from '../domain/pricing/rules.ts';
import { dividedHalfUp, type Amount } from './amount.ts';

const WHOLE = BigInt(WHOLE_BP);

/** The share of an amount at a rate in basis points, rounded half up once. */
export function shareAt(amount: number, rateBp: number): Amount {
  return dividedHalfUp(BigInt(amount) * BigInt(rateBp), WHOLE);
}

/** An amount without the tax that it contains. The rate is basis points of the amount without tax. */
export function withoutTax(amount: number, rateBp: number): Amount {
  return dividedHalfUp(BigInt(amount) * WHOLE, WHOLE + BigInt(rateBp));
}
