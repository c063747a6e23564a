import { expect, test } from 'vitest';
import { Refusal } from '../../../src/domain/refusals/refusals.ts';
import { advanceOutgoing, type OutgoingKind } from '../../../src/money/payouts/advance-outgoing.ts';
import { bookPayout } from '../../../src/money/payouts/book-payout.ts';
import type { Payout } from '../../../src/money/payouts/payout.ts';
import { refusedTransfer, type Transfer } from '../../../src/money/payouts/transfer.ts';
import { keptLog } from '../../kept-ports.ts';
import { CLOCK } from '../../engines/mongo-house.ts';
import { NOON } from '../../builders.ts';
import { aPayout } from './a-payout.ts';

/** A gateway that does not know the payout and answers each try like this, and the versions of the payout that are written. */
function unknownTo(answer: (payout: Payout) => Transfer | 'not_taken', prepare = async (): Promise<void> => undefined) {
  const written: Payout[] = [];
  const kind: OutgoingKind<Payout> = {
    prepare: async (payout) => {
      await prepare();
      return async () => answer(payout);
    },
    find: async () => 'absent',
    book: bookPayout,
    replace: async (next) => written.push(next) > 0,
  };
  const ctx = { clock: { ...CLOCK, now: () => NOON }, log: keptLog() };
  return { written, take: (payout: Payout) => advanceOutgoing(ctx, kind, payout, () => true) };
}

const statesOf = (payouts: readonly Payout[]) => payouts.map(({ state, reason }) => [state, reason]);
const refused = 'refused_by_gateway';

test('[J310] a transfer that the gateway refuses at the first try has failed', async () => {
  const { written, take } = unknownTo(refusedTransfer);
  await take(aPayout());
  expect(statesOf(written)).toEqual([
    ['processing', null],
    ['failed', refused],
  ]);
});

test('[J310] a refusal of a second try proves nothing about the first one, so a person must look', async () => {
  const { written, take } = unknownTo(refusedTransfer);
  await take(aPayout({ state: 'processing' }));
  expect(statesOf(written)).toEqual([['needs_action', refused]]);
  const [waiting] = written;
  await take(waiting ?? aPayout());
  expect(statesOf(written.slice(1))).toEqual([['needs_action', refused]]);
  expect(written[1]?.looks).toBe(1);
});

test('[J310] a second try that the gateway carries out goes on like a first one', async () => {
  const { written, take } = unknownTo(({ amount, currency }) => ({
    status: 'success',
    amount,
    currency,
    reason: null,
  }));
  await take(aPayout({ state: 'processing' }));
  expect(statesOf(written)).toEqual([['paid', null]]);
});

test('[J324] a payout whose preparation fails was not sent, and nothing about it is written', async () => {
  const { written, take } = unknownTo(refusedTransfer, () => Promise.reject(new Refusal('gateway_unavailable')));
  for (const state of ['pending', 'processing'] as const)
    await expect(take(aPayout({ state }))).rejects.toMatchObject({ code: 'gateway_unavailable' });
  expect(written).toEqual([]);
});

test('[J324] a payout whose sending the gateway does not take waits as before, and longer after each try', async () => {
  const { written, take } = unknownTo(() => 'not_taken');
  await take(aPayout());
  const waiting = written.at(-1) ?? aPayout();
  expect(statesOf(written)).toEqual([
    ['processing', null],
    ['pending', null],
    ['pending', null],
  ]);
  expect(waiting).toMatchObject({ looks: 1, dueAt: NOON + 15_000 });
  await take(waiting);
  expect(written.at(-1)).toMatchObject({ state: 'pending', looks: 2, dueAt: NOON + 60_000 });
});

test('[J324] if a second try is not taken, the first one may have been, so the payout stays open', async () => {
  const { written, take } = unknownTo(() => 'not_taken');
  await take(aPayout({ state: 'processing' }));
  expect(statesOf(written)).toEqual([['processing', null]]);
  expect(written[0]).toMatchObject({ looks: 1, dueAt: NOON + 15_000 });
});

test('[J327] after twelve looks or tries in a row that fail, a payout needs a person', async () => {
  const { written, take } = unknownTo(refusedTransfer, () => Promise.reject(new Refusal('gateway_unavailable')));
  const looksFailed = (state: Payout['state'], failures: number) => take(aPayout({ state, failures }));
  await expect(looksFailed('processing', 10)).rejects.toMatchObject({ code: 'gateway_unavailable' });
  await expect(looksFailed('pending', 10)).rejects.toMatchObject({ code: 'gateway_unavailable' });
  expect(written).toEqual([]);
  await looksFailed('processing', 11);
  await looksFailed('pending', 11);
  expect(statesOf(written)).toEqual([
    ['needs_action', 'no_usable_answer'],
    ['needs_action', 'never_sent'],
  ]);
  expect(written[0]).toMatchObject({ failures: 0, dueAt: NOON + 5000 });
});
