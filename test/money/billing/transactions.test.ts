import { expect, test } from 'vitest';
import { BILLED_KINDS, directionOf, kindsOf, TRANSACTION_KINDS } from '../../../src/money/billing/transactions.ts';
import { amountOf } from '../../../src/money/amount.ts';
import { ENTRY_KIND_NAMES } from '../../../src/money/ledger/entries.ts';

test('[J111] a filter by direction finds the kinds that may have it, and every kind that a vendor sees has one', () => {
  expect(kindsOf('debit')).toEqual(['charge', 'repayment', 'adjustment', 'top_up_refund', 'chargeback']);
  const returns = ['top_up_refund_return', 'chargeback_return'];
  expect(kindsOf('credit')).toEqual(['refund', 'settlement', 'adjustment', 'top_up', ...returns, 'suspense_credit']);
  const either = ENTRY_KIND_NAMES.filter((kind) => [...kindsOf('debit'), ...kindsOf('credit')].includes(kind));
  expect(TRANSACTION_KINDS).toEqual(either);
});

test('[J180] charges and refunds stand on invoices and credit notes, and nothing else does', () => {
  expect(BILLED_KINDS).toEqual(['charge', 'refund']);
});

test('[J111] a transaction is a debit if it takes money of the wallet, or if it only adds to the debt', () => {
  const of = (wallet: number, owed: number) => directionOf({ wallet: amountOf(wallet), owed: amountOf(owed) });
  expect([of(-1, 0), of(-5, 5), of(-5, -5), of(0, 1)]).toEqual(['debit', 'debit', 'debit', 'debit']);
  expect([of(1, 0), of(1, 1), of(0, -1)]).toEqual(['credit', 'credit', 'credit']);
});
