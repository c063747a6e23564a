import { expect, test } from 'vitest';
import { newId } from '../../../src/domain/ids.ts';
import type { Delivery } from '../../../src/domain/deliveries/delivery.ts';
import { Refusal } from '../../../src/domain/refusals/refusals.ts';
import { findRefund, planRefund, refundable } from '../../../src/money/refunds/refund.ts';
import { defaultSettings } from '../../../src/settings.ts';
import { aDelivery, NOON } from '../../builders.ts';
import { endOf, funded10 } from '../charges/ends.ts';

const { refunds: TERMS } = defaultSettings();
const DAY_MS = 86_400_000;

/** A delivery that was charged 10.00 at noon. */
function charged(): Delivery {
  const before = funded10('in_transit');
  const { funds } = endOf('charge', before);
  if (funds === undefined) throw new Error('the delivery has money');
  return { ...before, state: 'delivered', funds, times: { ...before.times, deliveredAt: NOON } };
}

/** The delivery after a refund of this amount. */
function refund(delivery: Delivery, amount: number, now = NOON) {
  const asked = { id: newId('rfd'), reference: newId('req'), reason: 'cold soup', amount };
  const planned = planRefund(delivery, asked, now, TERMS);
  return { ...planned, asked, delivery: { ...delivery, funds: planned.funds } };
}

function refusalOf(act: () => unknown): Refusal {
  try {
    act();
  } catch (error) {
    if (error instanceof Refusal) return error;
    throw error;
  }
  throw new Error('it is refused');
}

test('[J176] a refusal says why a delivery cannot be refunded', () => {
  const free = refusalOf(() => refundable(aDelivery(), null, NOON, TERMS));
  expect([free.told.reason, free.message]).toEqual(['not_charged', 'Nothing was charged for this delivery.']);
  const { funds: _funds, ...unpriced } = charged();
  expect(refusalOf(() => refundable(unpriced, null, NOON, TERMS)).told.reason).toBe('not_charged');
  const back = refund(charged(), 1000).delivery;
  expect(refusalOf(() => refundable(back, null, NOON, TERMS)).message).toBe('All of the charge, 1000, was refunded.');
  const late = refusalOf(() => refundable(charged(), null, NOON + 366 * DAY_MS, { ...TERMS, windowMs: 30 * DAY_MS }));
  expect(late.message).toBe('The delivery ended more than 30 days ago.');
  let often = charged();
  for (let one = 0; one < 20; one += 1) often = refund(often, 1).delivery;
  const last = refusalOf(() => refundable(often, null, NOON, TERMS));
  expect([last.told.reason, last.message]).toEqual(['too_many_refunds', 'A delivery can have at most 20 refunds.']);
});

test('[J172] a refusal of too large a refund names the field, and what was charged, refunded and is left', () => {
  const { delivery } = refund(charged(), 400);
  const { code, told, message } = refusalOf(() => refund(delivery, 601));
  const sentence = '`/amount` must be at most 600, which is left of the charge of 1000.';
  expect({ code, message }).toEqual({ code: 'refund_exceeds_charge', message: sentence });
  expect(told).toMatchObject({
    errors: [{ pointer: '/amount', code: 'out_of_range', message: sentence }],
    metadata: { charged: 1000, refunded: 400, refundable: 600 },
  });
});

test('[J171] a refund is booked under its delivery and its reference, and found by them', () => {
  const { delivery, asked, entry, refund: made } = refund(charged(), 400);
  expect(entry).toMatchObject({ key: `refund:${delivery.id}:${asked.reference}`, kind: 'refund', about: delivery.id });
  expect(findRefund(delivery, asked)).toEqual(made);
  expect(findRefund(delivery, { ...asked, reference: 'another' })).toBeNull();
  const { funds: _funds, ...unpriced } = delivery;
  expect(findRefund(unpriced, asked)).toBeNull();
});
