import fc from 'fast-check';
import { expect, test } from 'vitest';
import { newId } from '../../../src/domain/ids.ts';
import type { Delivery } from '../../../src/domain/deliveries/delivery.ts';
import { chargedOf, refundedOf } from '../../../src/domain/pricing/funds.ts';
import { Refusal } from '../../../src/domain/refusals/refusals.ts';
import { bookVerb } from '../../../src/money/charges/book-verb.ts';
import { kindOfAccount } from '../../../src/money/ledger/accounts.ts';
import { assertSound, type Entry } from '../../../src/money/ledger/entries.ts';
import { findRefund, planRefund, type AskedRefund } from '../../../src/money/refunds/refund.ts';
import { defaultSettings } from '../../../src/settings.ts';
import { NOON } from '../../builders.ts';
import { endOf, ENDS, entryIn, funded10, PAY } from '../charges/ends.ts';

const { refunds: TERMS } = defaultSettings();
const DAY_MS = 86_400_000;

const asked = (amount: number | null, reference: string = newId('req')): AskedRefund => ({
  id: newId('rfd'),
  reference,
  reason: 'cold soup',
  amount,
});
const sumOn = (entries: readonly Entry[], kind: string): number =>
  entries
    .flatMap(({ postings }) => postings)
    .filter(({ account }) => kindOfAccount(account) === kind)
    .reduce((sum, { amount }) => sum + amount, 0);

/** A delivered delivery with a fee of 10.00 and a tip, in which taxes are 19 %. */
function charged(over: Partial<Delivery> = {}): Delivery {
  const before = funded10('in_transit', { tip: 150 });
  const taxed = {
    ...before,
    funds: { ...before.funds!, ...PAY, taxRateBp: 1900 },
    feeBreakdown: [{ type: 'tax', amount: 160 }],
  };
  const { funds } = endOf('charge', taxed as Delivery);
  return {
    ...taxed,
    state: 'delivered',
    funds: funds!,
    times: { ...taxed.times, deliveredAt: NOON },
    ...over,
  } as Delivery;
}

function codeOf(delivery: Delivery, amount: number | null, now = NOON): unknown {
  try {
    planRefund(delivery, asked(amount), now, TERMS);
    return null;
  } catch (error) {
    return error instanceof Refusal ? [error.code, error.told.reason] : error;
  }
}

test('[J184] a refund that decides a dispute takes its amount without the tax from the reserve', () => {
  const of = (over: Partial<AskedRefund>) => {
    const { entry, fromReserve } = planRefund(charged(), { ...asked(230), ...over }, NOON, TERMS);
    return [
      Object.fromEntries(entry.postings.map(({ account, amount }) => [kindOfAccount(account), amount])),
      fromReserve,
    ];
  };
  expect(of({ disputeId: newId('dsp') })).toEqual([{ wallet: 230, reserve: -198, tax: -32 }, 198]);
  expect(of({})).toEqual([{ wallet: 230, revenue: -198, tax: -32 }, 0]);
});

test('[J173] each line gives back its share with its tax, and the courier keeps pay and tip', () => {
  const delivery = charged();
  expect(delivery.funds?.charges).toEqual([
    { type: 'delivery', amount: 1000, tax: 160 },
    { type: 'tip', amount: 150, tax: 0 },
  ]);
  const { refund, entry, funds } = planRefund(delivery, asked(230), NOON, TERMS);
  expect(refund.lines).toEqual([
    { type: 'delivery', amount: 200, tax: 32 },
    { type: 'tip', amount: 30, tax: 0 },
  ]);
  const booked = Object.fromEntries(entry.postings.map(({ account, amount }) => [kindOfAccount(account), amount]));
  expect(booked).toEqual({ wallet: 230, revenue: -198, tax: -32 });
  const rest = planRefund({ ...delivery, funds }, asked(null), NOON, TERMS).refund;
  expect(rest.lines).toEqual([
    { type: 'delivery', amount: 800, tax: 128 },
    { type: 'tip', amount: 120, tax: 0 },
  ]);
});

test('[J173] [J172] whatever is refunded of whatever charge, the vendor gets back at most the charge, and its exact tax', () => {
  const amounts = fc.array(fc.option(fc.integer({ min: 1, max: 400_000 })), { maxLength: 25 });
  let [refunds, wholes] = [0, 0];
  fc.assert(
    fc.property(ENDS, amounts, (end, wanted) => {
      const { delivery: ended, commands } = bookVerb(end);
      let delivery: Delivery = { ...ended, times: { ...ended.times, deliveredAt: NOON } };
      const charge = entryIn(commands);
      const entries: Entry[] = [];
      for (const amount of wanted) {
        if (codeOf(delivery, amount) !== null) continue;
        const { funds, entry } = planRefund(delivery, asked(amount), NOON, TERMS);
        assertSound(entry);
        entries.push(entry);
        delivery = { ...delivery, funds };
        refunds += 1;
      }
      const lines = delivery.funds?.charges ?? [];
      const back = refundedOf(delivery.funds ?? {});
      expect(back).toBe(sumOn(entries, 'wallet'));
      expect(back).toBeLessThanOrEqual(chargedOf(lines));
      expect(0 - sumOn(entries, 'tax')).toBeLessThanOrEqual(lines.reduce((sum, { tax }) => sum + tax, 0));
      for (const { type, amount } of lines) {
        const own = (delivery.funds?.refunds ?? []).flatMap((one) => one.lines).filter((line) => line.type === type);
        expect(chargedOf(own)).toBeLessThanOrEqual(amount);
        expect(own.every((line) => line.amount > 0 && line.tax >= 0)).toBe(true);
      }
      if (charge === null || lines.length === 0 || back < chargedOf(lines)) return;
      wholes += 1;
      expect(0 - sumOn(entries, 'tax')).toBe(sumOn([charge], 'tax'));
      expect(sumOn(entries, 'earnings') + sumOn(entries, 'delivery_cost')).toBe(0);
    }),
    { numRuns: 300 },
  );
  // About 240 refunds and 100 whole ones are expected; less than half means that the ends are no longer refundable.
  expect(refunds).toBeGreaterThan(100);
  expect(wholes).toBeGreaterThan(20);
});

test('[J176] nothing is refunded without a charge, beyond it, too often, or a year after the end', () => {
  const delivery = charged();
  expect(codeOf(funded10('in_transit'), 1)).toEqual(['refund_not_possible', 'not_charged']);
  expect(codeOf({ ...delivery, funds: { ...delivery.funds!, charges: [] } }, null)).toEqual([
    'refund_not_possible',
    'not_charged',
  ]);
  expect(codeOf(delivery, 1151)).toEqual(['refund_exceeds_charge', undefined]);
  expect(codeOf(delivery, 1150, NOON + 365 * DAY_MS)).toBeNull();
  expect(codeOf(delivery, 1, NOON + 365 * DAY_MS + 1)).toEqual(['refund_not_possible', 'too_late']);
  const whole = { ...delivery, funds: planRefund(delivery, asked(null), NOON, TERMS).funds };
  expect(codeOf(whole, 1)).toEqual(['refund_not_possible', 'fully_refunded']);
  let often = delivery;
  for (let count = 0; count < 20; count += 1)
    often = { ...often, funds: planRefund(often, asked(1), NOON, TERMS).funds };
  expect(codeOf(often, 1)).toEqual(['refund_not_possible', 'too_many_refunds']);
});

test('[J171] a reference names one refund of its delivery', () => {
  const before = charged();
  const first = asked(100, 'ticket-1');
  const delivery = { ...before, funds: planRefund(before, first, NOON, TERMS).funds };
  expect(findRefund(before, first)).toBeNull();
  expect(findRefund(delivery, first)).toMatchObject({ id: first.id });
  expect(findRefund(delivery, { ...first, amount: null })).toMatchObject({ id: first.id });
  expect(findRefund(delivery, { ...first, reference: 'ticket-2' })).toBeNull();
  for (const other of [{ amount: 99 }, { reason: 'other' }])
    expect(() => findRefund(delivery, { ...first, ...other })).toThrow('`/reference` names another refund');
});
