import { newId } from '../../../src/domain/ids.ts';
import type { Funds, Refund } from '../../../src/domain/pricing/funds.ts';
import { NOON } from '../../builders.ts';

/** The money of a delivery whose end charged this much, in one line. */
export function charged(amount: number): Funds {
  return {
    shares: { customer: amount, vendor: 0, platform: 0 },
    taxRateBp: 0,
    courierShareBp: 8000,
    hold: amount,
    holdKey: 'hold',
    charges: [{ type: 'delivery', amount, tax: 0 }],
  };
}

/** A refund of this much. */
export function aRefund(amount: number): Refund {
  const lines = [{ type: 'delivery', amount, tax: 0 }] as const;
  return { id: newId('rfd'), reference: 'late', reason: 'The food was cold.', lines, at: NOON };
}
