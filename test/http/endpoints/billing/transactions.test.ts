import { expect, test } from 'vitest';
import { newId, type DeliveryId, type VendorId } from '../../../../src/domain/ids.ts';
import { amountOf } from '../../../../src/money/amount.ts';
import { bookOf } from '../../../../src/money/ledger/accounts.ts';
import type { EntryLine } from '../../../../src/money/ledger/entries.ts';
import { adjustWallet } from '../../../../src/money/wallets/adjust-wallet.ts';
import { aLocation } from '../../../builders.ts';
import { aLine, chargeOf } from '../../../money/billing/charges.ts';
import { addDelivery, addServer, addStaff, addVendor, call, DROP_OFF, openHouse, type Body } from '../../house.ts';

const house = await openHouse('transactions');
const { ctx } = house;
const TEST_BOOK = bookOf(false, 'EUR');

type About = { lines?: readonly EntryLine[]; over?: number; deliveryId?: DeliveryId };

async function charge(vendorId: VendorId, { deliveryId = newId('del'), ...about }: About = {}, book = TEST_BOOK) {
  const result = await ctx.ledger.post(chargeOf({ vendorId, book, deliveryId, ...about }), null);
  expect(result).toEqual({ ok: true, isRepeat: false });
  return deliveryId;
}

function adjust(vendorId: VendorId, amount: number, reason = 'a gift') {
  const of = { vendorId, liveMode: false, currency: 'EUR', reference: newId('req') };
  return adjustWallet(ctx, { ...of, amount: amountOf(amount), reason });
}

async function read(token: string, query = '', path = 'billing/transactions'): Promise<Record<string, unknown>[]> {
  const { status, body, text } = await call(house, `GET /${path}${query}`, { token });
  if (status !== 200) throw new Error(text);
  return body.data ?? [];
}

async function readCsv(token: string, query = '', path = 'billing/transactions') {
  const answer = await call(house, `GET /${path}${query}`, { token, headers: { accept: 'text/csv' } });
  return { ...answer, rows: answer.text.trimEnd().split('\r\n') };
}

test('[J110] a vendor lists debits and credits, newest first, and each amount leads to the balance after it', async () => {
  const vendor = await addVendor(house);
  const lines = [aLine('delivery', 1450, 95), aLine('tip', 200)];
  const deliveryId = await charge(vendor.id, { lines });
  await adjust(vendor.id, -250, 'a wrong credit');
  // The debt is paid at once, because the wallet has more.
  await charge(vendor.id, { lines: [aLine('cancellation', 500), aLine('wait', 100)], over: 100 });
  const found = await read(vendor.key);
  expect(found.map(({ category, type, amount, owed }) => [category, type, amount, owed])).toEqual([
    ['repayment', 'debit', -100, -100],
    ['charge', 'debit', -500, 100],
    ['adjustment', 'debit', -250, 0],
    ['charge', 'debit', -1650, 0],
    ['adjustment', 'credit', 1_000_000_000, 0],
  ]);
  const after = found.map((one) => Number(one['balance_after']));
  expect(after).toEqual([999_997_500, 999_997_600, 999_998_100, 999_998_350, 1_000_000_000]);
  const one = found[3];
  expect(one).toEqual({
    id: expect.stringMatching(/^txn_/),
    object: 'transaction',
    type: 'debit',
    category: 'charge',
    amount: -1650,
    owed: 0,
    balance_after: 999_998_350,
    currency: 'EUR',
    lines: [
      { type: 'delivery', net: 1355, tax: 95, amount: 1450 },
      { type: 'tip', net: 200, tax: 0, amount: 200 },
    ],
    delivery_id: deliveryId,
    external_id: null,
    order_id: null,
    description: null,
    live_mode: false,
    created_at: expect.any(String),
  });
  expect((await call(house, `GET /billing/transactions/${String(one?.['id'])}`, { token: vendor.key })).body).toEqual(
    one,
  );
  expect(found[2]).toMatchObject({ description: 'a wrong credit', delivery_id: null, lines: [] });
});

test('[J111] the list has only what each filter names, also on the last page', async () => {
  const vendor = await addVendor(house);
  const deliveryId = await charge(vendor.id);
  await adjust(vendor.id, -5);
  await adjust(vendor.id, 7);
  await charge(vendor.id);
  const amounts = async (query: string) => (await read(vendor.key, query)).map(({ amount }) => amount);
  expect(await amounts('?type=debit')).toEqual([-100, -5, -100]);
  expect(await amounts('?type=credit')).toEqual([7, 1_000_000_000]);
  expect(await amounts('?category=adjustment')).toEqual([7, -5, 1_000_000_000]);
  expect(await amounts('?category=charge&type=credit')).toEqual([]);
  expect(await amounts(`?delivery_id=${deliveryId}`)).toEqual([-100]);
  const at = new Date(ctx.clock.now() + 1000).toISOString();
  const before = new Date(ctx.clock.now() - 600_000).toISOString();
  expect(await amounts(`?date_range=${before}/${at}`)).toHaveLength(5);
  expect(await amounts(`?date_range=2020-01-01/2020-02-01`)).toEqual([]);
});

test('[J111] pages neither repeat nor miss a transaction while others are booked', async () => {
  const vendor = await addVendor(house);
  for (let number = 1; number <= 6; number += 1) await adjust(vendor.id, number);
  const seen: unknown[] = [];
  let query = '?limit=2';
  for (let page = 0; page < 4; page += 1) {
    const { body } = await call(house, `GET /billing/transactions${query}`, { token: vendor.key });
    seen.push(...(body.data ?? []).map(({ amount }) => amount));
    await adjust(vendor.id, 100);
    expect(body['has_more']).toBe(page < 3);
    query = `?limit=2&cursor=${String(body['next_cursor'])}`;
  }
  expect(seen).toEqual([6, 5, 4, 3, 2, 1, 1_000_000_000]);
});

test('[J112] as CSV the list has all rows, read in pages, and no text of it is a formula', async () => {
  const vendor = await addVendor(house);
  await adjust(vendor.id, 70, '=HYPERLINK("https://evil.example")');
  const limits: number[] = [];
  const transactions: typeof ctx.transactions = {
    ...ctx.transactions,
    list: (filter, page) => {
      limits.push(page.limit);
      return ctx.transactions.list(filter, { ...page, limit: 1 });
    },
  };
  const small = await addServer(house, { transactions });
  const { headers, text } = await call(small, 'GET /billing/transactions?format=csv', { token: vendor.key });
  expect(headers.get('content-type')).toBe('text/csv; charset=utf-8');
  expect(headers.get('content-disposition')).toBe('attachment; filename="billing-transactions.csv"');
  const rows = text.trimEnd().split('\r\n');
  expect(rows[0]).toBe(
    '"id","created_at","type","category","amount","owed","balance_after","currency","delivery_id","description","external_id","order_id"',
  );
  expect(rows[1]).toMatch(
    /,"credit","adjustment",70,0,1000000070,"EUR",,"'=HYPERLINK\(""https:\/\/evil.example""\)",,$/,
  );
  expect(rows[2]).toMatch(/,1000000000,0,1000000000,"EUR",,,,$/);
  expect(rows).toHaveLength(3);
  expect(limits).toEqual([500, 500]);
});

test('[J112] a table whose first rows cannot be read is a refusal, and one that fails later is cut off', async () => {
  const vendor = await addVendor(house);
  await adjust(vendor.id, 70);
  let reads = 0;
  const failing = (from: number): typeof ctx.transactions => ({
    ...ctx.transactions,
    list: (filter, page) => {
      reads += 1;
      if (reads >= from) throw new Error('the database is away');
      return ctx.transactions.list(filter, { ...page, limit: 1 });
    },
  });
  const options = { token: vendor.key };
  const route = 'GET /billing/transactions?format=csv';
  expect((await call(await addServer(house, { transactions: failing(1) }), route, options)).status).toBe(500);
  reads = 0;
  const late = await addServer(house, { transactions: failing(2) });
  await expect(call(late, route, options)).rejects.toThrow();
});

test('[J113] the lines of a charge add up to what the vendor paid and owes, as JSON and as CSV', async () => {
  const vendor = await addVendor(house);
  const deliveryId = await charge(vendor.id, {
    lines: [aLine('delivery', 1450, 95), aLine('wait', 300, 20)],
    over: 300,
  });
  await adjust(vendor.id, 1);
  const [found, ...more] = await read(vendor.key, '', 'vendor/settlement/charges');
  expect(more).toEqual([]);
  expect(found).toMatchObject({
    object: 'charge',
    delivery_id: deliveryId,
    net: 1635,
    tax: 115,
    amount: 1750,
    currency: 'EUR',
    lines: [
      { type: 'delivery', net: 1355, tax: 95, amount: 1450 },
      { type: 'wait', net: 280, tax: 20, amount: 300 },
    ],
  });
  const { amount, owed } = (await read(vendor.key, `?delivery_id=${deliveryId}&category=charge`))[0] as Body;
  expect(Number(owed) - Number(amount)).toBe(1750);
  const { rows, headers } = await readCsv(vendor.key, '', 'vendor/settlement/charges');
  expect(headers.get('content-disposition')).toBe('attachment; filename="vendor-settlement-charges.csv"');
  expect(rows[0]).toBe(
    '"id","billed_at","delivery_id","type","net","tax","amount","currency","external_id","order_id"',
  );
  expect(rows.slice(1).map((row) => row.split(',').slice(2))).toEqual([
    [`"${deliveryId}"`, '"delivery"', '1355', '95', '1450', '"EUR"', '', ''],
    [`"${deliveryId}"`, '"wait"', '280', '20', '300', '"EUR"', '', ''],
  ]);
});

test('[J380] a vendor finds its own names of the delivery in transactions and charges, as JSON and as CSV', async () => {
  const vendor = await addVendor(house);
  const deliveryId = await addDelivery(house, vendor.key, { external_id: 'shop-7' });
  await charge(vendor.id, { lines: [aLine('delivery', 1450, 95)], deliveryId });
  const names = { delivery_id: deliveryId, external_id: 'shop-7', order_id: null };
  const [transaction, topUp] = await read(vendor.key);
  expect(transaction).toMatchObject(names);
  expect(topUp).toMatchObject({ delivery_id: null, external_id: null, order_id: null });
  const one = await call(house, `GET /billing/transactions/${String(transaction?.['id'])}`, { token: vendor.key });
  expect(one.body).toEqual(transaction);
  expect(await read(vendor.key, '', 'vendor/settlement/charges')).toMatchObject([names]);
  for (const path of ['billing/transactions', 'vendor/settlement/charges']) {
    const { rows } = await readCsv(vendor.key, '', path);
    expect(rows[0]?.endsWith('"external_id","order_id"')).toBe(true);
    expect(rows[1]?.endsWith(',"shop-7",')).toBe(true);
  }
  const location = aLocation({ vendorId: vendor.id });
  await ctx.vendors.addLocation(location);
  const body = { location_id: location.id, drop_off: [DROP_OFF] };
  const { body: made } = await call(house, 'POST /vendor/orders/A-1/dispatch', { token: vendor.key, body });
  await charge(vendor.id, { deliveryId: made['id'] as DeliveryId });
  expect((await read(vendor.key))[0]).toMatchObject({ delivery_id: made['id'], external_id: null, order_id: 'A-1' });
});

test('[J114] transactions of other vendors and modes do not exist, and staff of finance name the vendor', async () => {
  const [vendor, other] = [await addVendor(house), await addVendor(house)];
  await charge(vendor.id);
  await charge(vendor.id, {}, bookOf(true, 'EUR'));
  const ids = async (token: string, query = '') => (await read(token, query)).map(({ id }) => String(id));
  const [own = ''] = await ids(vendor.key);
  expect(await ids(other.key)).not.toContain(own);
  const { key: liveKey } = await ctx.credentials.addVendorKey(vendor.id, true);
  const [live = ''] = await ids(liveKey);
  expect(live).not.toBe(own);
  const finance = await addStaff(house, 'finance');
  expect((await ids(finance, `?vendor_id=${vendor.id}`))[0]).toBe(live);
  expect((await ids(finance, `?vendor_id=${vendor.id}&live_mode=false`))[0]).toBe(own);
  const status = async (token: string, route: string) => {
    const { status: code, body } = await call(house, route, { token });
    return `${code} ${String(body['code'])}`;
  };
  const absent = '404 transaction_not_found';
  expect(await status(other.key, `GET /billing/transactions/${own}`)).toBe(absent);
  expect(await status(liveKey, `GET /billing/transactions/${own}`)).toBe(absent);
  expect(await status(finance, `GET /billing/transactions/${own}`)).toBe('200 undefined');
  expect(await status(finance, 'GET /billing/transactions')).toBe('422 impossible_value');
  expect(await status(vendor.key, `GET /billing/transactions?vendor_id=${other.id}`)).toBe('404 vendor_not_found');
  expect(await status(await addStaff(house, 'support'), `GET /billing/transactions/${own}`)).toBe('403 forbidden');
});
