import { dateIn } from '../../domain/analytics/local-date.ts';
import { amountOf } from '../amount.ts';
import { isRefundLine, type BillLine, type BillSums } from './bill.ts';
import type { Transaction } from './transactions.ts';

/** Most lines that name their delivery. More of them are added up, so that a bill stays readable. */
export const MOST_LINES = 500;

/** The charges and refunds of a bill, added one after the other, newest first. Its memory does not grow with their number. */
export type Gathering = {
  add(transaction: Transaction): void;
  /** Oldest first. */
  lines(): readonly BillLine[];
  sums(): BillSums;
};

/**
 * Gathers the lines of a bill. Each line of a charge or a refund is one of them. If there are more than 500, each is the
 * sum of a date and a type, and refunds are apart from charges.
 * @param zone the time zone of the dates
 */
export function gatherLines(zone: string): Gathering {
  const single: BillLine[] = [];
  const byDate = new Map<string, BillLine>();
  let [paid, due] = [0, 0];
  return {
    add: (transaction) => {
      paid -= transaction.wallet;
      due += transaction.owed;
      for (const line of linesOf(zone, transaction).toReversed()) {
        if (single.length <= MOST_LINES) single.push(line);
        const key = `${line.date} ${line.type} ${isRefundLine(line)}`;
        byDate.set(key, addedTo(byDate.get(key), line));
      }
    },
    lines: () => (single.length <= MOST_LINES ? single : [...byDate.values()]).toReversed(),
    sums: () => {
      const all = [...byDate.values()];
      return {
        amount: amountOf(all.reduce((sum, line) => sum + line.amount, 0)),
        tax: amountOf(all.reduce((sum, line) => sum + line.tax, 0)),
        paid: amountOf(paid),
        due: amountOf(due),
      };
    },
  };
}

function linesOf(zone: string, { at, deliveryId, lines }: Transaction): BillLine[] {
  const date = dateIn(zone, at);
  return lines.map(({ type, amount, tax }) => ({ date, type, deliveryId, count: 1, amount, tax }));
}

function addedTo(sum: BillLine | undefined, line: BillLine): BillLine {
  if (sum === undefined) return { ...line, deliveryId: null };
  const [amount, tax] = [amountOf(sum.amount + line.amount), amountOf(sum.tax + line.tax)];
  return { ...sum, count: sum.count + 1, amount, tax };
}
