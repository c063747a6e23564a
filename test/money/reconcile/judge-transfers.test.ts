import { expect, test } from 'vitest';
import { newId, type PayoutId } from '../../../src/domain/ids.ts';
import { amountOf } from '../../../src/money/amount.ts';
import type { Entry } from '../../../src/money/ledger/entries.ts';
import { bookPayout } from '../../../src/money/payouts/book-payout.ts';
import type { Booking } from '../../../src/money/payouts/outgoing.ts';
import { endsOf, judgeTransfers, judgeUnlisted } from '../../../src/money/reconcile/judge-transfers.ts';
import { NOON } from '../../builders.ts';
import { aPayout } from '../payouts/a-payout.ts';

/** The entries that these steps of a payout book. */
const booked = (id: PayoutId, ...steps: readonly Booking[]): Entry[] =>
  steps.flatMap((step) => {
    const command = bookPayout(aPayout({ id }), step);
    return command.do === 'post' ? [command.entry] : [];
  });

const aTransfer = (payoutId: PayoutId | null, over: { readonly amount?: number; readonly currency?: string } = {}) => ({
  gatewayId: 'tr_1',
  payoutId,
  currency: 'EUR',
  createdAt: NOON,
  ...over,
  amount: amountOf(over.amount ?? 1000),
});

test('[J291] a transfer matches the payout that is paid, with its amount, currency and mode', () => {
  const id = newId('pay');
  expect(endsOf(id)).toEqual([`payout_paid:${id}`, `payout_return:${id}`]);
  const whyOf = (transfer: ReturnType<typeof aTransfer>, entries: readonly Entry[], liveMode = false) =>
    judgeTransfers([transfer], entries, liveMode).map((one) => one?.why ?? null);
  const paid = booked(id, 'pay_out');
  expect(whyOf(aTransfer(id), paid)).toEqual([null]);
  expect(whyOf(aTransfer(null), paid)).toEqual(['not_booked']);
  expect(whyOf(aTransfer(newId('pay')), paid)).toEqual(['not_booked']);
  for (const back of [booked(id, 'pay_out', 'take_back'), booked(id, 'give_back')])
    expect(whyOf(aTransfer(id), back)).toEqual(['not_booked']);
  for (const over of [{ amount: 999 }, { amount: 1001 }, { currency: 'USD' }])
    expect(whyOf(aTransfer(id, over), paid)).toEqual(['amount_differs']);
  expect(whyOf(aTransfer(id), paid, true)).toEqual(['amount_differs']);
  expect(judgeTransfers([aTransfer(id, { amount: 7 })], [], false)).toEqual([
    { side: 'theirs', why: 'not_booked', topUpId: null, payoutId: id, gatewayId: 'tr_1', amount: 7, currency: 'EUR' },
  ]);
});

test('[J291] a paid payout that the gateway has not carried out is only ours', () => {
  const payout = aPayout();
  const { id, amount, currency } = payout;
  const transfer = { amount, currency, reason: null };
  expect(judgeUnlisted(payout, { ...transfer, status: 'success' })).toBeNull();
  const ours = { side: 'ours', why: 'not_listed', topUpId: null, payoutId: id, gatewayId: null, amount, currency };
  expect(judgeUnlisted(payout, 'absent')).toEqual(ours);
  for (const status of ['pending', 'needs_action', 'failed', 'reversed'] as const)
    expect(judgeUnlisted(payout, { ...transfer, status })).toEqual(ours);
});
