import type { BankAccount } from '../../../src/domain/couriers/bank-account.ts';
import { newId, type CourierId } from '../../../src/domain/ids.ts';
import { amountOf } from '../../../src/money/amount.ts';
import { batchIdOf, type Payout, type PayoutBatch } from '../../../src/money/payouts/payout.ts';
import { NOON } from '../../builders.ts';

const BATCH = batchIdOf(false, 'EUR', '2026-01-05');
const ASKED = { type: 'internal', id: 'payroll' } as const;

/** A payout of 10.00 euros that may be sent. */
export function aPayout(over: Partial<Payout> = {}): Payout {
  return {
    id: newId('pay'),
    batchId: BATCH,
    courierId: newId('cou'),
    liveMode: false,
    currency: 'EUR',
    amount: amountOf(1000),
    gateway: 'sandbox',
    state: 'pending',
    sealedDetails: '',
    last4: '6199',
    requestedBy: ASKED,
    approvedBy: null,
    reason: null,
    looks: 0,
    failures: 0,
    dueAt: NOON,
    createdAt: NOON,
    updatedAt: NOON,
    version: 1,
    ...over,
  };
}

/** A batch of which nothing was made. */
export function aBatch(over: Partial<PayoutBatch> = {}): PayoutBatch {
  const of = { id: BATCH, liveMode: false, currency: 'EUR', date: '2026-01-05', requestedBy: ASKED } as const;
  return {
    ...of,
    gateway: 'sandbox',
    state: 'making',
    after: null,
    payouts: 0,
    amount: amountOf(0),
    createdAt: NOON,
    failures: 0,
    ...over,
  };
}

/** A bank account that may be used. */
export function aBankAccount(courierId: CourierId, over: Partial<BankAccount> = {}): BankAccount {
  const of = { courierId, liveMode: false, currency: 'EUR', country: 'DE', form: 'iban', last4: '6199' } as const;
  return { ...of, sealedDetails: 'sealed', usableAt: NOON, updatedAt: NOON, version: 1, ...over };
}
