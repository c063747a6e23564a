import { expect, onTestFinished, test } from 'vitest';
import { leadGateways } from '../../../src/dispatch/due/lead-gateways.ts';
import type { GatewayName } from '../../../src/money/gateways.ts';
import type { Gateway } from '../../../src/ports/money/gateways.ts';
import { handClock } from '../../clock.ts';
import { keptLog } from '../../kept-ports.ts';

test('[J295] each configured gateway has a lease and a pace of its own, and others are looked at once a minute if nobody leads them', async () => {
  const clock = handClock();
  const [leased, turned] = [new Set<string>(), new Map<GatewayName, number>()];
  // Another process is configured for Paystack, and leads its work.
  const leases = {
    tryHold: (name: string) => Promise.resolve(name.endsWith('paystack') ? null : leased.add(name).size),
    release: () => Promise.resolve(),
  };
  const gateways = (['stripe', 'sandbox'] as const).map((name) => ({ name }) as Gateway);
  const pace = { everyMs: 0, leastRealMs: 500 };
  const led = leadGateways({ clock, leases, gateways, log: keptLog() }, 'work of', pace, (gateway) => () => {
    turned.set(gateway, (turned.get(gateway) ?? 0) + 1);
    return Promise.resolve();
  });
  onTestFinished(async () => void (await Promise.all(led.map((each) => each.stop()))));
  await clock.advance(59_000);
  expect([...leased].toSorted((a, b) => (a < b ? -1 : 1))).toEqual([
    'work of absent gateways',
    'work of flutterwave',
    'work of sandbox',
    'work of stripe',
  ]);
  const seen = Object.fromEntries(turned);
  // One look at the start, and one within the first minute.
  expect([1, 2]).toContain(seen['flutterwave']);
  expect(seen['paystack']).toBeUndefined();
  expect(Math.min(seen['stripe'] ?? 0, seen['sandbox'] ?? 0)).toBeGreaterThan(100);
  await clock.advance(60_000);
  expect(turned.get('flutterwave')).toBeGreaterThan(seen['flutterwave'] ?? Infinity);
  expect(turned.has('paystack')).toBe(false);
});
