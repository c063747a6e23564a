import { expect, test } from 'vitest';
import { newId } from '../../../src/domain/ids.ts';
import { amountOf } from '../../../src/money/amount.ts';
import { assertSound, type Entry } from '../../../src/money/ledger/entries.ts';
import type { Command } from '../../../src/money/ledger/decide.ts';
import {
  bookArrival,
  planApproval,
  planDecision,
  SUSPENSE_DECISIONS,
  suspenseOf,
  type Suspense,
} from '../../../src/money/suspense/suspense.ts';
import { NOON } from '../../builders.ts';
import { aTopUp } from '../top-ups/a-top-up.ts';
import { aSuspense } from './a-suspense.ts';

const [BY, LATER] = [newId('stf'), NOON + 60_000];
const AT_THE_LIMIT = { limit: 999, alertMs: 60_000, now: LATER };
const ABOVE_THE_LIMIT = { limit: 998, alertMs: 60_000, now: LATER };

const asked = (decision: Suspense['decision'] & string) => ({ decision, reason: 'paid by card', by: BY });

/** The entry of a command, which must be sound. */
function entryOf(command: Command | null | undefined): Entry {
  if (command?.do !== 'post') throw new Error('it posts an entry');
  assertSound(command.entry);
  return command.entry;
}

test('[J218] money that differs from its top-up is open, and has the amount that arrived', () => {
  const topUp = aTopUp({ liveMode: true, gateway: 'stripe' });
  const arrived = { id: newId('sus'), amount: amountOf(70), currency: 'USD', createdAt: NOON };
  expect(suspenseOf(topUp, arrived, 5000)).toEqual({
    ...arrived,
    gateway: 'stripe',
    topUpId: topUp.id,
    vendorId: topUp.vendorId,
    liveMode: true,
    state: 'open',
    decision: null,
    reason: null,
    decidedBy: null,
    approvedBy: null,
    updatedAt: NOON,
    dueAt: NOON + 5000,
    version: 1,
  });
});

test('[J218] its arrival is one fact of its top-up, and no vendor sees it', () => {
  const money = aSuspense({ currency: 'USD' });
  expect(entryOf(bookArrival(money))).toEqual({
    key: `suspense:${money.topUpId}`,
    kind: 'suspense',
    book: 'test.USD',
    vendorId: null,
    postings: [
      { account: 'clearing::test.USD', amount: -999 },
      { account: 'suspense::test.USD', amount: 999 },
    ],
    about: money.topUpId,
    reason: null,
  });
});

test('[J219] finance credits the money to the wallet, or gives it back to the payer. Both ends are the same fact', () => {
  const money = aSuspense();
  const { id, topUpId, vendorId } = money;
  const credited = planDecision(money, asked('credit'), AT_THE_LIMIT);
  const returned = planDecision(money, asked('return'), AT_THE_LIMIT);
  const decided = { decidedBy: BY, reason: 'paid by card', updatedAt: LATER, dueAt: null, version: 2 };
  expect(credited?.next).toEqual({ ...money, ...decided, decision: 'credit', state: 'credited' });
  expect(returned?.next).toEqual({ ...money, ...decided, decision: 'return', state: 'returned' });
  const end = { key: `suspense_end:${id}`, book: 'test.EUR', about: topUpId, reason: 'paid by card' };
  const out = { account: 'suspense::test.EUR', amount: -999 };
  expect(entryOf(credited?.command)).toEqual({
    ...end,
    kind: 'suspense_credit',
    vendorId,
    postings: [out, { account: `wallet:${vendorId}:test.EUR`, amount: 999 }],
  });
  expect(entryOf(returned?.command)).toEqual({
    ...end,
    kind: 'suspense_return',
    vendorId: null,
    postings: [out, { account: 'clearing::test.EUR', amount: 999 }],
  });
});

test('[J220] an amount above the limit waits for a second person, and another decision may replace the first', () => {
  const money = aSuspense();
  const first = planDecision(money, asked('credit'), ABOVE_THE_LIMIT);
  const decided = { decision: 'credit', reason: 'paid by card', decidedBy: BY } as const;
  const waiting = {
    ...money,
    ...decided,
    state: 'awaiting_approval',
    updatedAt: LATER,
    dueAt: LATER + 60_000,
    version: 2,
  };
  expect(first).toEqual({ next: waiting, command: null });
  const second = planDecision(first?.next ?? money, asked('return'), ABOVE_THE_LIMIT);
  expect([second?.next.decision, second?.next.version, second?.command]).toEqual(['return', 3, null]);
  const other = newId('stf');
  const approved = planApproval(second?.next ?? money, other, LATER + 1);
  expect(approved?.next).toMatchObject({
    state: 'returned',
    decidedBy: BY,
    approvedBy: other,
    updatedAt: LATER + 1,
    dueAt: null,
    version: 4,
  });
  expect(entryOf(approved?.command).kind).toBe('suspense_return');
});

test('[J219] money that has left the suspense is not decided about again, and only money that waits is approved', () => {
  for (const decision of SUSPENSE_DECISIONS) {
    for (const state of ['credited', 'returned'] as const)
      expect(planDecision(aSuspense({ state, decision }), asked(decision), AT_THE_LIMIT)).toBeNull();
    for (const state of ['open', 'credited', 'returned'] as const)
      expect(planApproval(aSuspense({ state, decision }), BY, LATER)).toBeNull();
  }
  expect(planApproval(aSuspense({ state: 'awaiting_approval' }), BY, LATER)).toBeNull();
});
