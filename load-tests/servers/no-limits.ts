// Rate limits that no load test reaches. One client stands for many here.
import type { Settings } from '../../src/settings.ts';

const NO_LIMIT = 1_000_000;
/** The highest value of each limit on positions. */
const MOST_POSITIONS = 1000;

/** The settings of a server whose rate limits are out of reach. */
export function unlimited(): Settings['limits'] {
  return {
    livePerS: NO_LIMIT,
    testPerS: NO_LIMIT,
    testReadsPerS: NO_LIMIT,
    quotesPerS: NO_LIMIT,
    locationsPerS: MOST_POSITIONS,
    locationsBurst: MOST_POSITIONS,
    webhookTestsPerMin: NO_LIMIT,
    invoicesPerMin: NO_LIMIT,
    payoutsPerMin: NO_LIMIT,
    proofsPerHour: NO_LIMIT,
    linkPerMin: NO_LIMIT,
  };
}

/** The same settings as variables of the environment. */
export function unlimitedEnvironment(): Record<string, string> {
  const named = Object.entries(unlimited()).map(([name, value]) => [
    `LIMITS_${name.replaceAll(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}`,
    String(value),
  ]);
  return Object.fromEntries(named) as Record<string, string>;
}
