import { newId } from '../../../src/domain/ids.ts';
import { amountOf } from '../../../src/money/amount.ts';
import { suspenseOf, type Suspense } from '../../../src/money/suspense/suspense.ts';
import { NOON } from '../../builders.ts';
import { aTopUp } from '../top-ups/a-top-up.ts';

/** Open money in suspense: 9.99 EUR of a top-up of 10.00 EUR, since noon. */
export function aSuspense(over: Partial<Suspense> = {}): Suspense {
  const arrived = { id: newId('sus'), amount: amountOf(999), currency: 'EUR', createdAt: NOON };
  return { ...suspenseOf(aTopUp(), arrived, 86_400_000), ...over };
}
