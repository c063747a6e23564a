// `npm run bench:invoices [-- options]` Measures how long the print of an invoice takes, and how long it stops requests.
import { writeFile } from 'node:fs/promises';
import { monitorEventLoopDelay, performance } from 'node:perf_hooks';
import { parseArgs } from 'node:util';
import { createClock } from '../src/clock.ts';
import { newId } from '../src/domain/ids.ts';
import { startPrinter } from '../src/files/printing/printer.ts';
import { amountOf } from '../src/money/amount.ts';
import type { BillLine, Invoice } from '../src/money/billing/bill.ts';
import { endOfPeriod, startOfPeriod } from '../src/money/billing/periods.ts';
import { paperOf } from '../src/money/billing/print-bill.ts';
import { asksForHelp } from '../src/process/command-line.ts';
import { runPlay } from './command-line.ts';
import { judge, lastLine, tableOf, type InvoicesReport } from './invoices/report.ts';
import { wholeOf } from './numbers.ts';
import { spreadOf } from './statistics.ts';
import { QUIET } from './quiet.ts';

const USAGE = `npm run bench:invoices -- [options]

  --invoices N   invoices to print, one after the other (300)
  --lines N      lines of each invoice (30)
  --pdf FILE     write the last invoice there
  --json FILE    write all figures there
  --help         this text

Prints invoices as a server does, in the thread of the printer, after ten that are not counted. Starts no engine. The bench
fails if the p95 of a print exceeds 150 ms, or if prints stop the thread of the requests for over 50 ms.`;

type Options = {
  readonly invoices: number;
  readonly lines: number;
  readonly pdf: string | null;
  readonly json: string | null;
};

const WARM_UP = 10;
const NS_PER_MS = 1e6;
const ZONE = 'Africa/Lagos';
const PERIOD = '2026-01';
const MONTH = { from: startOfPeriod(ZONE, PERIOD), to: endOfPeriod(ZONE, PERIOD) } as const;

/** Reads the command line. @throws Error with a sentence for the user */
export function parseOptions(args: readonly string[]): Options {
  const text = { type: 'string' } as const;
  const { values } = parseArgs({ args: [...args], options: { invoices: text, lines: text, pdf: text, json: text } });
  return {
    invoices: wholeOf('invoices', values.invoices, 300, 1, 100_000),
    lines: wholeOf('lines', values.lines, 30, 1, 500),
    pdf: values.pdf ?? null,
    json: values.json ?? null,
  };
}

/** Prints the invoices. */
export async function measure({ invoices, lines, pdf }: Omit<Options, 'json'>): Promise<InvoicesReport> {
  const printer = startPrinter({ clock: createClock(), log: QUIET });
  let last: Uint8Array = new Uint8Array();
  const printOne = async (at: number): Promise<{ readonly ms: number; readonly bytes: number }> => {
    const invoice = anInvoice(at, lines);
    const began = performance.now();
    last = (await printer.print(paperOf(invoice))).pdf;
    return { ms: performance.now() - began, bytes: last.length };
  };
  for (let at = 0; at < WARM_UP; at += 1) await printOne(at);
  const stops = monitorEventLoopDelay({ resolution: 1 });
  stops.enable();
  const printed: { readonly ms: number; readonly bytes: number }[] = [];
  for (let at = 0; at < invoices; at += 1) printed.push(await printOne(WARM_UP + at));
  stops.disable();
  await printer.stop();
  if (pdf !== null) await writeFile(pdf, last);
  return judge({
    lines,
    printMs: spreadOf(printed.map(({ ms }) => ms)),
    kB: spreadOf(printed.map(({ bytes }) => bytes / 1000)),
    stopP99Ms: stops.percentile(99) / NS_PER_MS,
    stopMaxMs: stops.max / NS_PER_MS,
  });
}

/** An invoice of January with so many deliveries. No two have the same text. */
function anInvoice(at: number, count: number): Invoice {
  const lines = Array.from({ length: count }, (_, index): BillLine => ({
    date: `2026-01-${String(1 + (index % 31)).padStart(2, '0')}`,
    type: 'delivery',
    deliveryId: newId('del'),
    count: 1,
    amount: amountOf(145_000 + at + index),
    tax: amountOf(10_116),
  }));
  const amount = amountOf(lines.reduce((sum, line) => sum + line.amount, 0));
  const tax = amountOf(lines.reduce((sum, line) => sum + line.tax, 0));
  return {
    id: newId('inv'),
    vendorId: newId('ven'),
    liveMode: true,
    currency: 'NGN',
    period: PERIOD,
    zone: ZONE,
    ...MONTH,
    issuedAt: MONTH.to,
    credits: null,
    number: `INV-2026-${String(at).padStart(6, '0')}`,
    sha256: null,
    seller: { name: 'Example Dispatch', taxId: 'TIN 1', address: ['1 Marina Road', 'Lagos'] },
    buyer: { name: 'Mama Ẹbùn', taxId: null, address: ['2 Broad Street', 'Lagos'] },
    lines,
    sums: { amount, tax, paid: amount, due: amountOf(0) },
  };
}

if (import.meta.main) {
  const parse = (args: readonly string[]): Options | null => (asksForHelp(args) ? null : parseOptions(args));
  await runPlay({ usage: USAGE, parse, play: measure, tableOf, lastLine });
}
