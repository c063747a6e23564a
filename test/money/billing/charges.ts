import { newId, type DeliveryId, type VendorId } from '../../../src/domain/ids.ts';
import { amountOf, type Amount } from '../../../src/money/amount.ts';
import { platformAccount, vendorAccount, type Book } from '../../../src/money/ledger/accounts.ts';
import type { Command } from '../../../src/money/ledger/decide.ts';
import type { EntryLine, Posting } from '../../../src/money/ledger/entries.ts';

/** A line of a charge, minor units. */
export function aLine(type: EntryLine['type'], amount: number, tax = 0): EntryLine {
  return { type, amount: amountOf(amount), tax: amountOf(tax) };
}

type Charge = {
  readonly vendorId: VendorId;
  readonly book: Book;
  readonly deliveryId?: DeliveryId;
  readonly lines?: readonly EntryLine[];
  /** The part that exceeds the hold, and that the vendor owes. */
  readonly over?: number;
};

/** Charges a vendor for a delivery, as the end of one does. */
export function chargeOf({
  vendorId,
  book,
  deliveryId = newId('del'),
  lines = [aLine('delivery', 100, 7)],
  over = 0,
}: Charge): Command {
  const [amount, tax] = [sumOf(lines, 'amount'), sumOf(lines, 'tax')];
  const all: Posting[] = [
    { account: vendorAccount('wallet', vendorId, book), amount: amountOf(over - amount) },
    { account: vendorAccount('receivable', vendorId, book), amount: amountOf(-over) },
    { account: platformAccount('revenue', book), amount: amountOf(amount - tax) },
    { account: platformAccount('tax', book), amount: amountOf(tax) },
  ];
  const postings = all.filter((posting) => posting.amount !== 0);
  const about = { vendorId, about: deliveryId, reason: null };
  return { do: 'post', entry: { key: `charge:${deliveryId}`, kind: 'charge', book, postings, lines, ...about } };
}

function sumOf(lines: readonly EntryLine[], name: 'amount' | 'tax'): Amount {
  return amountOf(lines.reduce((sum, line) => sum + line[name], 0));
}
