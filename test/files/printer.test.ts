import { afterAll, expect, test } from 'vitest';
import { drawPaper } from '../../src/files/printing/draw-paper.ts';
import { startPrinter } from '../../src/files/printing/printer.ts';
import { paperOf } from '../../src/money/billing/print-bill.ts';
import type { Invoice } from '../../src/money/billing/bill.ts';
import { CLOCK, QUIET } from '../engines/mongo-house.ts';
import { anInvoice, aTransaction } from '../money/billing/an-invoice.ts';
import { aLine } from '../money/billing/charges.ts';
import { readPdf } from './read-pdf.ts';

const printer = startPrinter({ clock: CLOCK, log: QUIET });
afterAll(() => printer.stop());

function invoiceOf(charges: number): Invoice {
  const all = Array.from({ length: charges }, () => aTransaction([aLine('delivery', 145_000, 10_116)]));
  return { ...anInvoice({ currency: 'NGN', liveMode: true }, all), number: 'INV-2026-000007', sha256: null };
}

test('[J123] the text of a printed invoice is its data, with ₦, ₵ and €, on as many pages as it needs', async () => {
  const invoice = invoiceOf(60);
  const paper = paperOf({ ...invoice, buyer: { name: 'Ẹbùn ₦ ₵ €', taxId: 'X-9', address: ['Straße 1'] } });
  const pages = await readPdf((await printer.print(paper)).pdf);
  expect(pages.length).toBeGreaterThan(1);
  const headings = paper.columns.map(({ heading }) => heading);
  const foot = (page: number): string[] => [paper.footer, `Page ${page} of ${pages.length}`];
  const head = [
    paper.title,
    ...paper.facts.flat(),
    ...paper.parties.flatMap(({ heading, lines }) => [heading, ...lines]),
  ];
  expect(pages[0]?.slice(0, head.length)).toEqual(head);
  for (const [at, page] of pages.entries()) expect(page.slice(-2)).toEqual(foot(at + 1));
  const body = pages.flatMap((page, at) => page.slice(at === 0 ? head.length : 0, -2));
  const cells = body
    .join('\n')
    .replaceAll(headings.join('\n'), '')
    .split('\n')
    .filter((text) => text !== '');
  const wanted = [...paper.rows.flat(), ...paper.totals.flat()];
  expect(cells.slice(0, wanted.length)).toEqual(wanted);
  expect(cells.slice(wanted.length).join(' ')).toBe(paper.notes.join(' '));
});

test('[J123] equal invoices are equal bytes, in the thread of the printer and outside of it', async () => {
  const paper = paperOf(invoiceOf(3));
  const [one, two] = await Promise.all([printer.print(paper), printer.print(paper)]);
  expect(one.sha256).toBe(two.sha256);
  expect(Buffer.compare(Buffer.from(await drawPaper(paper)), Buffer.from(one.pdf))).toBe(0);
});

test('[J123] a paper that cannot be drawn fails alone', async () => {
  const paper = paperOf(invoiceOf(1));
  const broken = { ...paper, createdAt: Number.NaN };
  const results = await Promise.allSettled([printer.print(broken), printer.print(paper)]);
  expect(results.map(({ status }) => status)).toEqual(['rejected', 'fulfilled']);
});
