import { newId } from '../../../src/domain/ids.ts';
import type { InvoiceStore } from '../../../src/ports/money/billing.ts';
import { anInvoice } from '../../money/billing/an-invoice.ts';
import { CLOCK } from '../../engines/mongo-house.ts';
import { turnPages, type Calls } from './calls.ts';

const LIMIT = 20;
/** A vendor with a billing account. */
const BILLED = newId('ven');
/** A vendor with many invoices. */
const PAYER = newId('ven');

/** Calls of every method of the store of invoices. */
export function invoiceCalls(invoices: InvoiceStore): Calls<InvoiceStore> {
  const draft = anInvoice({ vendorId: BILLED });
  const payer = { vendorId: draft.vendorId, liveMode: false };
  const book = 'test.EUR';
  const account = { ...payer, book, period: '2026-01', from: 0, dueAt: 0, failures: 0 } as const;
  const found = async () => (await invoices.listUnprinted(CLOCK.now(), LIMIT))[0];
  return {
    findAccount: () => invoices.findAccount(payer, book),
    listDue: () => invoices.listDue(CLOCK.now(), LIMIT),
    issue: () => invoices.issue(account, { ...account, period: '2026-02', dueAt: CLOCK.now() + 1e9 }, [draft]),
    findCharging: () => invoices.findCharging({ vendorId: PAYER, liveMode: false }, book, draft.from),
    list: async () => {
      for (const filter of [{}, { isCredit: true }])
        await turnPages((after) =>
          invoices.list({ vendorId: PAYER, liveMode: false, ...filter }, { limit: LIMIT, after }),
        );
    },
    find: () => invoices.find(draft.id),
    findOfPeriod: () => invoices.findOfPeriod(payer, book, '2026-01'),
    findPrinted: () => invoices.findPrinted(draft.id),
    listUnprinted: () => invoices.listUnprinted(CLOCK.now(), LIMIT),
    putOff: () => invoices.putOff(account, CLOCK.now()),
    putOffPrint: async () => {
      const unprinted = await found();
      if (unprinted !== undefined) await invoices.putOffPrint(unprinted, CLOCK.now());
    },
    addPrinted: async () => {
      const unprinted = await found();
      if (unprinted !== undefined)
        await invoices.addPrinted(unprinted.invoice, { pdf: Buffer.from('%PDF'), sha256: '' });
    },
  };
}

type Row = { readonly _id: string; readonly [field: string]: unknown };

/** Makes one row of each collection of invoices from its number. Few are due. */
export const INVOICE_ROWS: Record<string, (at: number) => Row> = {
  invoices: (at) => ({
    ...invoiceOf(at),
    ...(at % 2000 === 0 ? { due: true } : {}),
  }),
  billing_accounts: (at) => ({
    _id: `${at === 0 ? BILLED : `ven_${at}`}:test.EUR`,
    period: '2026-01',
    dueAt: CLOCK.now() + (at - 10) * 1000,
  }),
  invoice_series: (at) => ({ _id: `INV-${at}`, last: 1 }),
};

function invoiceOf(at: number): Row {
  const of = at % 20 === 1 ? { vendorId: PAYER } : {};
  const {
    lines,
    sums,
    currency: _currency,
    credits: _none,
    ...invoice
  } = anInvoice({ ...of, issuedAt: CLOCK.now() - at });
  const exact = lines.map((line) => ({ ...line, amount: 1n, tax: 0n }));
  const none = { amount: BigInt(sums.amount), tax: 0n, paid: 0n, due: 0n };
  return {
    _id: `ven_${at}:test.EUR:2026-01`,
    ...invoice,
    number: `INV-${at}`,
    book: 'test.EUR',
    lines: exact,
    sums: none,
  };
}
