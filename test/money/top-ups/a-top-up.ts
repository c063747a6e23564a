import { newId } from '../../../src/domain/ids.ts';
import { amountOf } from '../../../src/money/amount.ts';
import type { TopUp } from '../../../src/money/top-ups/top-up.ts';
import type { SandboxPayment } from '../../../src/ports/money/sandbox.ts';
import { NOON } from '../../builders.ts';

/** A pending top-up of 10.00 EUR at the sandbox, made at noon. */
export function aTopUp(over: Partial<TopUp> = {}): TopUp {
  return {
    id: newId('top'),
    vendorId: newId('ven'),
    liveMode: false,
    gateway: 'sandbox',
    amount: amountOf(1000),
    currency: 'EUR',
    returnUrl: null,
    state: 'pending',
    reason: null,
    isPaid: false,
    checkout: null,
    createdAt: NOON,
    expiresAt: NOON + 1_800_000,
    endedAt: null,
    ...over,
  };
}

/** An open payment of 10.00 EUR at the sandbox. */
export function aSandboxPayment(over: Partial<SandboxPayment> = {}): SandboxPayment {
  return {
    reference: newId('top'),
    amount: amountOf(1000),
    currency: 'EUR',
    returnUrl: null,
    status: 'open',
    paid: null,
    createdAt: NOON,
    expiresAt: NOON + 1_800_000,
    notices: 0,
    ...over,
  };
}
