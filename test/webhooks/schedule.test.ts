import { fc, test as check } from '@fast-check/vitest';
import { expect, test } from 'vitest';
import { nextTryAfterMs, parseRetryAfter, STEPS_MS } from '../../src/webhooks/schedule.ts';

const FAILED = { status: 500, isTimeout: false, retryAfterMs: null };
const HOUR = 3_600_000;

test('[W3] ten tries over 75.6 hours, then no more', () => {
  expect(STEPS_MS).toHaveLength(10);
  const waits = STEPS_MS.map((_, index) => nextTryAfterMs(index + 1, FAILED, 0.5));
  expect(waits.at(-1)).toBeNull();
  const total = waits.reduce<number>((sum, wait) => sum + (wait ?? 0), 0);
  expect(total / HOUR).toBeCloseTo(75.6, 1);
});

test('[W4] a success, and a receiver that is gone (410), end the attempt', () => {
  expect(nextTryAfterMs(1, { ...FAILED, status: 204 }, 0.5)).toBeNull();
  expect(nextTryAfterMs(1, { ...FAILED, status: 410 }, 0.5)).toBeNull();
  expect(nextTryAfterMs(1, { ...FAILED, status: 302 }, 0.5)).not.toBeNull();
});

check.prop({
  made: fc.integer({ min: 1, max: 9 }),
  jitter: fc.double({ min: 0, max: 0.999, noNaN: true }),
  asked: fc.option(fc.integer({ min: 0, max: 1e9 })),
})(
  '[W5] jitter stays within 20 %, Retry-After between one and two steps, an overloaded receiver gets a minute',
  ({ made, jitter, asked }) => {
    const step = STEPS_MS[made] ?? 0;
    const wait = nextTryAfterMs(made, { ...FAILED, retryAfterMs: asked }, jitter) ?? 0;
    expect(wait).toBeGreaterThanOrEqual(Math.floor(step * 0.8));
    expect(wait).toBeLessThanOrEqual(Math.ceil(Math.min(24 * HOUR, step * 2 * 1.2)));
    const busy = nextTryAfterMs(made, { status: 429, isTimeout: false, retryAfterMs: asked }, jitter) ?? 0;
    expect(busy).toBeGreaterThanOrEqual(60_000);
  },
);

test('[W5] Retry-After is read as seconds or as a date', () => {
  expect(parseRetryAfter('120', 0)).toBe(120_000);
  expect(parseRetryAfter('Thu, 01 Jan 1970 00:01:00 GMT', 0)).toBe(60_000);
  expect(parseRetryAfter('soon', 0)).toBeNull();
  expect(parseRetryAfter(undefined, 0)).toBeNull();
});
