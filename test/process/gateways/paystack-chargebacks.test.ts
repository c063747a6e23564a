import { createHmac } from 'node:crypto';
import { expect, test } from 'vitest';
import { newId } from '../../../src/domain/ids.ts';
import { createPaystackGateway } from '../../../src/process/gateways/paystack-gateway.ts';
import { aTopUp } from '../../money/top-ups/a-top-up.ts';
import { openFakePaystack } from './fake-paystack.ts';

const key = 'sk_test_abcdefghijkl';
const fake = await openFakePaystack();
const gateway = createPaystackGateway({ key, url: fake.url, realMs: 1000, homeUrl: 'https://delivery.example' });

function read(event: string, data: object, secret = key) {
  const body = Buffer.from(JSON.stringify({ event, data }));
  return gateway.readCallback(body, {
    'x-paystack-signature': createHmac('sha512', secret).update(body).digest('hex'),
  });
}

test('[J323] callbacks of Paystack about refunds and disputes name the payment, and prove nothing else', async () => {
  const { id } = aTopUp();
  const reference = `top-${id.slice('top_'.length)}`;
  const back = { is: 'taken_back', paymentId: reference };
  for (const state of ['pending', 'processing', 'processed', 'failed', 'needs-attention'])
    expect(read(`refund.${state}`, { transaction_reference: reference })).toEqual(back);
  for (const state of ['create', 'remind', 'resolve'])
    expect(read(`charge.dispute.${state}`, { id: 1, transaction: { reference } })).toEqual(back);
  expect(read('refund.processed', { transaction_reference: reference }, 'sk_test_another_one')).toEqual({
    is: 'forged',
  });
  expect(read('transfer.success', { reference: newId('pay') })).toEqual({ is: 'other' });
  expect(await gateway.chargebacks?.referenceOf(reference)).toBe(id);
  expect(await gateway.chargebacks?.referenceOf('an-order-of-another-program')).toBeNull();
});

test('[J323] each refund of a payment names the one of ours that it carries out, and no two name the same', async () => {
  const [first, second] = [newId('tur'), newId('tur')];
  const topUp = aTopUp({ gateway: 'paystack', currency: 'NGN' });
  const { url, gatewayId } = await gateway.open(topUp, { email: null });
  fake.change(gatewayId, { status: 'success' });
  const transaction = fake.transactions.get(gatewayId)?.id ?? 0;
  const rows = [
    ['pending', 'by somebody', null],
    ['processing', 'by somebody', null],
    ['needs-attention', 'by somebody', null],
    ['processed', 'by somebody', 8],
    ['failed', 'by somebody', null],
    ['something new', 'by somebody', null],
    ['failed', first, null],
    ['processed', `we repeat ${first}`, null],
    ['processed', `${second} by our server`, null],
    ['processed', `we repeat ${second}`, null],
  ] as const;
  for (const [at, [status, note, dispute]] of rows.entries())
    fake.refunds.set(String(at), {
      id: at,
      transaction,
      amount: 10 + at,
      currency: 'NGN',
      status,
      merchant_note: note,
      dispute,
    });
  const listed = await gateway.chargebacks?.list({ ...topUp, checkout: { url, gatewayId } });
  const shown = listed?.map(({ id, cause, state, amount, names }) => [id, cause, state, amount, names]).toReversed();
  expect(shown).toEqual([
    ['0', 'refund', 'open', 10, null],
    ['1', 'refund', 'open', 11, null],
    ['2', 'refund', 'open', 12, null],
    ['3', 'dispute', 'final', 13, null],
    ['4', 'refund', 'returned', 14, null],
    ['6', 'refund', 'returned', 16, first],
    ['7', 'refund', 'final', 17, null],
    ['8', 'refund', 'final', 18, second],
    ['9', 'refund', 'final', 19, null],
  ]);
  expect(await gateway.chargebacks?.list({ ...topUp, checkout: null })).toEqual([]);
  const order = (reference: typeof first) => ({
    reference,
    topUpId: topUp.id,
    paymentId: gatewayId,
    amount: topUp.amount,
    currency: 'NGN',
  });
  const found = await Promise.all([first, second].map((reference) => gateway.refunds.find(order(reference))));
  expect(found).toMatchObject([{ amount: 16 }, { amount: 18 }]);
});
