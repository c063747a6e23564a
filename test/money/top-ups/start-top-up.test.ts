import { expect, test } from 'vitest';
import { newId } from '../../../src/domain/ids.ts';
import { startTopUp } from '../../../src/money/top-ups/start-top-up.ts';
import type { Gateway } from '../../../src/ports/money/gateways.ts';
import { NOON } from '../../builders.ts';
import { aTopUp } from './a-top-up.ts';

type Context = Parameters<typeof startTopUp>[0];

/** A process with these gateways, which finds the top-up as an earlier try has stored it. */
async function retry(names: readonly Gateway['name'][], modes: Gateway['modes']) {
  const stored = aTopUp({ gateway: 'stripe', liveMode: true });
  const opened: string[] = [];
  const gateways = names.map((name) => ({
    name,
    modes,
    takes: () => true,
    open: async () => {
      opened.push(name);
      return { url: `https://${name}.example`, gatewayId: name, expiresAt: NOON };
    },
  }));
  const ctx = {
    gateways,
    clock: { now: () => NOON },
    settings: { topUps: { mostAmount: 10_000, mostPending: 3, checkoutMs: 1000 } },
    vendors: { get: async () => ({ currency: 'EUR', business: { contact: null } }) },
    topUps: { add: async () => stored, open: async () => stored },
  };
  const { vendorId, liveMode, amount } = stored;
  const asked = { vendorId, liveMode, amount, currency: null, gateway: null, returnUrl: null };
  const answer = await Promise.allSettled([startTopUp(ctx as object as Context, asked, newId('top'))]);
  return { opened, answer: answer[0] };
}

test('[J87] a retry goes on at the gateway of the first try, whatever this process prefers', async () => {
  expect((await retry(['paystack', 'stripe'], ['live'])).opened).toEqual(['stripe']);
});

test('[J87] if this process lacks the gateway of the first try, the caller gets 503 and no second page is opened', async () => {
  const { opened, answer } = await retry(['paystack'], ['live']);
  expect(opened).toEqual([]);
  expect(answer).toMatchObject({ status: 'rejected', reason: { code: 'gateway_unavailable' } });
});
