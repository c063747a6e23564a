import { expect, test } from 'vitest';
import { advanceOutgoing, type OutgoingKind } from '../../../src/money/payouts/advance-outgoing.ts';
import { bookPayout } from '../../../src/money/payouts/book-payout.ts';
import type { Payout } from '../../../src/money/payouts/payout.ts';
import { CLOCK } from '../../engines/mongo-house.ts';
import { keptLog } from '../../kept-ports.ts';
import { aPayout } from './a-payout.ts';

/** A payout at a gateway that does not know it yet and pays it at once, and a process that may come too late. */
function lateProcess(replace: (next: Payout) => boolean) {
  const [log, written]: [ReturnType<typeof keptLog>, Payout[]] = [keptLog(), []];
  let [ownsLease, sends] = [true, 0];
  const kind: OutgoingKind<Payout> = {
    prepare: async ({ amount, currency }) => {
      return async () => {
        sends += 1;
        return { status: 'success', amount, currency, reason: null };
      };
    },
    find: async () => 'absent',
    book: bookPayout,
    replace: async (next) => {
      written.push(next);
      return replace(next);
    },
  };
  return {
    log,
    written,
    sends: () => sends,
    loseLease: () => (ownsLease = false),
    take: (payout: Payout) => advanceOutgoing({ clock: CLOCK, log }, kind, payout, () => ownsLease),
  };
}

test('[J328] a process that loses its lease after the note of a sending sends nothing, and takes the note back', async () => {
  const late = lateProcess(({ state }) => {
    if (state === 'processing') late.loseLease();
    return true;
  });
  await late.take(aPayout());
  expect([late.sends(), late.written.map(({ state }) => state)]).toEqual([0, ['processing', 'pending', 'pending']]);
});

test('[J328] a process that has lost its lease sends nothing again', async () => {
  const late = lateProcess(() => true);
  late.loseLease();
  await late.take(aPayout({ state: 'processing' }));
  expect([late.sends(), late.written.map(({ state }) => state)]).toEqual([0, ['processing']]);
});

test('[J328] if somebody else has changed the payout before the answer came, the log has an error', async () => {
  const late = lateProcess(({ state }) => state !== 'paid');
  await expect(late.take(aPayout())).rejects.toMatchObject({ code: 'busy' });
  const errors = late.log.lines.filter(({ level }) => level === 'error');
  expect(errors).toMatchObject([{ fields: { state: 'processing', transfer: { status: 'success' } } }]);
});
