import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import { isIban } from '../../../../src/domain/couriers/bank-account.ts';
import { BANK_ACCOUNTS } from '../../../../src/models/couriers/bank-account-store.ts';
import { endOf, funded10 } from '../../../money/charges/ends.ts';
import { amountOf } from '../../../../src/money/amount.ts';
import { makePayouts } from '../../../../src/money/payouts/make-payouts.ts';
import { requestBatch } from '../../../../src/money/payouts/request-batch.ts';
import { adjustEarnings } from '../../../../src/money/wallets/adjust-earnings.ts';
import { earn } from '../../../money/payouts/an-earning.ts';
import { addCourier, addStaff, call, openHouse } from '../../house.ts';
import { replyOf } from '../../routes.ts';

const house = await openHouse('earnings');
const IBAN = 'DE75512108001245126199';
const GERMAN = { holder_name: 'Ada Obi', currency: 'EUR', iban: IBAN };
const NIGERIAN = {
  holder_name: 'Ada Obi',
  currency: 'NGN',
  country: 'NG',
  account_number: '0690000031',
  bank_code: '044',
};

let support = '';
beforeAll(async () => {
  support = await addStaff(house, 'support');
});

const put = (id: string, token: string, body: unknown) =>
  call(house, `PUT /couriers/${id}/bank-account`, { token, body });
const audited = async (objectId: string) =>
  (await house.ctx.audit.list({ action: 'bank_account.set', objectId }, { limit: 20, after: null })).items;

test('[J140] a bank account is kept encrypted, and its number is never shown or logged', async () => {
  const { id, token } = await addCourier(house);
  const set = await put(id, token, GERMAN);
  expect(set).toMatchObject({ status: 200, body: { courier_id: id, country: 'DE', form: 'iban', last4: '6199' } });
  const local = await put(id, token, NIGERIAN);
  expect(local.body).toMatchObject({ country: 'NG', form: 'local', last4: '0031', currency: 'NGN' });
  const stored = JSON.stringify(await house.mongo.collection(BANK_ACCOUNTS).find({ _id: id }).toArray());
  const told = [stored, JSON.stringify(await audited(id)), JSON.stringify(house.lines), set.text, local.text].join();
  for (const secret of [IBAN, '0690000031', 'Ada Obi'])
    expect([secret, told.includes(secret)]).toEqual([secret, false]);
});

test('[J141] a change of the bank account is audited and holds payouts back, and a repeat does neither', async () => {
  const { id, token } = await addCourier(house);
  const first = await put(id, token, GERMAN);
  expect(first.body['usable_at']).toBe(first.body['updated_at']);
  expect((await put(id, token, GERMAN)).body).toEqual(first.body);
  const changed = await put(id, support, { ...GERMAN, holder_name: 'Ada B. Obi' });
  const waitMs = Date.parse(String(changed.body['usable_at'])) - Date.parse(String(changed.body['updated_at']));
  expect(waitMs).toBe(house.ctx.settings.payouts.newAccountMs);
  expect((await put(id, token, { ...GERMAN, holder_name: 'Ada B. Obi' })).body).toEqual(changed.body);
  expect(await audited(id)).toMatchObject([
    { actor: { type: 'staff' }, changes: { version: { from: 1, to: 2 } } },
    { actor: { type: 'courier', id }, changes: { last4: { from: null, to: '6199' }, version: { from: null, to: 1 } } },
  ]);
});

test('[A119] staff say why they suspend or activate a courier or set their bank account', async () => {
  const { id } = await addCourier(house);
  const say = (route: string, reason: string, more = {}) =>
    call(house, `${route.replace('{id}', id)}`, { token: support, body: { ...more, reason } });
  expect((await say('PUT /couriers/{id}/bank-account', 'asked by phone', GERMAN)).status).toBe(200);
  expect((await say('POST /couriers/{id}/suspend', 'goods are missing')).status).toBe(200);
  expect((await say('POST /couriers/{id}/activate', 'goods were found')).status).toBe(200);
  expect((await say('POST /couriers/{id}/activate', 'once more')).status).toBe(200);
  expect((await say('PUT /couriers/{id}/bank-account', 'once more', GERMAN)).status).toBe(200);
  expect((await say('POST /couriers/{id}/activate', ' ')).body).toMatchObject({ status: 400, code: 'invalid_params' });
  const entries = await house.ctx.audit.list({ objectId: id }, { limit: 20, after: null });
  expect(entries.items.slice(0, 3).map(({ changes }) => changes['reason'])).toEqual([
    { from: null, to: 'goods were found' },
    { from: null, to: 'goods are missing' },
    { from: null, to: 'asked by phone' },
  ]);
});

test('[J141] changes that meet are made one after the other', async () => {
  const { id, token } = await addCourier(house);
  const names = Array.from({ length: 6 }, (_, at) => `Ada ${at}`);
  const answers = await Promise.all(names.map((holder_name) => put(id, token, { ...GERMAN, holder_name })));
  expect(answers.map(({ status }) => status)).toEqual(names.map(() => 200));
  expect((await house.ctx.bankAccounts.find(id))?.version).toBe(names.length);
  expect(await audited(id)).toHaveLength(names.length);
});

test('[J142] an account is named either by an IBAN whose check digits fit, or by country, number and bank code', async () => {
  const { id, token } = await addCourier(house);
  const wrong: [object, number, string][] = [
    [{ ...GERMAN, iban: 'DE75512108001245126198' }, 422, '/iban'],
    [{ ...GERMAN, iban: 'de75 5121' }, 400, '/iban'],
    [{ ...GERMAN, country: 'DE' }, 422, '/country'],
    [{ ...NIGERIAN, country: undefined }, 422, '/country'],
    [{ ...NIGERIAN, bank_code: undefined }, 422, '/bank_code'],
    [{ holder_name: 'Ada', currency: 'EUR' }, 422, '/country'],
    [{ ...GERMAN, currency: 'XYZ' }, 422, '/currency'],
    [{ ...GERMAN, number: '1' }, 400, '/number'],
  ];
  for (const [body, status, pointer] of wrong) {
    const answer = await put(id, token, body);
    expect([pointer, answer.status, answer.body]).toMatchObject([pointer, status, { errors: [{ pointer }] }]);
  }
  expect(await house.ctx.bankAccounts.find(id)).toBeNull();
});

test('[J142] every mistake in one digit of an IBAN is found', () => {
  fc.assert(
    fc.property(fc.integer({ min: 4, max: IBAN.length - 1 }), fc.integer({ min: 1, max: 9 }), (at, by) => {
      const digit = (Number(IBAN[at]) + by) % 10;
      expect(isIban(`${IBAN.slice(0, at)}${digit}${IBAN.slice(at + 1)}`)).toBe(false);
    }),
  );
  for (const known of [IBAN, 'GB29NWBK60161331926819', 'FR1420041010050500013M02606']) expect(isIban(known)).toBe(true);
});

const read = (id: string, token: string, query = '') => call(house, `GET /couriers/${id}/earnings${query}`, { token });

test('[J143] a courier reads pay and tip of each of their deliveries, and what was not paid out', async () => {
  const [{ id, token }, other] = [await addCourier(house), await addCourier(house)];
  expect((await read(id, token)).body).toMatchObject({ data: [], balances: [], bank_account: null });
  const first = await earn(house.ctx, id, { pay: 800, tip: 200 });
  const second = await earn(house.ctx, id, { pay: 5_000_000_000 });
  await earn(house.ctx, other.id, { pay: 70 });
  await earn(house.ctx, id, { pay: 30, currency: 'NGN' });
  await put(id, token, GERMAN);
  const { status, body } = await read(id, token);
  expect(status).toBe(200);
  expect(replyOf('GET /couriers/{id}/earnings')?.safeParse(body).error).toBeUndefined();
  expect(body).toMatchObject({
    data: [
      { type: 'delivery', currency: 'NGN', amount: 30, balance_after: 30 },
      { delivery_id: second, currency: 'EUR', amount: 5e9, pay: 5e9, tip: 0, balance_after: 5_000_001_000 },
      { delivery_id: first, amount: 1000, pay: 800, tip: 200, balance_after: 1000 },
    ],
    balances: [
      { currency: 'EUR', available: 5_000_001_000 },
      { currency: 'NGN', available: 30 },
    ],
    bank_account: { last4: '6199' },
  });
  expect((await read(id, other.token)).body['code']).toBe('courier_not_found');
});

test('[J143] earnings are paged and narrowed by their time', async () => {
  const { id, token } = await addCourier(house);
  const made: string[] = [];
  for (let pay = 1; pay <= 5; pay += 1) made.unshift(await earn(house.ctx, id, { pay }));
  const seen: unknown[] = [];
  for (let query = '?limit=2'; query !== '';) {
    const { body, headers } = await read(id, token, query);
    seen.push(...(body.data ?? []).map((earning) => earning['delivery_id']));
    query = body['has_more'] === true ? `?limit=2&cursor=${String(body['next_cursor'])}` : '';
    expect(headers.has('link')).toBe(query !== '');
  }
  expect(seen).toEqual(made);
  const past = await read(id, token, '?date_range=2020-01-01/2020-02-01');
  expect(past.body.data).toEqual([]);
});

test('[J365] what the platform alone pays is an earning of a delivery like any other', async () => {
  const { id, token } = await addCourier(house);
  const delivery = funded10('in_transit', { courierId: id }, 1000);
  for (const command of endOf('charge', delivery).commands) await house.ctx.ledger.post(command, null);
  const { body } = await read(id, token);
  expect(replyOf('GET /couriers/{id}/earnings')?.safeParse(body).error).toBeUndefined();
  const earned = { type: 'delivery', delivery_id: delivery.id, amount: 800, pay: 800, tip: 0, balance_after: 800 };
  expect(body).toMatchObject({ data: [earned], balances: [{ currency: 'EUR', available: 800 }] });
});

test('[J384] an adjustment changes the earnings once per reference, and the courier reads it with its reason', async () => {
  const { id: courierId, token } = await addCourier(house);
  await earn(house.ctx, courierId, { pay: 900 });
  const adjust = (amount: number, reference: string, reason = 'the wait was too short') =>
    adjustEarnings(house.ctx, { courierId, currency: 'EUR', amount: amountOf(amount), reason, reference });
  const answers = await Promise.all([adjust(250, 'wait-1'), adjust(250, 'wait-1'), adjust(250, 'wait-1')]);
  expect(answers.map(({ posted }) => posted)).toEqual([1150, 1150, 1150]);
  await expect(adjust(300, 'wait-1')).rejects.toMatchObject({ code: 'idempotency_key_reused' });
  await expect(adjust(-1151, 'penalty')).rejects.toMatchObject({ code: 'insufficient_funds' });
  await adjust(-1150, 'penalty', 'goods were lost');
  const { body } = await read(courierId, token);
  expect(replyOf('GET /couriers/{id}/earnings')?.safeParse(body).error).toBeUndefined();
  const adjusted = { type: 'adjustment', tip: 0, delivery_id: null, payout_id: null };
  expect(body).toMatchObject({
    data: [
      { ...adjusted, amount: -1150, balance_after: 0, reason: 'goods were lost' },
      { ...adjusted, amount: 250, pay: 250, balance_after: 1150, reason: 'the wait was too short' },
      { type: 'delivery', amount: 900, reason: null },
    ],
    balances: [{ currency: 'EUR', available: 0 }],
  });
  const { items } = await house.ctx.audit.list(
    { action: 'earnings.adjust', objectId: courierId },
    { limit: 20, after: null },
  );
  expect(items.map(({ changes }) => changes['amount']?.to)).toEqual([-1150, 250]);
});

test('[J384] the next batch of payouts counts an adjustment, and what it pays cannot be taken back', async () => {
  const { ctx } = house;
  const { id: courierId, token } = await addCourier(house);
  const currency = 'GHS';
  await put(courierId, token, { ...NIGERIAN, currency });
  await earn(ctx, courierId, { pay: 900, currency });
  const adjust = (amount: number, reference: string) =>
    adjustEarnings(ctx, { courierId, currency, amount: amountOf(amount), reason: 'a long wait', reference });
  await adjust(250, 'wait');
  const asked = { liveMode: false, currency, date: null, askedAt: ctx.clock.now() };
  await makePayouts(ctx, await requestBatch(ctx, asked, { type: 'system', id: null }));
  const { items } = await ctx.payouts.list({ courierId }, { limit: 2, after: null });
  expect(items.map(({ amount }) => amount)).toEqual([1150]);
  await expect(adjust(-1, 'penalty')).rejects.toMatchObject({ code: 'insufficient_funds' });
});
