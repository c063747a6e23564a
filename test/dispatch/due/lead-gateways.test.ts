import { expect, onTestFinished, test } from 'vitest';
import { leadGateways } from '../../../src/dispatch/due/lead-gateways.ts';
import type { Gateway } from '../../../src/ports/money/gateways.ts';
import { handClock } from '../../clock.ts';
import { keptLog } from '../../kept-ports.ts';

test('[J295] [J361] each gateway with a key has a lease and a pace of its own in each mode, and others are looked at once a minute if nobody leads them', async () => {
  const clock = handClock();
  const [leased, turned] = [new Set<string>(), new Map<string, number>()];
  // Another process has the live key of Stripe, and leads its work.
  const leases = {
    tryHold: (name: string) => Promise.resolve(name.endsWith('stripe live') ? null : leased.add(name).size),
    release: () => Promise.resolve(),
  };
  const modesOf = { stripe: ['test'], paystack: ['test', 'live'], sandbox: ['test'] } as const;
  const gateways = Object.entries(modesOf).map(([name, modes]) => ({ name, modes }) as unknown as Gateway);
  const pace = { everyMs: 0, leastRealMs: 500 };
  const led = leadGateways({ clock, leases, gateways, log: keptLog() }, 'work of', pace, (of) => () => {
    const mode = `${of.gateway} ${of.liveMode ? 'live' : 'test'}`;
    turned.set(mode, (turned.get(mode) ?? 0) + 1);
    return Promise.resolve();
  });
  onTestFinished(async () => void (await Promise.all(led.map((each) => each.stop()))));
  await clock.advance(59_000);
  const [own, absent] = [
    ['paystack live', 'paystack test', 'sandbox test', 'stripe test'],
    ['flutterwave live', 'flutterwave test', 'sandbox live'],
  ];
  expect(leased).toEqual(new Set(['absent gateways', ...own, ...absent].map((name) => `work of ${name}`)));
  const seen = new Map(turned);
  // One look at the start, and one within the first minute.
  for (const mode of absent) expect([1, 2]).toContain(seen.get(mode));
  for (const mode of own) expect(seen.get(mode)).toBeGreaterThan(100);
  expect(seen.has('stripe live')).toBe(false);
  await clock.advance(60_000);
  for (const mode of absent) expect(turned.get(mode)).toBeGreaterThan(seen.get(mode) ?? Infinity);
  expect(turned.has('stripe live')).toBe(false);
});
