import { seeded } from '../src/dispatch/match/random.ts';

/** Numbers that look random and are the same for the same seed, so that a run can be repeated. */
export type Random = {
  /** From 0 up to, but not including, 1. */
  next(): number;
  between(low: number, high: number): number;
  /** Normally distributed (Box and Muller). */
  normal(mean: number, deviation: number): number;
  /** Half of the values are below the median. `sigma` is the standard deviation of their logarithm. */
  logNormal(median: number, sigma: number): number;
  /** One of the items, chosen with a probability in proportion to its weight. */
  pick<T>(items: readonly T[], weightOf: (item: T) => number): T;
};

/** The matcher's generator with the distributions that a day needs. `seed` is any whole number. */
export function createRandom(seed: number): Random {
  const next = seeded(seed);
  const normal = (mean: number, deviation: number): number =>
    mean + deviation * Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next());
  return {
    next,
    normal,
    between: (low, high) => low + (high - low) * next(),
    logNormal: (median, sigma) => median * Math.exp(normal(0, sigma)),
    pick(items, weightOf) {
      let rest = next() * items.reduce((sum, item) => sum + weightOf(item), 0);
      const found = items.find((item) => (rest -= weightOf(item)) < 0) ?? items.at(-1);
      if (found === undefined) throw new Error('nothing to pick from');
      return found;
    },
  };
}
