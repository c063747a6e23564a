import assert from 'node:assert';

declare const AMOUNT: unique symbol;

/** An amount in minor units of a currency. It is a safe integer, so sums and differences have no error. */
export type Amount = number & { readonly [AMOUNT]: true };

/** The amount that a number is. Asserts that it is a safe integer. */
export function amountOf(value: number | bigint): Amount {
  const number = Number(value);
  assert(Number.isSafeInteger(number), 'an amount is a whole number of minor units below 2^53');
  // -0 would differ from 0 where values are compared.
  return (number === 0 ? 0 : number) as Amount;
}

/** Divides an amount by weights, largest remainder first and then in order, so that the parts sum exactly to it. */
export function allocate(total: Amount, weights: readonly number[]): Amount[] {
  const all = weights.reduce((sum, weight) => sum + BigInt(weight), 0n);
  assert(all > 0n && weights.every((weight) => weight >= 0), 'weights are not negative, and one is above 0');
  const size = BigInt(Math.abs(total));
  const shares = weights.map((weight, index) => {
    const product = size * BigInt(weight);
    return { index, part: product / all, rest: product % all };
  });
  const missing = size - shares.reduce((sum, { part }) => sum + part, 0n);
  const byRest = shares.toSorted((a, b) => Number(b.rest - a.rest) || a.index - b.index);
  const larger = new Set(byRest.slice(0, Number(missing)).map(({ index }) => index));
  const sign = total < 0 ? -1n : 1n;
  return shares.map(({ index, part }) => amountOf(sign * (larger.has(index) ? part + 1n : part)));
}

/** The quotient of an amount and a positive divisor, of which the magnitude is rounded half up. */
export function dividedHalfUp(value: bigint, by: bigint): Amount {
  const size = value < 0n ? -value : value;
  const rounded = (2n * size + by) / (2n * by);
  return amountOf(value < 0n ? -rounded : rounded);
}
