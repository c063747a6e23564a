import { expect, test } from 'vitest';
import { isoTime } from '../../../src/domain/time.ts';
import { amountOf } from '../../../src/money/amount.ts';
import type { ListedPayment } from '../../../src/money/reconcile/reconciliation.ts';
import type { Gateway, ListedPage } from '../../../src/ports/money/gateways.ts';
import { createFlutterwaveGateway } from '../../../src/process/gateways/flutterwave-gateway.ts';
import { createPaystackGateway } from '../../../src/process/gateways/paystack-gateway.ts';
import { NOON } from '../../builders.ts';
import { aTopUp } from '../../money/top-ups/a-top-up.ts';
import { openFakeFlutterwave } from './fake-flutterwave.ts';
import { openFakePaystack } from './fake-paystack.ts';
import type { Fault } from './open-fake.ts';

const common = { realMs: 2000, homeUrl: 'https://delivery.example' };
const nobody = { email: null };
const span = { liveMode: false, from: NOON, to: NOON + 1000 };
type Listing = {
  readonly gateway: Gateway;
  readonly faults: Fault[];
  /** Lets a payer pay for a top-up, or for an order of another program, or fail. Returns the id of the top-up. */
  readonly pay: (at: number, over?: { readonly isOther?: true; readonly isFailed?: true }) => Promise<string | null>;
  /** Lets the gateway list a payment in a way that it has not agreed to. Returns its name there. */
  readonly payOddly: (at: number) => Promise<string>;
};

async function listPaystack(): Promise<Listing> {
  const fake = await openFakePaystack();
  const gateway = createPaystackGateway({ ...common, key: 'sk_test_abcdefghijkl', url: fake.url });
  return {
    gateway,
    faults: fake.faults,
    pay: async (at, { isOther, isFailed } = {}) => {
      const topUp = aTopUp({ gateway: 'paystack', currency: 'NGN' });
      const { gatewayId } = await gateway.open(topUp, nobody);
      const reference = isOther === true ? `order-${gatewayId}` : gatewayId;
      const status = isFailed === true ? 'failed' : 'success';
      fake.change(gatewayId, { status, reference, created_at: isoTime(at) });
      return isOther === true ? null : topUp.id;
    },
    payOddly: async (at) => {
      const { gatewayId } = await gateway.open(aTopUp({ gateway: 'paystack', currency: 'NGN' }), nobody);
      fake.change(gatewayId, { status: 'success', amount: 0.5, created_at: isoTime(at) });
      return gatewayId;
    },
  };
}

async function listFlutterwave(): Promise<Listing> {
  const fake = await openFakeFlutterwave();
  const [key, secretHash] = ['FLWSECK_TEST-abcdefghijkl', 'a-secret-hash-of-ours'];
  const gateway = createFlutterwaveGateway({ ...common, key, secretHash, url: fake.url });
  return {
    gateway,
    faults: fake.faults,
    pay: async (at, { isOther, isFailed } = {}) => {
      const topUp = aTopUp({ gateway: 'flutterwave', currency: 'NGN' });
      await gateway.open(topUp, nobody);
      const status = isFailed === true ? 'failed' : 'successful';
      const named = isOther === true ? { tx_ref: `order-${topUp.id}` } : {};
      fake.tryToPay(topUp.id, { status, created_at: isoTime(at), ...named });
      return isOther === true ? null : topUp.id;
    },
    payOddly: async (at) => {
      const topUp = aTopUp({ gateway: 'flutterwave', currency: 'NGN' });
      await gateway.open(topUp, nobody);
      fake.tryToPay(topUp.id, { id: 77, status: 'successful', amount: '10' as never, created_at: isoTime(at) });
      return '77';
    },
  };
}

const LISTINGS = { paystack: listPaystack, flutterwave: listFlutterwave };

test.each(Object.entries(LISTINGS))(
  '[J290] [J294] %s lists the successful payments of a span, with their fees, by page',
  async (name, open) => {
    const { gateway, faults, pay } = await open();
    const wanted: unknown[] = [];
    for (let at = 0; at < 104; at += 1) {
      const topUpId = await pay(NOON + at, at === 60 ? { isOther: true } : {});
      wanted.push([topUpId, amountOf(1000), 'NGN', amountOf(100), NOON + at]);
    }
    await pay(NOON - 3_600_000);
    await pay(NOON + 3_600_000);
    await pay(NOON + 5, { isFailed: true });
    const listed: ListedPayment[] = [];
    let [after, pages]: [string | null, number] = [null, 0];
    do {
      const page: ListedPage<ListedPayment> | undefined = await gateway.payments?.list(span, after);
      listed.push(...(page?.items ?? []));
      [after, pages] = [page?.next ?? null, pages + 1];
    } while (after !== null);
    const shown = listed.map(({ topUpId, amount, currency, fee, createdAt }) => [
      topUpId,
      amount,
      currency,
      fee,
      createdAt,
    ]);
    expect(shown.toReversed()).toEqual(wanted);
    expect(new Set(listed.map(({ gatewayId }) => gatewayId)).size).toBe(104);
    expect(pages).toBe(name === 'paystack' ? 3 : 11);
    for (const fault of ['unavailable', 'limited', 'unauthorized', 'silence'] as const) {
      faults.push(fault);
      await expect(gateway.payments?.list(span, null)).rejects.toMatchObject({ code: 'gateway_unavailable' });
    }
  },
);

test.each(Object.entries(LISTINGS))(
  '[J362] a payment that %s lists in another way is named, and does not keep the others from being read',
  async (_name, open) => {
    const { gateway, pay, payOddly } = await open();
    const [before, odd, after] = [await pay(NOON), await payOddly(NOON + 1), await pay(NOON + 2)];
    const page = await gateway.payments?.list(span, null);
    expect(page?.items.map(({ topUpId }) => topUpId)).toEqual([after, before]);
    expect(page?.unread).toEqual([expect.stringMatching(new RegExp(`^${odd}: amount: .+`))]);
  },
);

test('[J322] Paystack lists a payment that was refunded since, so that the comparison of its day still matches it', async () => {
  const fake = await openFakePaystack();
  const gateway = createPaystackGateway({ ...common, key: 'sk_test_abcdefghijkl', url: fake.url });
  const wanted = new Set<string>();
  for (const status of ['success', 'reversed', 'reversal_pending', 'abandoned', 'failed']) {
    const topUp = aTopUp({ gateway: 'paystack', currency: 'NGN' });
    const { gatewayId, url } = await gateway.open(topUp, nobody);
    fake.change(gatewayId, { status, created_at: isoTime(NOON) });
    if (wanted.size < 3) wanted.add(topUp.id);
    const { is } = await gateway.verify({ ...topUp, checkout: { gatewayId, url } });
    expect(is).toBe(wanted.has(topUp.id) ? 'paid' : 'open');
  }
  const page = await gateway.payments?.list(span, null);
  expect(page?.items).toHaveLength(3);
  expect(new Set(page?.items.map(({ topUpId }) => topUpId))).toEqual(wanted);
});

test('[J347] Flutterwave lists a payment of a part of a minor unit without an amount, and the others beside it', async () => {
  const fake = await openFakeFlutterwave();
  const [key, secretHash] = ['FLWSECK_TEST-abcdefghijkl', 'a-secret-hash-of-ours'];
  const gateway = createFlutterwaveGateway({ ...common, key, secretHash, url: fake.url });
  const paid = async (currency: string, fields: object) => {
    const topUp = aTopUp({ gateway: 'flutterwave', currency });
    await gateway.open(topUp, nobody);
    fake.tryToPay(topUp.id, { status: 'successful', created_at: isoTime(NOON), ...fields });
    return topUp;
  };
  await paid('RWF', { tx_ref: 'an order of a payment link', amount: 100.5 });
  const own = await paid('NGN', { amount: 10.001 });
  const whole = await paid('NGN', {});
  const page = await gateway.payments?.list(span, null);
  const shown = page?.items.map(({ topUpId, amount, fee }) => [topUpId, [amount, fee]] as const);
  expect(new Map(shown)).toEqual(
    new Map([
      [null, [null, null]],
      [own.id, [null, null]],
      [whole.id, [1000, 100]],
    ]),
  );
  // Payments of others say nothing about a top-up, and one of its own that cannot be booked does.
  expect(await gateway.paymentsOf?.(whole)).toMatchObject([{ amount: 1000 }]);
  await expect(gateway.paymentsOf?.(own)).rejects.toMatchObject({ code: 'gateway_unavailable' });
});

test.each([
  [{ app_fee: 0.14, amount_settled: 9.36 }, 64],
  [{ app_fee: 0.14, amount_settled: 10 }, 0],
  [{ app_fee: 0.14, amount_settled: null }, 14],
  [{ app_fee: null, amount_settled: null }, null],
  [{ app_fee: 0.145, amount_settled: null }, null],
  [{ app_fee: 0.14, amount_settled: 10.01 }, null],
])('[J294] of 10.00 NGN that Flutterwave lists with %j, it keeps %j', async (fields, fee) => {
  const fake = await openFakeFlutterwave();
  const [key, secretHash] = ['FLWSECK_TEST-abcdefghijkl', 'a-secret-hash-of-ours'];
  const gateway = createFlutterwaveGateway({ ...common, key, secretHash, url: fake.url });
  const topUp = aTopUp({ gateway: 'flutterwave', currency: 'NGN' });
  await gateway.open(topUp, nobody);
  fake.tryToPay(topUp.id, { status: 'successful', created_at: isoTime(NOON), ...fields });
  expect((await gateway.payments?.list(span, null))?.items.map((one) => one.fee)).toEqual([fee]);
});
