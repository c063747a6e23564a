import fc from 'fast-check';
import { expect, test } from 'vitest';
import { bookPayout } from '../../../src/money/payouts/book-payout.ts';
import {
  moveOutgoing,
  type Booking,
  type OutgoingState,
  type OutgoingVerb,
} from '../../../src/money/payouts/outgoing.ts';
import type { Payout } from '../../../src/money/payouts/payout.ts';
import { assertSound } from '../../../src/money/ledger/entries.ts';
import { NOON } from '../../builders.ts';
import { aPayout } from './a-payout.ts';

const VERBS: OutgoingVerb[] = ['approve', 'lapse', 'send', 'put_back', 'ask', 'pay', 'fail', 'reverse', 'take_back'];

/** The account on which the money of a payout is in each state. */
const PLACE: Readonly<Record<OutgoingState, string>> = {
  awaiting_approval: 'in_transit',
  pending: 'in_transit',
  processing: 'in_transit',
  needs_action: 'in_transit',
  paid: 'clearing',
  failed: 'earnings',
  reversed: 'earnings',
  canceled: 'earnings',
};

function entryOf(payout: Payout, booking: Booking) {
  const command = bookPayout(payout, booking);
  if (command.do !== 'post') throw new Error('a payout posts');
  assertSound(command.entry);
  return command.entry;
}

test('[J144] whatever happens to a payout, its money is in one place, and each fact is booked once', () => {
  fc.assert(
    fc.property(fc.boolean(), fc.array(fc.constantFrom(...VERBS), { maxLength: 30 }), (isLarge, verbs) => {
      let payout = aPayout({ state: isLarge ? 'awaiting_approval' : 'pending' });
      const sums = new Map<string, number>();
      const keys: string[] = [];
      const book = (booking: Booking): void => {
        const entry = entryOf(payout, booking);
        keys.push(entry.key);
        for (const { account, amount } of entry.postings) {
          const [kind = ''] = account.split(':');
          sums.set(kind, (sums.get(kind) ?? payoutStart(kind, payout)) + amount);
        }
      };
      book('reserve');
      for (const verb of verbs) {
        const moved = moveOutgoing(payout, verb, NOON);
        if (moved === null) continue;
        expect(moved.next.version).toBe(payout.version + 1);
        payout = moved.next;
        if (moved.books !== null) book(moved.books);
        const full = [...sums].filter(([, sum]) => sum !== 0);
        expect(full).toEqual([[PLACE[payout.state], payout.amount]]);
      }
      expect(new Set(keys).size).toBe(keys.length);
    }),
  );
});

function payoutStart(kind: string, { amount }: Payout): number {
  return kind === 'earnings' ? amount : 0;
}
