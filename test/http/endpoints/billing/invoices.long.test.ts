import { expect, test } from 'vitest';
import { issueInvoices } from '../../../../src/dispatch/billing/issue-invoices.ts';
import { newId } from '../../../../src/domain/ids.ts';
import { endOfPeriod, nextPeriod, periodAt } from '../../../../src/money/billing/periods.ts';
import { BILLING_ACCOUNTS } from '../../../../src/models/billing/invoice-shapes.ts';
import { bookOf } from '../../../../src/money/ledger/accounts.ts';
import { addVendor, openHouse } from '../../house.ts';

test('[J263] one turn invoices more accounts than one read returns', async () => {
  const house = await openHouse('many invoices');
  const { ctx } = house;
  const period = periodAt('UTC', ctx.clock.now());
  const issuedAt = endOfPeriod('UTC', period) + 3_600_000;
  const { id: payer } = await addVendor(house);
  const vendor = await ctx.vendors.get(payer);
  const accounts = house.mongo.collection(BILLING_ACCOUNTS);
  const book = bookOf(false, 'GHS');
  const rows = Array.from({ length: 501 }, () => {
    const vendorId = newId('ven');
    return { _id: `${vendorId}:${book}`, vendorId, liveMode: false, book, period, from: 0, dueAt: issuedAt };
  });
  await accounts.insertMany(rows);
  const vendors = { ...ctx.vendors, get: () => Promise.resolve(vendor) };
  const clock = { ...ctx.clock, now: () => issuedAt };
  await issueInvoices({ ...ctx, vendors, clock })(() => true);
  expect(await accounts.countDocuments({ book, period: nextPeriod(period) })).toBe(501);
});
