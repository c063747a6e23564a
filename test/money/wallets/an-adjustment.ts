import { newId } from '../../../src/domain/ids.ts';
import { amountOf } from '../../../src/money/amount.ts';
import type { Adjustment } from '../../../src/money/wallets/adjustment.ts';
import { NOON } from '../../builders.ts';

/** An adjustment of 5.00 EUR into a test wallet that waits for a second person since noon. */
export function anAdjustment(over: Partial<Adjustment> = {}): Adjustment {
  return {
    id: newId('adj'),
    vendorId: newId('ven'),
    liveMode: false,
    currency: 'EUR',
    amount: amountOf(500),
    reason: 'a broken bag',
    state: 'awaiting_approval',
    requestedBy: newId('stf'),
    decidedBy: null,
    createdAt: NOON,
    updatedAt: NOON,
    version: 1,
    ...over,
  };
}
