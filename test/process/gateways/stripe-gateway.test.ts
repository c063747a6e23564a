import { beforeEach, expect, test } from 'vitest';
import { Stripe } from 'stripe';
import { amountOf } from '../../../src/money/amount.ts';
import { createStripeGateway } from '../../../src/process/gateways/stripe-gateway.ts';
import type { ListedPayment } from '../../../src/money/reconcile/reconciliation.ts';
import type { ListedPage } from '../../../src/ports/money/gateways.ts';
import { aTopUp } from '../../money/top-ups/a-top-up.ts';
import { openFakeStripe } from './fake-stripe.ts';

const KEY = 'sk_test_abcdefghijkl';
const webhookSecret = 'whsec_abcdefghijkl';
const homeUrl = 'https://delivery.example';
const nobody = { email: null };
const fake = await openFakeStripe();
/** The wall clock of the database, hours beside that of this process. */
const WALL_MS = Date.now() + 5 * 3_600_000;
const clock = { real: { wall: () => WALL_MS } };
const options = { key: KEY, webhookSecret, url: fake.url, realMs: 1000, homeUrl, clock };
const gateway = await createStripeGateway(options);

beforeEach(() => {
  fake.faults.splice(0);
  fake.heard.splice(0);
});

/** A top-up with an open session at Stripe. */
async function anOpenOne() {
  const topUp = aTopUp({ gateway: 'stripe', amount: amountOf(2500), returnUrl: 'https://shop.example/wallet' });
  const { url, gatewayId } = await gateway.open(topUp, nobody);
  return { ...topUp, checkout: { url, gatewayId }, session: gatewayId };
}

/** A callback as Stripe signs it. */
function aCallback(
  type: string,
  object: object,
  { secret = webhookSecret, timestamp = Math.floor(WALL_MS / 1000) } = {},
) {
  const payload = JSON.stringify({ id: 'evt_1', object: 'event', type, data: { object } });
  const header = new Stripe(KEY).webhooks.generateTestHeaderString({ payload, secret, timestamp });
  return [Buffer.from(payload), { 'stripe-signature': header }] as const;
}

test('[J92] a top-up opens one session at Stripe, however often it is tried, and the key says the mode', async () => {
  const topUp = await anOpenOne();
  expect(topUp.checkout.url).toBe(`https://checkout.stripe.com/c/pay/${topUp.session}`);
  expect(await gateway.open(topUp, nobody)).toMatchObject({ gatewayId: topUp.session, expiresAt: 1_800_000_000_000 });
  const [heard] = fake.heard;
  const body = new URLSearchParams(heard?.body);
  expect(heard?.headers.authorization).toBe(`Bearer ${KEY}`);
  expect(body.get('client_reference_id')).toBe(topUp.id);
  expect(body.get('success_url')).toBe('https://shop.example/wallet');
  expect(gateway.modes).toEqual(['test']);
  const live = await createStripeGateway({ ...options, key: 'rk_live_abcdefghijkl' });
  expect(live.modes).toEqual(['live']);
});

test('[J92] a payment that Stripe will never take is refused, also one in a currency that it counts otherwise', async () => {
  const small = aTopUp({ amount: amountOf(49) });
  await expect(gateway.open(small, nobody)).rejects.toMatchObject({ code: 'top_up_refused' });
  expect(['EUR', 'UGX'].map((currency) => gateway.takes(currency))).toEqual([true, false]);
});

test.each([
  [{}, { is: 'open' }],
  [{ status: 'expired' }, { is: 'closed' }],
  [{ status: 'complete' }, { is: 'processing' }],
  [{ status: 'complete', payment_intent: { status: 'requires_payment_method' } }, { is: 'declined' }],
  [{ status: 'complete', payment_intent: { status: 'canceled' } }, { is: 'declined' }],
  [
    { status: 'complete', payment_status: 'paid' },
    { is: 'paid', amount: 2500, currency: 'EUR' },
  ],
  [
    { status: 'complete', payment_status: 'paid', amount_total: 2400 },
    { is: 'paid', amount: 2400, currency: 'EUR' },
  ],
])('[J93] a session with %j means %j', async (fields, payment) => {
  const topUp = await anOpenOne();
  fake.change(topUp.session, fields);
  const reference = payment.is === 'paid' ? { reference: topUp.id } : {};
  expect(await gateway.verify(topUp)).toEqual({ ...payment, ...reference });
});

test('[J93] a session that Stripe does not know, or that was never answered, is unknown', async () => {
  const topUp = await anOpenOne();
  expect(await gateway.verify({ ...topUp, checkout: { url: '', gatewayId: 'cs_test_none' } })).toEqual({
    is: 'unknown',
  });
  expect(await gateway.verify({ ...topUp, checkout: null })).toEqual({ is: 'unknown' });
});

test('[J94] [C8] a callback of Stripe counts only with a fresh signature of its secret, by the wall clock of the database', async () => {
  const object = { client_reference_id: 'top_1', payment_status: 'paid' };
  const type = 'checkout.session.completed';
  expect(gateway.readCallback(...aCallback(type, object))).toEqual({
    is: 'about',
    callback: { reference: 'top_1', isPaid: true },
  });
  const expired = aCallback('checkout.session.expired', { ...object, payment_status: 'unpaid' });
  expect(gateway.readCallback(...expired)).toMatchObject({ callback: { isPaid: false } });
  for (const [of, about] of [
    ['customer.created', {}],
    [type, { client_reference_id: null }],
  ] as const)
    expect(gateway.readCallback(...aCallback(of, about))).toEqual({ is: 'other' });
  const old = Math.floor(WALL_MS / 1000) - 301;
  const [body, headers] = aCallback(type, object);
  const forged: (readonly [Buffer, Record<string, string>])[] = [
    aCallback(type, object, { secret: 'whsec_another_one' }),
    aCallback(type, object, { timestamp: old }),
    [Buffer.concat([body, Buffer.from(' ')]), headers] as const,
    [body, {}] as const,
  ];
  for (const callback of forged) expect(gateway.readCallback(...callback)).toEqual({ is: 'forged' });
});

test('[J224] Stripe lists the paid sessions of a span, page by page, and no others', async () => {
  const topUps = [await anOpenOne(), await anOpenOne(), await anOpenOne(), await anOpenOne()];
  const [unpaid, ...paid] = topUps;
  const strange = paid.at(-1);
  for (const { session } of paid) fake.change(session, { status: 'complete', payment_status: 'paid' });
  fake.change(strange?.session ?? '', { client_reference_id: 'an order of another program' });
  const ids = topUps.map(({ session }) => Number(session.split('_').at(-1)));
  const at = (id: number | undefined): number => (1_799_900_000 + (id ?? 0)) * 1000;
  const span = { liveMode: false, from: at(ids[0]), to: at(ids[3]) + 1000 };
  const listed: unknown[] = [];
  let after: string | null = null;
  do {
    const page: ListedPage<ListedPayment> | undefined = await gateway.payments?.list(span, after);
    listed.push(...(page?.items ?? []));
    after = page?.next ?? null;
  } while (after !== null);
  const payment = { amount: 2500, currency: 'EUR' };
  const named = paid.slice(0, 2).map(({ id, session }) => ({ gatewayId: session, topUpId: id, ...payment }));
  const unnamed = { gatewayId: strange?.session, topUpId: null, ...payment };
  expect(listed).toHaveLength(3);
  expect(listed.toReversed()).toMatchObject([...named, unnamed]);
  expect(JSON.stringify(listed)).not.toContain(`"${unpaid?.session}"`);
  fake.faults.push('unavailable');
  await expect(gateway.payments?.list(span, null)).rejects.toMatchObject({ code: 'gateway_unavailable' });
});

test.each([
  [{ fee: 59, currency: 'eur' }, 59],
  [{ fee: 59, currency: 'usd' }, null],
  ['txn_1', null],
  [null, null],
])('[J294] a session whose balance transaction is %j has the fee %j', async (balance, fee) => {
  const { session } = await anOpenOne();
  const intent = { latest_charge: { balance_transaction: balance } };
  fake.change(session, { status: 'complete', payment_status: 'paid', payment_intent: intent });
  const span = { liveMode: false, from: 0, to: 1_900_000_000_000 };
  const page = await gateway.payments?.list(span, null);
  expect(page?.items.find(({ gatewayId }) => gatewayId === session)?.fee).toBe(fee);
  const [expand] = fake.heard.at(-1)?.url.searchParams.getAll('expand[0]') ?? [];
  expect(expand).toBe('data.payment_intent.latest_charge.balance_transaction');
});
