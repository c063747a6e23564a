import fc from 'fast-check';
import { expect, test } from 'vitest';
import { newId } from '../../../src/domain/ids.ts';
import { amountOf } from '../../../src/money/amount.ts';
import { releaseDisputed, reserveDisputed } from '../../../src/money/disputes/book-dispute.ts';
import {
  mayMoveDispute,
  moveDispute,
  OPEN_DISPUTES,
  type DisputeState,
  type DisputeVerb,
} from '../../../src/money/disputes/dispute.ts';
import { kindOfAccount } from '../../../src/money/ledger/accounts.ts';
import type { Command } from '../../../src/money/ledger/decide.ts';
import { assertSound } from '../../../src/money/ledger/entries.ts';
import { NOON } from '../../builders.ts';
import { aDispute } from './a-dispute.ts';

const VERBS: DisputeVerb[] = ['review', 'accept', 'reject', 'withdraw'];

/** What a command adds to the reserve. */
function reservedBy(command: Command): number {
  if (command.do !== 'post') throw new Error('a dispute posts');
  assertSound(command.entry);
  return command.entry.postings.find(({ account }) => kindOfAccount(account) === 'reserve')?.amount ?? 0;
}

test('[J183] whatever happens to a dispute, the reserve has its amount while it is open, and nothing afterwards', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...VERBS), { maxLength: 12 }), fc.nat(1000), (verbs, size) => {
      let dispute = aDispute({ amount: amountOf(1000) });
      let reserve = reservedBy(reserveDisputed(dispute));
      for (const verb of verbs) {
        const next = moveDispute(dispute, verb, NOON);
        if (next === null) continue;
        expect(next.dispute.version).toBe(dispute.version + 1);
        dispute = next.dispute;
        // The refund takes its part of the reserve by an entry of its own.
        const taken = next.books === 'refund' ? size : 0;
        if (next.books !== null)
          reserve += releaseDisputed(dispute, taken).reduce((sum, one) => sum + reservedBy(one), 0 - taken);
        const isOpen = (OPEN_DISPUTES as readonly DisputeState[]).includes(dispute.state);
        expect(reserve).toBe(isOpen ? 1000 : 0);
      }
    }),
  );
});

test('[J183] each move of a dispute keeps the rest of it, and its money is booked once', () => {
  const dispute = aDispute();
  const by = { type: 'staff', id: newId('stf') } as const;
  expect(moveDispute(dispute, 'review', NOON + 1, { handledBy: by })).toEqual({
    dispute: { ...dispute, state: 'in_review', handledBy: by, updatedAt: NOON + 1, version: 2 },
    books: null,
  });
  expect([mayMoveDispute({ state: 'open' }, 'accept'), mayMoveDispute({ state: 'accepted' }, 'accept')]).toEqual([
    true,
    false,
  ]);
  const keyOf = (command: Command | undefined) => (command?.do === 'post' ? command.entry.key : null);
  expect(keyOf(reserveDisputed(dispute))).toBe(`dispute:${dispute.id}`);
  expect(releaseDisputed(dispute).map(keyOf)).toEqual([`dispute_end:${dispute.id}`]);
  // A refund has taken all of it.
  expect(releaseDisputed(dispute, dispute.amount)).toEqual([]);
});

test('[J183] a decided or withdrawn dispute never moves again', () => {
  for (const state of ['accepted', 'rejected', 'withdrawn'] as const)
    for (const verb of VERBS) expect(moveDispute(aDispute({ id: newId('dsp'), state }), verb, NOON)).toBeNull();
  expect(moveDispute(aDispute({ state: 'in_review' }), 'review', NOON)).toBeNull();
});
