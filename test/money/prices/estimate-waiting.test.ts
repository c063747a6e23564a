import { expect, test } from 'vitest';
import { estimateWaiting } from '../../../src/money/prices/estimate-waiting.ts';
import { defaultSettings } from '../../../src/settings.ts';

const MINUTE_MS = 60_000;
const { charges } = defaultSettings();
/** The minutes that cost, if goods take so long and a courier is there after 11 min. */
const minutes = (preparationMin: number | null) =>
  estimateWaiting(preparationMin === null ? null : preparationMin * MINUTE_MS, 11 * MINUTE_MS, charges).minutes;

test('[J235] waiting is expected after the arrival of a courier and ten free minutes, up to the most that is charged', () => {
  expect([21, 21.01, 22, 40, 51, 500].map(minutes)).toEqual([0, 1, 1, 19, 30, 30]);
  expect(minutes(null)).toBe(0);
  expect(estimateWaiting(40 * MINUTE_MS, 11 * MINUTE_MS, charges).amount).toBe(19 * charges.waitPerMinFee);
});
