import fc from 'fast-check';
import { expect, test } from 'vitest';
import { issueInvoices } from '../../../src/dispatch/billing/issue-invoices.ts';
import { refundDelivery } from '../../../src/dispatch/billing/refund-delivery.ts';
import type { Delivery } from '../../../src/domain/deliveries/delivery.ts';
import { newId, type VendorId } from '../../../src/domain/ids.ts';
import { chargedOf, refundedOf } from '../../../src/domain/pricing/funds.ts';
import { ENTRIES } from '../../../src/models/ledger/ledger-shapes.ts';
import type { Invoice } from '../../../src/money/billing/bill.ts';
import { paperOf } from '../../../src/money/billing/print-bill.ts';
import { endOfPeriod, periodAt } from '../../../src/money/billing/periods.ts';
import { BILLED_KINDS } from '../../../src/money/billing/transactions.ts';
import { asStaff } from '../../callers.ts';
import { openWorld, storeVendor } from '../world.ts';
import { storeCharged } from './charged.ts';

const world = await openWorld('credit-notes');
const HOUR_MS = 3_600_000;
const printer = { print: async () => ({ pdf: Buffer.from('%PDF-'), sha256: 'hash' }) };
/** Issues what is due. The seal before it notes which vendors were charged. */
const turn = async () => {
  while ((await world.ledger.seal(500)) > 0);
  await issueInvoices({ ...world, printer })(() => true);
};

/** The end of the present month and the hour after it. */
async function endMonth(): Promise<void> {
  const now = world.clock.now();
  await world.clock.advance(endOfPeriod('UTC', periodAt('UTC', now)) + HOUR_MS - now);
}
const refund = (delivery: Delivery, amount: number | null = null) =>
  refundDelivery(
    world,
    { deliveryId: delivery.id, id: newId('rfd'), reference: newId('req'), reason: 'cold soup', amount },
    asStaff(),
  );

/** The documents of a vendor, oldest first, with their lines. */
async function documentsOf(vendorId: VendorId): Promise<Invoice[]> {
  const { items } = await world.invoices.list({ vendorId, liveMode: false }, { limit: 100, after: null });
  const found = await Promise.all(items.map(({ id }) => world.invoices.find(id)));
  return found.flatMap((one) => one ?? []).toReversed();
}

test('[J177] a refund in the month of its charge is a line of the invoice of that month', async () => {
  const { id: vendorId } = await storeVendor(world);
  const delivery = await storeCharged(world, vendorId);
  await refund(delivery, 165);
  await endMonth();
  await turn();
  const [invoice, ...more] = await documentsOf(vendorId);
  expect(more).toEqual([]);
  expect(invoice).toMatchObject({ credits: null, sums: { amount: 1485, tax: 85, paid: 1485, due: 0 } });
  expect(invoice?.lines.map(({ type, amount, tax }) => [type, amount, tax])).toEqual([
    ['delivery', 1450, 95],
    ['tip', 200, 0],
    ['delivery', -145, -10],
    ['tip', -20, 0],
  ]);
});

test('[J178] [J179] refunds of later months are on one credit note for each invoice, with numbers of their own', async () => {
  const { id: vendorId } = await storeVendor(world);
  const first = [await storeCharged(world, vendorId), await storeCharged(world, vendorId)];
  await endMonth();
  // Before the invoice of its charge is issued, but after its month.
  await refund(first[0]!, 100);
  await turn();
  const second = await storeCharged(world, vendorId);
  await endMonth();
  await turn();
  const before = await documentsOf(vendorId);
  for (const delivery of [...first, second]) await refund(delivery, 10);
  await endMonth();
  await Promise.all([turn(), turn()]);
  await turn();
  const all = await documentsOf(vendorId);
  const [january, february, ...more] = all.filter(({ credits }) => credits === null);
  const notes = all.filter(({ credits }) => credits !== null);
  expect(more).toEqual([]);
  expect(all.slice(0, before.length)).toEqual(before);
  expect([january?.sums.amount, february?.sums.amount]).toEqual([3300, 1650]);
  const facts = notes.map(({ credits, sums }) => `${credits?.number} ${sums.amount} ${sums.paid}`);
  const wanted = [`${january?.number} -100 -100`, `${january?.number} -20 -20`, `${february?.number} -10 -10`];
  expect(new Set(facts)).toEqual(new Set(wanted));
  expect(notes).toHaveLength(3);
  const numbers = notes.map(({ number }) => number).toSorted();
  for (const number of numbers) expect(number).toMatch(/^TEST-CRN-2026-\d{6}$/);
  const counts = numbers.map((number) => Number(number.slice(-6)));
  expect(counts).toEqual(counts.map((_, index) => (counts[0] ?? 0) + index));
  const paper = paperOf(notes[0]!);
  expect([paper.title, paper.facts[1], paper.rows[0]?.[1]]).toEqual([
    'Credit note',
    ['Invoice', january?.number],
    'Refund: Delivery',
  ]);
  expect(paper.totals.at(-1)).toEqual(['Returned to the wallet', '€1.00']);
});

test('[J180] after random charges and refunds in several months, each is on one document, and the documents add up', async () => {
  const plans = fc.array(fc.tuple(fc.constantFrom('charge', 'charge', 'refund', 'refund', 'month'), fc.nat(1000)), {
    minLength: 60,
    maxLength: 60,
  });
  await fc.assert(fc.asyncProperty(plans, live), { numRuns: 1, endOnFailure: true });
});

/** Follows the plan with a new vendor. */
async function live(plan: readonly (readonly ['charge' | 'refund' | 'month', number])[]): Promise<void> {
  const { id: vendorId } = await storeVendor(world);
  const deliveries: Delivery[] = [];
  let months = 0;
  for (const [what, size] of plan) {
    // Charges of more than a year ago cannot be refunded.
    if (what === 'month' && months < 9) {
      months += 1;
      await endMonth();
      await turn();
    } else if (what !== 'refund' || deliveries.length === 0) {
      deliveries.push(await storeCharged(world, vendorId));
    } else {
      const delivery = await world.deliveries.get(deliveries[size % deliveries.length]!.id);
      const left = chargedOf(delivery.funds?.charges ?? []) - refundedOf(delivery.funds ?? {});
      const often = (delivery.funds?.refunds ?? []).length >= 20;
      if (left > 0 && !often) await refund(delivery, 1 + (size % left));
    }
  }
  await endMonth();
  await turn();
  const entries = await world.mongo
    .collection(ENTRIES)
    .find({ vendorId, kind: { $in: [...BILLED_KINDS] } })
    .toArray();
  const documents = await documentsOf(vendorId);
  const sumOf = (lines: readonly { readonly amount: number | bigint; readonly tax: number | bigint }[]) => [
    lines.reduce((sum, { amount }) => sum + Number(amount), 0),
    lines.reduce((sum, { tax }) => sum + Number(tax), 0),
  ];
  for (const { lines, sums } of documents) expect(sumOf(lines)).toEqual([sums.amount, sums.tax]);
  const inDocuments = documents.flatMap(({ lines }) => lines);
  const inLedger = entries.flatMap(({ lines = [] }) => lines);
  expect(sumOf(inDocuments)).toEqual(sumOf(inLedger));
  const keyOf = (about: string | null, line: { type: string; amount: number | bigint }) =>
    `${about} ${line.type} ${line.amount}`;
  expect(inDocuments.map((line) => keyOf(line.deliveryId, line)).toSorted()).toEqual(
    entries.flatMap(({ about, lines = [] }) => lines.map((line) => keyOf(about, line))).toSorted(),
  );
  for (const { credits, lines, from, to } of documents) {
    const charges = await world.transactions.chargedAt(lines.map(({ deliveryId }) => deliveryId!));
    const isOwn = [...charges.values()].map((at) => from <= at && at < to);
    expect(new Set(isOwn)).toEqual(new Set([credits === null]));
  }
}
