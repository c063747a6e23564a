import { newId } from '../../../src/domain/ids.ts';
import type { Mongo } from '../../../src/engines/mongo.ts';
import { accountId } from '../../../src/models/common-fields.ts';
import { BILLING_ACCOUNTS } from '../../../src/models/billing/invoice-shapes.ts';
import { gatherLines } from '../../../src/money/billing/gather-lines.ts';
import type { Transaction } from '../../../src/money/billing/transactions.ts';
import { amountOf } from '../../../src/money/amount.ts';
import { bookOf } from '../../../src/money/ledger/accounts.ts';
import type { EntryLine } from '../../../src/money/ledger/entries.ts';
import type { Context } from '../../../src/ports/context.ts';
import type { InvoiceDraft } from '../../../src/ports/money/billing.ts';
import { aLine } from './charges.ts';

const AT = Date.parse('2026-01-05T12:00:00Z');

/** A charge as its vendor sees it. All of it left the wallet, except `owed`. */
export function aTransaction(lines: readonly EntryLine[], over: Partial<Transaction> = {}): Transaction {
  const owed = over.owed ?? amountOf(0);
  const amount = lines.reduce((sum, line) => sum + line.amount, 0);
  return {
    id: newId('txn'),
    kind: 'charge',
    vendorId: newId('ven'),
    liveMode: false,
    book: 'test.EUR',
    deliveryId: newId('del'),
    wallet: amountOf(owed - amount),
    balance: amountOf(0),
    lines,
    reason: null,
    at: AT,
    ...over,
    owed,
  };
}

/** An invoice of January 2026 with one charge, unless others are given. */
export function anInvoice(over: Partial<InvoiceDraft> = {}, charges = [aTransaction([aLine('delivery', 1450, 95)])]) {
  const gathering = gatherLines('UTC');
  for (const charge of charges) gathering.add(charge);
  const draft: InvoiceDraft = {
    id: newId('inv'),
    credits: null,
    vendorId: newId('ven'),
    liveMode: false,
    currency: 'EUR',
    period: '2026-01',
    zone: 'UTC',
    from: Date.parse('2026-01-01'),
    to: Date.parse('2026-02-01'),
    issuedAt: Date.parse('2026-02-01T01:00:00Z'),
    seller: { name: 'Example Dispatch', taxId: 'TIN 1', address: ['1 Marina Road', 'Lagos'] },
    buyer: { name: 'Mama Ẹbùn', taxId: null, address: [] },
    lines: gathering.lines(),
    sums: gathering.sums(),
    ...over,
  };
  return draft;
}

/** Stores an invoice as the next one of its account. */
export async function issue(
  { invoices, mongo }: Pick<Context, 'invoices'> & { readonly mongo: Mongo },
  draft: InvoiceDraft,
): Promise<InvoiceDraft> {
  const { vendorId, liveMode, currency, period, from } = draft;
  const account = { vendorId, liveMode, book: bookOf(liveMode, currency), period, from, dueAt: from, failures: 0 };
  await mongo.collection(BILLING_ACCOUNTS).insertOne({ _id: accountId(account), ...account });
  await invoices.issue(account, { ...account, period: '9999-12', dueAt: Number.MAX_SAFE_INTEGER }, [draft]);
  return draft;
}
