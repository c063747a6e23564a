import fc from 'fast-check';
import { expect, test } from 'vitest';
import { newId } from '../../../src/domain/ids.ts';
import { Refusal } from '../../../src/domain/refusals/refusals.ts';
import { amountOf } from '../../../src/money/amount.ts';
import { assertSound } from '../../../src/money/ledger/entries.ts';
import { moveOutgoing, type Booking, type OutgoingVerb } from '../../../src/money/payouts/outgoing.ts';
import { bookRefund } from '../../../src/money/top-ups/book-refund.ts';
import { planRefund, refundedOf, type TopUpRefund } from '../../../src/money/top-ups/top-up-refund.ts';
import { NOON } from '../../builders.ts';
import { aTopUpRefund } from './a-refund.ts';
import { aTopUp } from './a-top-up.ts';

const VERBS: OutgoingVerb[] = ['approve', 'lapse', 'send', 'put_back', 'ask', 'pay', 'fail', 'reverse', 'take_back'];
/** The account on which the money of a refund is in each state. */
const PLACE: Readonly<Record<TopUpRefund['state'], string>> = {
  pending: 'in_transit',
  processing: 'in_transit',
  needs_action: 'in_transit',
  paid: 'clearing',
  failed: 'wallet',
  reversed: 'wallet',
};
const checkout = { url: 'https://pay.example/1', gatewayId: 'cs_1' };
const topUp = aTopUp({ state: 'succeeded', isPaid: true, checkout });
const asked = (amount: number | null, reference: string = newId('req')) => ({
  id: newId('tur'),
  reference,
  note: 'the shop has closed',
  requestedBy: newId('stf'),
  amount: amount === null ? null : amountOf(amount),
});
const plan = (known: readonly TopUpRefund[], amount: number | null, reference?: string) =>
  planRefund(topUp, known, asked(amount, reference), NOON);

function entryOf(refund: TopUpRefund, booking: Booking) {
  const command = bookRefund(refund, booking);
  if (command.do !== 'post') throw new Error('a refund posts');
  assertSound(command.entry);
  return command.entry;
}

test('[J270] whatever happens to a refund, its money is in one place, and each fact is booked once', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...VERBS), { maxLength: 30 }), (verbs) => {
      let refund = aTopUpRefund();
      const sums = new Map<string, number>([['wallet', refund.amount]]);
      const keys: string[] = [];
      const book = (booking: Booking): void => {
        const { key, postings, vendorId } = entryOf(refund, booking);
        keys.push(key);
        expect(vendorId).toBe(booking === 'pay_out' ? null : refund.vendorId);
        for (const { account, amount } of postings) {
          const [kind = ''] = account.split(':');
          sums.set(kind, (sums.get(kind) ?? 0) + amount);
        }
      };
      book('reserve');
      for (const verb of verbs) {
        const moved = moveOutgoing(refund, verb, NOON);
        if (moved === null) continue;
        refund = moved.next;
        if (moved.books !== null) book(moved.books);
        const full = [...sums].filter(([, sum]) => sum !== 0);
        expect(full).toEqual([[PLACE[refund.state], refund.amount]]);
      }
      expect(new Set(keys).size).toBe(keys.length);
    }),
  );
});

test('[J271] the refunds of a top-up never exceed it, however they are asked for and end', () => {
  const amounts = fc.oneof(fc.constant(null), fc.integer({ min: 1, max: 1200 }));
  const steps = fc.array(fc.tuple(amounts, fc.constantFrom('paid', 'failed', 'reversed', 'processing')), {
    maxLength: 30,
  });
  fc.assert(
    fc.property(steps, (wishes) => {
      const known: TopUpRefund[] = [];
      for (const [amount, state] of wishes) {
        const left = topUp.amount - refundedOf(known);
        const fits = known.length < 20 && left > 0 && (amount ?? left) <= left;
        if (!fits) expect(() => plan(known, amount)).toThrow();
        else {
          const refund = plan(known, amount);
          expect(refund).toMatchObject({ amount: amount ?? left, state: 'pending', paymentId: 'cs_1', dueAt: NOON });
          known.push({ ...refund, state });
        }
        expect(refundedOf(known)).toBeLessThanOrEqual(topUp.amount);
      }
    }),
  );
});

test('[J271] a refund that failed or came back can be made again, and one that is under way counts', () => {
  const of = (state: TopUpRefund['state']) => aTopUpRefund({ state, amount: amountOf(1000) });
  for (const state of ['failed', 'reversed'] as const) expect(plan([of(state)], null).amount).toBe(1000);
  for (const state of ['pending', 'processing', 'needs_action', 'paid'] as const)
    expect(() => plan([of(state)], 1)).toThrow(expect.objectContaining({ code: 'refund_exceeds_top_up' }));
});

test('[J271] money that the gateway has taken back cannot be refunded once more, until it is returned', () => {
  const taken = { id: 'dp_1', cause: 'dispute', amount: amountOf(700), currency: topUp.currency } as const;
  const leftWith = (state: 'open' | 'final' | 'returned') =>
    planRefund({ ...topUp, chargebacks: [{ ...taken, state }] }, [], asked(null), NOON).amount;
  expect([leftWith('open'), leftWith('final'), leftWith('returned')]).toEqual([300, 300, 1000]);
  // Money of another currency is not of this wallet.
  const foreign = { ...topUp, chargebacks: [{ ...taken, state: 'final' as const, currency: 'USD' }] };
  expect(planRefund(foreign, [], asked(null), NOON).amount).toBe(1000);
  const whole = { ...topUp, chargebacks: [{ ...taken, state: 'final' as const, amount: amountOf(1000) }] };
  expect(() => planRefund(whole, [], asked(null), NOON)).toThrow(
    expect.objectContaining({ code: 'refund_exceeds_top_up' }),
  );
});

test('[J271] a reference names one refund of its top-up, and never another amount or reason', () => {
  const first = plan([], 400, 'ticket-1');
  expect(plan([first], 400, 'ticket-1')).toBe(first);
  expect(plan([first], null, 'ticket-1')).toBe(first);
  expect(() => plan([first], 500, 'ticket-1')).toThrow(expect.objectContaining({ code: 'idempotency_key_reused' }));
  const other = { ...asked(400, 'ticket-1'), note: 'paid twice' };
  expect(() => planRefund(topUp, [first], other, NOON)).toThrow(
    expect.objectContaining({ code: 'idempotency_key_reused' }),
  );
  expect(plan([first], null, 'ticket-2').amount).toBe(600);
});

test('[J271] a refusal says why, and what of the top-up can still be refunded', () => {
  const refusal = (make: () => unknown): Refusal => {
    try {
      make();
    } catch (error) {
      if (error instanceof Refusal) return error;
      throw error;
    }
    throw new Error('it is refused');
  };
  const first = plan([], 400, 'ticket-1');
  const exceeding = refusal(() => plan([first], 601));
  expect(exceeding).toMatchObject({
    code: 'refund_exceeds_top_up',
    told: { metadata: { refundable: 600, refunded: 400 } },
  });
  expect(exceeding.message).toContain('600 of 1000');
  const many = Array.from({ length: 20 }, () => aTopUpRefund({ state: 'failed' }));
  const tooMany = refusal(() => plan(many, 1));
  expect([tooMany.message, tooMany.told.metadata]).toEqual([expect.stringContaining('20'), { status: 'succeeded' }]);
  const pending = refusal(() => planRefund({ ...topUp, state: 'pending' }, [], asked(1), NOON));
  expect([pending.message, pending.told.metadata]).toEqual([expect.stringContaining('pending'), { status: 'pending' }]);
  expect(refusal(() => plan([first], 500, 'ticket-1')).message).toContain('reference');
  // Without a payment at the gateway there is nothing to give back.
  expect(refusal(() => planRefund({ ...topUp, checkout: null }, [], asked(1), NOON)).code).toBe(
    'top_up_not_refundable',
  );
});

test('[J271] only a top-up that has succeeded can be refunded, and at most twenty times', () => {
  const refused = expect.objectContaining({ code: 'top_up_not_refundable' });
  for (const state of ['pending', 'failed', 'expired'] as const)
    expect(() => planRefund({ ...topUp, state }, [], asked(1), NOON)).toThrow(refused);
  const known = Array.from({ length: 20 }, () => aTopUpRefund({ amount: amountOf(1), state: 'failed' }));
  expect(plan(known.slice(1), 1).amount).toBe(1);
  expect(() => plan(known, 1)).toThrow(refused);
});
