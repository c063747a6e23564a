import { newId } from '../../../src/domain/ids.ts';
import { amountOf } from '../../../src/money/amount.ts';
import type { Dispute } from '../../../src/money/disputes/dispute.ts';
import { NOON } from '../../builders.ts';

/** An open dispute of test mode, raised at noon. */
export function aDispute(over: Partial<Dispute> = {}): Dispute {
  return {
    id: newId('dsp'),
    deliveryId: newId('del'),
    vendorId: newId('ven'),
    liveMode: false,
    currency: 'EUR',
    amount: amountOf(450),
    reason: 'arrived_late',
    description: 'The soup was cold.',
    proofIds: [],
    state: 'open',
    refunded: null,
    partyAtFault: null,
    note: null,
    handledBy: null,
    createdAt: NOON,
    updatedAt: NOON,
    version: 1,
    ...over,
  };
}
