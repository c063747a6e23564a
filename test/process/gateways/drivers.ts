import { createHmac } from 'node:crypto';
import { Stripe } from 'stripe';
import { readMajor } from '../../../src/money/currencies.ts';
import type { TopUp } from '../../../src/money/top-ups/top-up.ts';
import type { CallbackHeaders, Gateway } from '../../../src/ports/money/gateways.ts';
import { createFlutterwaveGateway } from '../../../src/process/gateways/flutterwave-gateway.ts';
import { createPaystackGateway } from '../../../src/process/gateways/paystack-gateway.ts';
import { createStripeGateway } from '../../../src/process/gateways/stripe-gateway.ts';
import { openFakeFlutterwave } from './fake-flutterwave.ts';
import { openFakePaystack } from './fake-paystack.ts';
import { openFakeStripe } from './fake-stripe.ts';
import type { Fault } from './open-fake.ts';

/** The result of a payer's try: all of the money, some of it, money of another currency, or none. */
export type Outcome = 'paid' | 'less' | 'other currency' | 'failed' | 'unfinished';
type Money = { readonly amount: number; readonly currency: string };

/** A gateway with a fake of its service, and the hands of a payer. */
export type Driver = {
  readonly gateway: Gateway;
  readonly faults: Fault[];
  readonly currency: string;
  /** The money that the gateway was told to take, minor units. */
  asked(topUp: TopUp): Money;
  /** Lets the payer do something on the page. */
  pay(topUp: TopUp, outcome: Outcome): void;
  /** The callback about a successful payment, with a proof of this secret. */
  callback(topUp: TopUp, over?: { readonly secret?: string; readonly event?: string }): Sent;
};
export type Sent = readonly [body: Buffer, headers: CallbackHeaders & Readonly<Record<string, string>>];

const common = { realMs: 2000, homeUrl: 'https://delivery.example' };
const OTHER = 'USD';

/** A driver of each gateway that takes real money. */
export const DRIVERS = { stripe: driveStripe, paystack: drivePaystack, flutterwave: driveFlutterwave } as const;

async function driveStripe(): Promise<Driver> {
  const fake = await openFakeStripe();
  const [key, webhookSecret] = ['sk_test_abcdefghijkl', 'whsec_abcdefghijkl'];
  const session = (topUp: TopUp): string => topUp.checkout?.gatewayId ?? '';
  const paid = { status: 'complete', payment_status: 'paid' };
  return {
    gateway: await createStripeGateway({
      ...common,
      key,
      webhookSecret,
      url: fake.url,
      clock: { real: { wall: () => Date.now() } },
    }),
    faults: fake.faults,
    currency: 'EUR',
    asked: (topUp) => {
      const made = fake.sessions.get(session(topUp));
      return { amount: Number(made?.['amount_total']), currency: String(made?.['currency']).toUpperCase() };
    },
    pay: (topUp, outcome) => {
      const changes: Readonly<Record<Outcome, Record<string, unknown>>> = {
        paid,
        less: { ...paid, amount_total: topUp.amount - 1 },
        'other currency': { ...paid, currency: OTHER.toLowerCase() },
        failed: {},
        unfinished: {},
      };
      fake.change(session(topUp), changes[outcome]);
    },
    callback: ({ id }, { secret = webhookSecret, event = 'checkout.session.completed' } = {}) => {
      const object = { client_reference_id: id, payment_status: 'paid' };
      const payload = JSON.stringify({ id: 'evt_1', object: 'event', type: event, data: { object } });
      const header = new Stripe(key).webhooks.generateTestHeaderString({ payload, secret });
      return [Buffer.from(payload), { 'stripe-signature': header }];
    },
  };
}

async function drivePaystack(): Promise<Driver> {
  const fake = await openFakePaystack();
  const key = 'sk_test_abcdefghijkl';
  const referenceOf = (topUp: TopUp): string => topUp.checkout?.gatewayId ?? topUp.id.replace('_', '-');
  return {
    gateway: createPaystackGateway({ ...common, key, url: fake.url }),
    faults: fake.faults,
    currency: 'NGN',
    asked: (topUp) => fake.transactions.get(referenceOf(topUp)) ?? { amount: 0, currency: '' },
    pay: (topUp, outcome) => {
      const changes = {
        paid: { status: 'success' },
        less: { status: 'success', amount: topUp.amount - 1 },
        'other currency': { status: 'success', currency: OTHER },
        failed: { status: 'failed' },
        unfinished: { status: 'ongoing' },
      } as const;
      fake.change(referenceOf(topUp), changes[outcome]);
    },
    callback: (topUp, { secret = key, event = 'charge.success' } = {}) => {
      const body = Buffer.from(JSON.stringify({ event, data: { reference: referenceOf(topUp), status: 'success' } }));
      return [body, { 'x-paystack-signature': createHmac('sha512', secret).update(body).digest('hex') }];
    },
  };
}

async function driveFlutterwave(): Promise<Driver> {
  const fake = await openFakeFlutterwave();
  const [key, secretHash] = ['FLWSECK_TEST-abcdefghijkl', 'a-secret-hash-of-ours'];
  return {
    gateway: createFlutterwaveGateway({ ...common, key, secretHash, url: fake.url }),
    faults: fake.faults,
    currency: 'KES',
    asked: ({ id }) => {
      const { amount = '', currency = '' } = fake.asked.get(id) ?? {};
      return { amount: readMajor(amount, currency) ?? 0, currency };
    },
    pay: ({ id, amount }, outcome) => {
      const changes = {
        paid: { status: 'successful' },
        less: { status: 'successful', amount: (amount - 1) / 100 },
        'other currency': { status: 'successful', currency: OTHER },
        failed: { status: 'failed' },
        unfinished: { status: 'pending' },
      } as const;
      fake.tryToPay(id, changes[outcome]);
    },
    callback: ({ id }, { secret = secretHash, event = 'charge.completed' } = {}) => {
      const body = Buffer.from(JSON.stringify({ event, data: { id: 1, tx_ref: id, status: 'successful' } }));
      return [body, { 'flutterwave-signature': createHmac('sha256', secret).update(body).digest('base64') }];
    },
  };
}

/** A top-up with an open page at the gateway. */
export async function opened({ gateway }: Driver, topUp: TopUp): Promise<TopUp> {
  const { url, gatewayId } = await gateway.open(topUp, { email: null });
  return { ...topUp, checkout: { url, gatewayId } };
}
