import { newId } from '../../../src/domain/ids.ts';
import { amountOf } from '../../../src/money/amount.ts';
import type { Reconciliation } from '../../../src/money/reconcile/reconciliation.ts';
import { NOON } from '../../builders.ts';

/** The comparison of a day of the sandbox with one payment that is not booked. */
export function aReconciliation(over: Partial<Reconciliation> = {}): Reconciliation {
  const money = { amount: amountOf(1000), currency: 'EUR', gatewayId: '1' };
  const unmatched = [{ side: 'theirs', why: 'not_booked', topUpId: newId('top'), payoutId: null, ...money }] as const;
  const of = {
    id: 'sandbox.test.2026-01-05',
    subject: 'payments',
    gateway: 'sandbox',
    liveMode: false,
    date: '2026-01-05',
    from: NOON,
  } as const;
  return {
    ...of,
    fees: [],
    feesUnknown: 0,
    matched: 1,
    oursOnly: 0,
    theirsOnly: 1,
    unmatched,
    runs: 1,
    ranAt: NOON,
    dueAt: NOON,
    ...over,
  };
}
