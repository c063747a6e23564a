import { expect, test } from 'vitest';
import type { BankDetails } from '../../../src/domain/couriers/bank-account.ts';
import { newId } from '../../../src/domain/ids.ts';
import { amountOf } from '../../../src/money/amount.ts';
import type { TransferOrder } from '../../../src/money/payouts/transfer.ts';
import type { GatewayTransfers } from '../../../src/ports/money/gateways.ts';
import { createFlutterwaveGateway } from '../../../src/process/gateways/flutterwave-gateway.ts';
import { createPaystackGateway } from '../../../src/process/gateways/paystack-gateway.ts';
import { openFakeFlutterwave } from './fake-flutterwave.ts';
import { openFakePaystack } from './fake-paystack.ts';
import { openFake } from './open-fake.ts';
import { sendTo } from './send-to.ts';

const common = { realMs: 1000, homeUrl: 'https://delivery.example' };
const [paystack, flutterwave] = [await openFakePaystack(), await openFakeFlutterwave()];
const atPaystack = transfersOf(createPaystackGateway({ ...common, key: 'sk_test_abcdefghijkl', url: paystack.url }));
const key = 'FLWSECK_TEST-abcdefghijkl';
const atFlutterwave = transfersOf(
  createFlutterwaveGateway({ ...common, key, secretHash: 'a-secret-hash-of-ours', url: flutterwave.url }),
);
const BOTH = { paystack: { at: atPaystack, fake: paystack }, flutterwave: { at: atFlutterwave, fake: flutterwave } };
const unavailable = { code: 'gateway_unavailable' };

function transfersOf({ transfers }: { readonly transfers?: GatewayTransfers }): GatewayTransfers {
  if (transfers === undefined) throw new Error('the gateway makes transfers');
  return transfers;
}

function anOrder(money: Partial<TransferOrder> = {}, to: Partial<BankDetails> = {}): TransferOrder {
  const account = {
    holderName: 'Ada Obi',
    country: 'NG',
    form: 'local',
    number: '0690000000',
    bankCode: '058',
  } as const;
  const asked = { reference: newId('pay'), amount: amountOf(1501), currency: 'NGN' };
  return { ...asked, to: { ...account, ...to }, ...money };
}

const bodyOf = ({ heard }: Pick<typeof paystack, 'heard'>, fromEnd: number) =>
  JSON.parse(heard.at(-fromEnd)?.body ?? '');

test.each([
  ['NG', 'NGN', 'nuban'],
  ['GH', 'GHS', 'ghipss'],
  ['KE', 'KES', 'kepss'],
  ['ZA', 'ZAR', 'basa'],
])('[J311] to an account in %s, Paystack pays %s with a recipient of the type %s', async (country, currency, type) => {
  const order = anOrder({ currency }, { country });
  expect(await sendTo(atPaystack, order)).toMatchObject({ status: 'pending', currency });
  const account = { name: 'Ada Obi', account_number: '0690000000', bank_code: '058' };
  expect(bodyOf(paystack, 2)).toEqual({ type, currency, ...account });
  const { recipient, ...money } = bodyOf(paystack, 1);
  expect(money).toEqual({ source: 'balance', amount: 1501, currency, reference: order.reference, reason: 'Earnings' });
  expect(recipient).toMatch(/^RCP_/);
  expect(order.reference).toMatch(/^[a-z0-9_-]{16,50}$/);
});

const IBAN = { country: 'DE', form: 'iban', number: 'DE75512108001245126199', bankCode: null } as const;
test.each([
  ['paystack', 'NGN', IBAN],
  ['paystack', 'NGN', { country: 'GH' }],
  ['paystack', 'EUR', { country: 'NG' }],
  ['paystack', 'XOF', { country: 'CI' }],
  ['paystack', 'NGN', { form: 'iban' }],
  ['flutterwave', 'NGN', IBAN],
  ['flutterwave', 'NGN', { country: 'GH' }],
  ['flutterwave', 'KES', { country: 'KE' }],
  ['flutterwave', 'NGN', { form: 'iban' }],
] as const)('[J311] %s is not asked to pay %s to %j, which fails', async (name, currency, to) => {
  const { at, fake } = BOTH[name];
  const before = fake.heard.length;
  const refused = { status: 'failed', amount: 1501, currency, reason: 'refused_by_gateway' };
  expect(await sendTo(at, anOrder({ currency }, to))).toEqual(refused);
  expect(fake.heard).toHaveLength(before);
});

test('[J311] each gateway names the currencies in which it pays couriers', () => {
  const currencies = ['EUR', 'GHS', 'KES', 'NGN', 'USD', 'XOF', 'ZAR'];
  expect(currencies.filter((currency) => atPaystack.pays(currency))).toEqual(['GHS', 'KES', 'NGN', 'ZAR']);
  expect(currencies.filter((currency) => atFlutterwave.pays(currency))).toEqual(['NGN']);
});

test.each([
  ['success', 'success', null],
  ['pending', 'pending', null],
  ['received', 'pending', null],
  ['something new', 'pending', null],
  ['otp', 'needs_action', 'otp'],
  ['failed', 'failed', 'failed'],
  ['reversed', 'reversed', 'reversed'],
  ['abandoned', 'failed', 'abandoned'],
  ['blocked', 'failed', 'blocked'],
  ['rejected', 'failed', 'rejected'],
])('[J312] a transfer that is %s at Paystack is %s', async (status, meaning, reason) => {
  const order = anOrder();
  await sendTo(atPaystack, order);
  paystack.changeTransfer(order.reference, { status });
  expect(await atPaystack.find(order.reference)).toEqual({ status: meaning, amount: 1501, currency: 'NGN', reason });
});

const long = 'x'.repeat(300);
test.each([
  [{ status: 'NEW' }, 'pending', null],
  [{ status: 'PENDING' }, 'pending', null],
  [{ status: 'something new' }, 'pending', null],
  [{ status: 'NEW', requires_approval: 1, is_approved: 0 }, 'needs_action', 'requires_approval'],
  [{ status: 'NEW', requires_approval: 1, is_approved: 1 }, 'pending', null],
  [{ status: 'SUCCESSFUL', complete_message: 'Successful' }, 'success', null],
  [
    { status: 'FAILED', complete_message: 'DISBURSE FAILED: Account closed' },
    'failed',
    'DISBURSE FAILED: Account closed',
  ],
  [{ status: 'FAILED', complete_message: long }, 'failed', long.slice(0, 280)],
] as const)('[J312] a transfer with %j at Flutterwave is %s', async (fields, meaning, reason) => {
  const order = anOrder();
  await sendTo(atFlutterwave, order);
  flutterwave.changeTransfer(order.reference, fields);
  const transfer = { status: meaning, amount: 1501, currency: 'NGN', reason };
  expect(await atFlutterwave.find(order.reference)).toEqual(transfer);
});

test.each(Object.entries(BOTH))(
  '[J310] while %s says that a reference exists and does not find it, nothing is known',
  async (_name, { at, fake }) => {
    const order = anOrder();
    await sendTo(at, order);
    fake.hidden.add(order.reference);
    // The money is on its way, so the payout must not fail.
    await expect(sendTo(at, order)).rejects.toMatchObject(unavailable);
    fake.hidden.delete(order.reference);
    expect(await sendTo(at, order)).toMatchObject({ status: 'pending' });
  },
);

test('[J310] a transfer that exceeds the balance at Paystack fails, and one whose second call is not answered is open', async () => {
  const amount = amountOf(1_000_000_001);
  expect(await sendTo(atPaystack, anOrder({ amount }))).toMatchObject({
    status: 'failed',
    reason: 'refused_by_gateway',
  });
  const order = anOrder();
  paystack.loseNextTransfer();
  await expect(sendTo(atPaystack, order)).rejects.toMatchObject(unavailable);
  expect(await atPaystack.find(order.reference)).toMatchObject({ status: 'pending' });
});

test('[J310] an answer of a proxy proves nothing', async () => {
  const proxy = await openFake(() => ({
    status: 404,
    json: { message: 'no Route matched with those values', data: [] },
  }));
  const behind = { ...common, url: proxy.url };
  const gateways = [
    createPaystackGateway({ ...behind, key: 'sk_test_abcdefghijkl' }),
    createFlutterwaveGateway({ ...behind, key, secretHash: 'a-secret-hash-of-ours' }),
  ];
  for (const gateway of gateways) {
    const { reference, amount, currency } = anOrder();
    await expect(transfersOf(gateway).find(reference)).rejects.toMatchObject(unavailable);
    await expect(sendTo(transfersOf(gateway), anOrder())).rejects.toMatchObject(unavailable);
    const topUpId = newId('top');
    const refund = { reference: newId('tur'), topUpId, paymentId: topUpId, amount, currency };
    await expect(sendTo(gateway.refunds, refund)).rejects.toMatchObject(unavailable);
  }
});

test('[J310] an answer about another reference says nothing', async () => {
  const [one, other] = [anOrder(), anOrder()];
  for (const { at, fake } of Object.values(BOTH)) {
    await sendTo(at, one);
    fake.changeTransfer(one.reference, { reference: other.reference });
    await expect(at.find(one.reference)).rejects.toMatchObject(unavailable);
  }
});

test.each([
  [1501, 15.01],
  [110, 1.1],
  [999_999_999_999, 9_999_999_999.99],
])('[J215] a transfer of %i kobo at Flutterwave is %d naira, both ways', async (amount, major) => {
  const order = anOrder({ amount: amountOf(amount) });
  expect(await sendTo(atFlutterwave, order)).toMatchObject({ amount });
  const account = { account_bank: '058', account_number: '0690000000', beneficiary_name: 'Ada Obi' };
  const { reference } = order;
  const money = { amount: major, currency: 'NGN', debit_currency: 'NGN', reference, narration: 'Earnings' };
  expect(bodyOf(flutterwave, 1)).toEqual({ ...account, ...money });
  flutterwave.changeTransfer(reference, { amount: major + 0.001 });
  await expect(atFlutterwave.find(reference)).rejects.toMatchObject(unavailable);
});

test('[J347] Flutterwave lists a transfer of a part of a minor unit without an amount, and the others beside it', async () => {
  const [odd, whole] = [anOrder(), anOrder()];
  for (const order of [odd, whole]) {
    await sendTo(atFlutterwave, order);
    // A day of its own.
    flutterwave.changeTransfer(order.reference, { status: 'SUCCESSFUL', created_at: '2025-03-01T12:00:00.000Z' });
  }
  flutterwave.changeTransfer(odd.reference, { amount: 10.005 });
  const from = Date.UTC(2025, 2, 1);
  const page = await atFlutterwave.list({ liveMode: false, from, to: from + 86_400_000 }, null);
  expect(new Map(page.items.map(({ payoutId, amount }) => [payoutId, amount]))).toEqual(
    new Map([
      [odd.reference, null],
      [whole.reference, whole.amount],
    ]),
  );
});
