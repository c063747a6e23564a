import { expect, test } from 'vitest';
import { newId, type TopUpId } from '../../../src/domain/ids.ts';
import { amountOf } from '../../../src/money/amount.ts';
import { bookOf, platformAccount, vendorAccount } from '../../../src/money/ledger/accounts.ts';
import { move, type Entry } from '../../../src/money/ledger/entries.ts';
import { feeEntries } from '../../../src/money/reconcile/gateway-fees.ts';
import {
  factsOf,
  judgeTheirs,
  namePayments,
  NOTHING_COMPARED,
  reconciliationId,
  runAgainAt,
  withMore,
  type ListedPayment,
  type Unmatched,
} from '../../../src/money/reconcile/reconciliation.ts';
import { bookArrival, nameOfPayment, type PaymentName } from '../../../src/money/suspense/suspense.ts';
import { NOON } from '../../builders.ts';
import { aSuspense } from '../suspense/a-suspense.ts';

const HOUR_MS = 3_600_000;
const MOST_KEPT = 200;
const EMPTY = NOTHING_COMPARED;

const aPayment = (topUpId: TopUpId | null, over: Partial<ListedPayment> = {}): ListedPayment => ({
  gatewayId: 'pi_1',
  topUpId,
  amount: amountOf(1000),
  currency: 'EUR',
  fee: null,
  createdAt: NOON,
  ...over,
});

/** The entry of a top-up of 10.00, whose first posting is on the wallet. */
function credited(topUpId: TopUpId, liveMode = false, currency = 'EUR'): Entry {
  const book = bookOf(liveMode, currency);
  const wallet = vendorAccount('wallet', newId('ven'), book);
  const postings = move(amountOf(-1000), wallet, platformAccount('clearing', book));
  return { key: `top_up:${topUpId}`, kind: 'top_up', book, vendorId: null, postings, about: topUpId, reason: null };
}

/** The causes for which payments of test mode are unmatched. */
const causesOf = (
  payments: readonly ListedPayment[],
  entries: readonly Entry[],
  seen: readonly PaymentName[] = [],
  firsts: ReadonlyMap<TopUpId, string> = new Map(),
) => judgeTheirs(namePayments(payments, entries, firsts), entries, false, new Set(seen)).map((one) => one?.why ?? null);

const anUnmatched = (side: Unmatched['side'], at = 0): Unmatched => ({
  side,
  why: side === 'ours' ? 'not_listed' : 'not_booked',
  topUpId: newId('top'),
  payoutId: null,
  gatewayId: String(at),
  amount: amountOf(1),
  currency: 'EUR',
});

test('[J222] a comparison is named by its gateway, its mode and its date, and by its subject unless that is payments', () => {
  const of = { date: '2026-01-31', subject: 'payments' } as const;
  expect(reconciliationId({ ...of, gateway: 'stripe', liveMode: true })).toBe('stripe.live.2026-01-31');
  const inTest = { ...of, gateway: 'sandbox', liveMode: false } as const;
  expect(reconciliationId(inTest)).toBe('sandbox.test.2026-01-31');
  expect(reconciliationId({ ...inTest, subject: 'transfers' })).toBe('sandbox.test.2026-01-31.transfers');
  expect(factsOf({ topUpId: null, gatewayId: '1' })).toEqual([]);
});

test('[J222] a payment matches the entry of its top-up, in the wallet or in suspense, with amount, currency and mode', () => {
  const topUpId = newId('top');
  const suspense = aSuspense();
  const booked = bookArrival(suspense);
  if (booked.do !== 'post') throw new Error('it posts');
  const short = aPayment(suspense.topUpId, { amount: suspense.amount });
  expect(causesOf([aPayment(topUpId), short], [credited(topUpId), booked.entry])).toEqual([null, null]);
  for (const entry of [credited(topUpId, true), credited(topUpId, false, 'USD')])
    expect(causesOf([aPayment(topUpId)], [entry])).toEqual(['amount_differs']);
  for (const amount of [999, 1001, -1000])
    expect(causesOf([aPayment(topUpId, { amount: amountOf(amount) })], [credited(topUpId)])).toEqual([
      'amount_differs',
    ]);
  // An entry without money at the gateway pays nothing of it.
  const [out] = credited(topUpId).postings;
  const elsewhere = { ...credited(topUpId), postings: out === undefined ? [] : [out] };
  expect(causesOf([aPayment(topUpId)], [elsewhere])).toEqual(['amount_differs']);
});

test('[J222] a payment is unmatched if it names no top-up of ours, is not booked, or is the second one of its top-up', () => {
  const [one, other] = [newId('top'), newId('top')];
  const payments = [aPayment(null), aPayment(other), aPayment(one), aPayment(one), aPayment(null)];
  expect(causesOf(payments, [credited(one)])).toEqual(['not_booked', 'not_booked', null, 'paid_twice', 'not_booked']);
  // The first payment of the top-up was on an earlier page.
  expect(causesOf([aPayment(one)], [credited(one)], [one])).toEqual(['paid_twice']);
  const foreign = namePayments([aPayment(other, { amount: amountOf(7), currency: 'USD' })], [], new Map());
  expect(judgeTheirs(foreign, [], false, new Set())).toEqual([
    {
      side: 'theirs',
      why: 'not_booked',
      topUpId: other,
      payoutId: null,
      gatewayId: 'pi_1',
      amount: 7,
      currency: 'USD',
    },
  ]);
});

test('[J293] a payment whose listed fee differs from the booked one is unmatched, and its fee alone books no payment', () => {
  const topUpId = newId('top');
  const [fee] = feeEntries([{ topUpId, name: topUpId, currency: 'EUR', fee: amountOf(29) }], false);
  if (fee === undefined) throw new Error('the fee is booked');
  const listed = (cents: number | null, over: Partial<ListedPayment> = {}) => [
    aPayment(topUpId, { fee: cents === null ? null : amountOf(cents), ...over }),
  ];
  const all = [credited(topUpId), fee];
  expect([listed(29), listed(30), listed(null)].map((payments) => causesOf(payments, all))).toEqual([
    [null],
    ['fee_differs'],
    [null],
  ]);
  // The fee is booked after the comparison that finds it.
  expect(causesOf(listed(29), [credited(topUpId)])).toEqual([null]);
  expect(causesOf(listed(30, { amount: amountOf(999) }), all)).toEqual(['amount_differs']);
  expect(causesOf(listed(29), [fee])).toEqual(['not_booked']);
  expect(causesOf([aPayment(null, { fee: amountOf(30) })], all)).toEqual(['not_booked']);
});

test('[J296] a further payment matches its own suspense, in any order, and its own fee', () => {
  const topUpId = newId('top');
  const arrival = bookArrival(aSuspense({ topUpId, paymentId: 'two', amount: amountOf(700) }));
  if (arrival.do !== 'post') throw new Error('it posts');
  const names = [topUpId, nameOfPayment(topUpId, 'two')];
  const fees = feeEntries(
    names.map((name, at) => ({ topUpId, name, currency: 'EUR', fee: amountOf(at + 1) })),
    false,
  );
  const all = [credited(topUpId), arrival.entry, ...fees];
  const [first, further] = [
    aPayment(topUpId, { gatewayId: 'one', fee: amountOf(1) }),
    aPayment(topUpId, { gatewayId: 'two', amount: amountOf(700), fee: amountOf(2) }),
  ];
  expect(new Set([first, further].flatMap(factsOf))).toEqual(
    new Set([
      ...all.map(({ key }) => key),
      `suspense:${topUpId}`,
      `suspense:${topUpId}:one`,
      `gateway_fee:${topUpId}:one`,
    ]),
  );
  expect(namePayments([further, first, aPayment(null)], all, new Map()).map(({ name }) => name)).toEqual([
    names[1],
    topUpId,
    null,
  ]);
  expect(causesOf([first, further], all)).toEqual([null, null]);
  expect(causesOf([further, first], all)).toEqual([null, null]);
  expect(causesOf([first], all, [nameOfPayment(topUpId, 'two')])).toEqual([null]);
  expect(causesOf([{ ...further, amount: amountOf(699) }], all)).toEqual(['amount_differs']);
  expect(causesOf([{ ...further, fee: amountOf(1) }], all)).toEqual(['fee_differs']);
  expect(causesOf([first, { ...further, gatewayId: 'three' }], all)).toEqual([null, 'paid_twice']);
});

test('[J341] a payment is a further one if its top-up names another, whether either is booked', () => {
  const topUpId = newId('top');
  const [one, two] = ['one', 'two'].map((gatewayId) => aPayment(topUpId, { gatewayId }));
  if (one === undefined || two === undefined) throw new Error('both are made');
  const firsts = new Map([[topUpId, 'one']]);
  expect(causesOf([two, one], [credited(topUpId)], [], firsts)).toEqual(['paid_twice', null]);
  expect(causesOf([two], [credited(topUpId)], [], firsts)).toEqual(['paid_twice']);
  expect(causesOf([one, two], [], [], firsts)).toEqual(['not_booked', 'not_booked']);
  expect(causesOf([two], [credited(topUpId)])).toEqual([null]);
});

test('[J222] a comparison counts every payment of both sides, and keeps the first unmatched ones', () => {
  expect(EMPTY).toMatchObject({ unmatched: [], fees: [] });
  const first = withMore(EMPTY, 3, [anUnmatched('ours'), anUnmatched('theirs'), anUnmatched('theirs')]);
  expect(first).toMatchObject({ matched: 3, oursOnly: 1, theirsOnly: 2 });
  const many = Array.from({ length: MOST_KEPT }, (_, at) => anUnmatched('ours', at));
  const all = withMore(first, 4, many);
  expect(all).toMatchObject({ matched: 7, oursOnly: 1 + MOST_KEPT, theirsOnly: 2 });
  expect(all.unmatched).toEqual([...first.unmatched, ...many.slice(0, MOST_KEPT - 3)]);
});

test('[J223] an unmatched day is compared again up to four times, and a matched one never', () => {
  const pauses = (found: typeof EMPTY) =>
    [1, 2, 3, 4, 5].map((runs) => {
      const at = runAgainAt(found, runs, NOON);
      return at === null ? null : (at - NOON) / HOUR_MS;
    });
  expect(pauses({ ...EMPTY, matched: 9 })).toEqual([null, null, null, null, null]);
  expect(pauses({ ...EMPTY, oursOnly: 1 })).toEqual([1, 6, 24, 48, null]);
  expect(pauses({ ...EMPTY, feesUnknown: 1 })).toEqual([1, 6, 24, 48, null]);
  expect(pauses({ ...EMPTY, theirsOnly: 1 })).toEqual([1, 6, 24, 48, null]);
  // Payments of both sides and unknown fees do not make up for each other.
  expect(pauses({ ...EMPTY, oursOnly: 1, theirsOnly: 1 })).toEqual([1, 6, 24, 48, null]);
  expect(pauses({ ...EMPTY, theirsOnly: 1, feesUnknown: 1 })).toEqual([1, 6, 24, 48, null]);
});
