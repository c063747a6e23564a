import { expect, test } from 'vitest';
import { amountOf } from '../../../src/money/amount.ts';
import type { Entry } from '../../../src/money/ledger/entries.ts';
import { bookedOf, chargebackEntries } from '../../../src/money/top-ups/book-chargeback.ts';
import type { Chargeback } from '../../../src/money/top-ups/chargeback.ts';
import { aTopUp } from './a-top-up.ts';

const topUp = aTopUp({ state: 'succeeded' });
const won: Chargeback = { id: 'dp_1', cause: 'dispute', state: 'returned', amount: amountOf(500), currency: 'EUR' };

test('[J402] a return that an earlier release booked under its own key counts for what the gateway takes again', () => {
  const [taken, returned] = chargebackEntries(topUp, won, []);
  if (taken === undefined || returned === undefined) throw new Error('both are booked');
  const earlier: Entry = { ...returned, key: `chargeback_return:${topUp.gateway}:dp_1` };
  const booked = bookedOf(topUp, won, [taken, earlier]);
  expect(chargebackEntries(topUp, won, booked)).toEqual([]);
  const again = chargebackEntries(topUp, { ...won, state: 'final' }, booked);
  expect(again).toEqual([{ ...taken, key: `${taken.key}:change:2` }]);
});
