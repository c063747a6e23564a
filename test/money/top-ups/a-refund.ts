import { newId } from '../../../src/domain/ids.ts';
import { amountOf } from '../../../src/money/amount.ts';
import type { TopUpRefund } from '../../../src/money/top-ups/top-up-refund.ts';
import { bookOf, platformAccount, vendorAccount } from '../../../src/money/ledger/accounts.ts';
import { move } from '../../../src/money/ledger/entries.ts';
import { bookRefund } from '../../../src/money/top-ups/book-refund.ts';
import type { Ledger } from '../../../src/ports/ledger.ts';
import type { TopUpRefundStore } from '../../../src/ports/money/top-up-refunds.ts';
import { NOON } from '../../builders.ts';
import { anEntry } from '../../models/audit/an-entry.ts';
import { anEntry as aBooking } from '../ledger/book.ts';
import { aTopUp } from './a-top-up.ts';

/** A refund of 4.00 EUR at the sandbox that may be sent. */
export function aTopUpRefund(over: Partial<TopUpRefund> = {}): TopUpRefund {
  const topUpId = newId('top');
  return {
    id: newId('tur'),
    topUpId,
    vendorId: newId('ven'),
    liveMode: false,
    currency: 'EUR',
    amount: amountOf(400),
    gateway: 'sandbox',
    paymentId: topUpId,
    reference: newId('req'),
    note: 'the shop has closed',
    requestedBy: newId('stf'),
    state: 'pending',
    reason: null,
    looks: 0,
    failures: 0,
    dueAt: NOON,
    createdAt: NOON,
    updatedAt: NOON,
    version: 1,
    ...over,
  };
}

/** Stores a refund, whose money comes from a wallet that has it. */
export async function addRefund(
  { ledger, topUpRefunds }: { readonly ledger: Pick<Ledger, 'post'>; readonly topUpRefunds: TopUpRefundStore },
  refund: TopUpRefund,
): Promise<void> {
  const { id, topUpId, vendorId, liveMode, currency, amount } = refund;
  const book = bookOf(liveMode, currency);
  const postings = move(amount, platformAccount('adjustment', book), vendorAccount('wallet', vendorId, book));
  const credit = { ...aBooking(`credit:${id}`, 'adjustment', postings), book };
  const filled = await ledger.post({ do: 'post', entry: credit }, null);
  if (!filled.ok) throw new Error(filled.why);
  const births = { command: bookRefund(refund, 'reserve'), entry: anEntry() };
  await topUpRefunds.add(aTopUp({ id: topUpId, vendorId, liveMode }), () => ({ refund, births }));
}
