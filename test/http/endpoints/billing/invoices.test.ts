import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { issueInvoices } from '../../../../src/dispatch/billing/issue-invoices.ts';
import { newId, type VendorId } from '../../../../src/domain/ids.ts';
import { endOfPeriod, nextPeriod, periodAt } from '../../../../src/money/billing/periods.ts';
import { bookOf } from '../../../../src/money/ledger/accounts.ts';
import { aLine, chargeOf } from '../../../money/billing/charges.ts';
import { addDelivery, addStaff, addVendor, call, openHouse } from '../../house.ts';

const house = await openHouse('invoices');
const { ctx } = house;
const HOUR_MS = 3_600_000;
const PERIOD = periodAt('UTC', ctx.clock.now());
/** When the invoices of this month are issued, for vendors in UTC. */
const ISSUED_AT = endOfPeriod('UTC', PERIOD) + HOUR_MS;

/** The house at a later time. */
const at = (now: number) => ({ ...ctx, clock: { ...ctx.clock, now: () => now } });
const turn = async (now: number, over: Partial<typeof ctx> = {}) => {
  while ((await ctx.ledger.seal(500)) === 500);
  await issueInvoices({ ...at(now), ...over })(() => true);
};

async function charge(vendorId: VendorId, deliveryId = newId('del'), liveMode = false) {
  const lines = [aLine('delivery', 1450, 95), aLine('tip', 200)];
  await ctx.ledger.post(chargeOf({ vendorId, book: bookOf(liveMode, 'EUR'), deliveryId, lines, over: 50 }), null);
  return deliveryId;
}

type Found = Record<string, unknown> & { readonly status: number };

async function get(token: string, name: string): Promise<Found> {
  const { status, body } = await call(house, `GET /billing/invoices/${name}`, {
    token,
    headers: { accept: 'application/json' },
  });
  return { ...body, status };
}

async function getPdf(token: string, name: string) {
  const answer = await fetch(`${house.url}/billing/invoices/${name}`, {
    headers: { authorization: `Bearer ${token}` },
  });
  return { status: answer.status, headers: answer.headers, pdf: Buffer.from(await answer.arrayBuffer()) };
}

test('[J120] a month is invoiced once, after its end, with all its charges and its number', async () => {
  const vendor = await addVendor(house);
  const ids = [await charge(vendor.id), await charge(vendor.id)];
  await turn(ISSUED_AT - 1);
  expect(await get(vendor.key, PERIOD)).toMatchObject({
    status: 409,
    code: 'invoice_not_issued',
    metadata: { period: PERIOD, issued_from: new Date(ISSUED_AT).toISOString() },
  });
  await Promise.all([turn(ISSUED_AT), turn(ISSUED_AT)]);
  await turn(ISSUED_AT + HOUR_MS);
  const found = await get(vendor.key, PERIOD);
  expect(found).toMatchObject({
    status: 200,
    object: 'invoice',
    period: PERIOD,
    number: expect.stringMatching(/^TEST-INV-\d{4}-\d{6}$/),
    seller: { name: 'Delivery Dispatch' },
    net: 3110,
    tax: 190,
    amount: 3300,
    paid: 3200,
    due: 100,
    live_mode: false,
    rounding: expect.stringContaining('rounded half up'),
  });
  const lines = ids.flatMap((id) => ['delivery', 'tip'].map((type) => ({ delivery_id: id, type })));
  expect(found).toMatchObject({ lines });
  expect(await get(vendor.key, String(found['id']))).toEqual(found);
});

test('[J120] numbers have no gaps, whatever vendors and processes meet', async () => {
  const vendors = await Promise.all(Array.from({ length: 6 }, () => addVendor(house)));
  for (const { id } of vendors) await charge(id);
  // A conflict of two processes leaves a month to the next turn.
  for (const _turn of [1, 2, 3]) await Promise.all([turn(ISSUED_AT), turn(ISSUED_AT)]);
  const rows = await house.mongo.db.collection('invoices').find({ liveMode: false }).toArray();
  const numbers = rows.map((row) => Number(String(row['number']).split('-').at(-1))).toSorted((a, b) => a - b);
  expect(numbers).toEqual(numbers.map((_, index) => index + 1));
  expect(numbers.length).toBeGreaterThanOrEqual(6);
});

test('[J231] an account that cannot be invoiced stops no other, and is tried again after pauses that grow', async () => {
  const [bad, good] = [await addVendor(house), await addVendor(house)];
  await charge(bad.id);
  await charge(good.id);
  const broken = {
    vendors: {
      ...ctx.vendors,
      get: (id: VendorId) => (id === bad.id ? Promise.reject(new Error('unreadable')) : ctx.vendors.get(id)),
    },
  };
  const statuses = async () => [(await get(bad.key, PERIOD)).status, (await get(good.key, PERIOD)).status];
  await turn(ISSUED_AT, broken);
  expect(await statuses()).toEqual([409, 200]);
  const about = { what: 'billing account', id: `${bad.id}:test.EUR`, error: new Error('unreadable') };
  expect(house.lines.map(({ fields }) => fields)).toContainEqual(expect.objectContaining(about));
  // It is not due before the first pause has passed, and the second is twice as long.
  await turn(ISSUED_AT + 29_000);
  expect(await statuses()).toEqual([409, 200]);
  await turn(ISSUED_AT + 30_000, broken);
  await turn(ISSUED_AT + 89_000);
  expect(await statuses()).toEqual([409, 200]);
  await turn(ISSUED_AT + 90_000);
  expect(await statuses()).toEqual([200, 200]);
});

test('[J231] an invoice that cannot be printed keeps no other from being issued or printed', async () => {
  const [bad, good] = [await addVendor(house), await addVendor(house)];
  for (const { id } of [bad, good]) await charge(id);
  const before = await ctx.vendors.get(bad.id);
  await ctx.vendors.replace({ ...before, name: 'unprintable', version: before.version + 1 }, before.version);
  const printer = {
    ...ctx.printer,
    print: (...asked: Parameters<typeof ctx.printer.print>) =>
      JSON.stringify(asked).includes('unprintable') ? Promise.reject(new Error('no ink')) : ctx.printer.print(...asked),
  };
  await turn(ISSUED_AT, { printer });
  const isPrinted = async ({ id }: { id: VendorId }) =>
    (await ctx.invoices.findOfPeriod({ vendorId: id, liveMode: false }, bookOf(false, 'EUR'), PERIOD))?.sha256 !== null;
  expect([await isPrinted(bad), await isPrinted(good)]).toEqual([false, true]);
  await turn(ISSUED_AT + 30_000);
  expect(await isPrinted(bad)).toBe(true);
});

test('[J232] the first charge of a vendor adds its account, once, and money without a charge adds none', async () => {
  const [charged, funded] = [await addVendor(house), await addVendor(house)];
  for (let at = 0; at < 3; at += 1) await charge(charged.id);
  while ((await ctx.ledger.seal(2)) > 0);
  const accounts = house.mongo.db.collection('billing_accounts');
  const rowsOf = (vendorId: VendorId) => accounts.find({ vendorId }).toArray();
  const [row, ...more] = await rowsOf(charged.id);
  expect([row, more]).toMatchObject([{ period: null, book: 'test.EUR', liveMode: false }, []]);
  expect(await rowsOf(funded.id)).toEqual([]);
  const dueAt = Number(row?.['dueAt']);
  await turn(dueAt - 1);
  expect(await rowsOf(charged.id)).toMatchObject([{ period: null }]);
  await turn(dueAt);
  expect(await rowsOf(charged.id)).toMatchObject([{ period: PERIOD, dueAt: ISSUED_AT }]);
  await charge(charged.id);
  while ((await ctx.ledger.seal(2)) > 0);
  expect(await rowsOf(charged.id)).toMatchObject([{ period: PERIOD, dueAt: ISSUED_AT }]);
});

test('[J122] after a pause each month is invoiced by itself, and a month without charges is not', async () => {
  const vendor = await addVendor(house);
  await charge(vendor.id);
  const later = endOfPeriod('UTC', nextPeriod(nextPeriod(PERIOD))) + HOUR_MS;
  await turn(later);
  expect((await get(vendor.key, PERIOD)).status).toBe(200);
  const account = await ctx.invoices.findAccount({ vendorId: vendor.id, liveMode: false }, bookOf(false, 'EUR'));
  expect(account?.period).toBe(nextPeriod(nextPeriod(nextPeriod(PERIOD))));
  expect(account?.from).toBe(endOfPeriod('UTC', nextPeriod(nextPeriod(PERIOD))));
  expect((await get(vendor.key, '2020-01')).code).toBe('invoice_not_found');
});

test('[J122] a month begins and ends in the time zone of the vendor', async () => {
  const vendor = await addVendor(house);
  await charge(vendor.id);
  const before = await ctx.vendors.get(vendor.id);
  const zone = 'Pacific/Apia';
  await ctx.vendors.replace({ ...before, timezone: zone, version: before.version + 1 }, before.version);
  const period = periodAt(zone, ctx.clock.now());
  const issuedAt = endOfPeriod(zone, period) + HOUR_MS;
  await turn(issuedAt - 1);
  expect((await get(vendor.key, period)).code).toBe('invoice_not_issued');
  await turn(issuedAt);
  expect(await get(vendor.key, period)).toMatchObject({ time_zone: zone, status: 200 });
});

test('[J123] an invoice is printed once and stored, and the caller gets the same bytes each time', async () => {
  const vendor = await addVendor(house);
  await charge(vendor.id);
  await turn(ISSUED_AT);
  const { number, sha256 } = (await get(vendor.key, PERIOD)) as Record<string, unknown>;
  const { headers, pdf } = await getPdf(vendor.key, PERIOD);
  expect(headers.get('content-type')).toBe('application/pdf');
  expect(headers.get('content-disposition')).toBe(`attachment; filename="${String(number)}.pdf"`);
  expect(pdf.subarray(0, 5).toString()).toBe('%PDF-');
  expect(createHash('sha256').update(pdf).digest('hex')).toBe(sha256);
  // A process ended after the issue and before the print: the next reader has it printed, with the same bytes.
  const unprint = { $unset: { pdf: '', sha256: '' }, $set: { due: true } };
  await house.mongo.db.collection('invoices').updateOne({ number: String(number) }, unprint);
  expect((await getPdf(vendor.key, PERIOD)).pdf.equals(pdf)).toBe(true);
  expect((await get(vendor.key, PERIOD)) as Record<string, unknown>).toMatchObject({ sha256 });
});

test('[J125] a delivery has a receipt without a number, as PDF and as JSON', async () => {
  const vendor = await addVendor(house);
  const deliveryId = await addDelivery(house, vendor.key);
  expect((await get(vendor.key, deliveryId)).code).toBe('invoice_not_found');
  await charge(vendor.id, deliveryId);
  expect(await get(vendor.key, deliveryId)).toMatchObject({
    object: 'receipt',
    id: null,
    number: null,
    delivery_id: deliveryId,
    amount: 1650,
    tax: 95,
  });
  const [one, two] = [await getPdf(vendor.key, deliveryId), await getPdf(vendor.key, deliveryId)];
  expect(one.headers.get('content-disposition')).toBe(`attachment; filename="receipt-${deliveryId}.pdf"`);
  expect(one.pdf.equals(two.pdf)).toBe(true);
});

test('[J126] invoices and receipts of other vendors and modes do not exist, and staff of finance read all', async () => {
  const [vendor, other] = [await addVendor(house), await addVendor(house)];
  const deliveryId = await charge(vendor.id, await addDelivery(house, vendor.key));
  await charge(vendor.id, newId('del'), true);
  await turn(ISSUED_AT);
  const id = String((await get(vendor.key, PERIOD))['id']);
  const { key: liveKey } = await ctx.credentials.addVendorKey(vendor.id, true);
  for (const token of [other.key, liveKey]) {
    expect((await get(token, id)).code).toBe('invoice_not_found');
    expect((await get(token, deliveryId)).code).toBe('invoice_not_found');
  }
  expect(await get(liveKey, PERIOD)).toMatchObject({ number: expect.stringMatching(/^INV-/), live_mode: true });
  const finance = await addStaff(house, 'finance');
  expect((await get(finance, id)).status).toBe(200);
  expect((await get(finance, `${PERIOD}?vendor_id=${vendor.id}&live_mode=false`)) as object).toMatchObject({ id });
  expect((await get(finance, PERIOD)).code).toBe('impossible_value');
  expect((await get(await addStaff(house, 'support'), id)).status).toBe(403);
});
