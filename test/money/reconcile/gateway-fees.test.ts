import { expect, test } from 'vitest';
import { newId } from '../../../src/domain/ids.ts';
import { amountOf } from '../../../src/money/amount.ts';
import { assertSound } from '../../../src/money/ledger/entries.ts';
import { feeEntries, withFees } from '../../../src/money/reconcile/gateway-fees.ts';
import { nameOfPayment } from '../../../src/money/suspense/suspense.ts';

const aFee = (
  fee: number | null,
  currency = 'EUR',
  topUpId: ReturnType<typeof newId<'top'>> | null = newId('top'),
) => ({
  topUpId,
  name: topUpId,
  currency,
  fee: fee === null ? null : amountOf(fee),
});

test('[J293] a fee moves from the processing cost to clearing, in the book of its mode and currency', () => {
  const fee = aFee(29, 'NGN');
  const [entry, ...others] = feeEntries([fee, aFee(0), aFee(null), aFee(5, 'EUR', null)], true);
  expect(others).toEqual([]);
  if (entry === undefined) throw new Error('the fee is booked');
  assertSound(entry);
  expect(entry).toMatchObject({
    key: `gateway_fee:${fee.topUpId}`,
    about: fee.topUpId,
    book: 'live.NGN',
    vendorId: null,
  });
  expect(entry.postings).toEqual([
    { account: 'processing_cost::live.NGN', amount: -29 },
    { account: 'clearing::live.NGN', amount: 29 },
  ]);
});

test('[J296] the fee of a further payment is a fact of its own, about the same top-up', () => {
  const topUpId = newId('top');
  const further = { ...aFee(7, 'EUR', topUpId), name: nameOfPayment(topUpId, '12') };
  const entries = feeEntries([aFee(5, 'EUR', topUpId), further], false);
  expect(entries.map(({ key, about }) => [key, about])).toEqual([
    [`gateway_fee:${topUpId}`, topUpId],
    [`gateway_fee:${topUpId}:12`, topUpId],
  ]);
});

test('[J294] fees add up in each currency, and unknown ones are counted', () => {
  const first = withFees({ fees: [], feesUnknown: 0 }, [aFee(1), aFee(2), aFee(4, 'NGN'), aFee(null), aFee(0, 'USD')]);
  expect(first).toEqual({
    fees: [
      { currency: 'EUR', amount: 3 },
      { currency: 'NGN', amount: 4 },
    ],
    feesUnknown: 1,
  });
  const second = withFees(first, [aFee(5, 'NGN'), aFee(null)]);
  expect(second.fees.map(({ amount }) => amount)).toEqual([3, 9]);
  expect(second.feesUnknown).toBe(2);
});
