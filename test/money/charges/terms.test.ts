/** What charges depend on besides the verb: lateness, waiting, the state of the pickup and the money of the birth. */
import { expect, test } from 'vitest';
import { bookVerb } from '../../../src/money/charges/book-verb.ts';
import { cancelRuleOf, CANCEL_RULES } from '../../../src/money/charges/cancel-rules.ts';
import { lateMoments } from '../../../src/money/charges/faults.ts';
import { fundsAtBirth, raiseTip } from '../../../src/money/charges/fund-delivery.ts';
import { waitOf } from '../../../src/money/charges/wait.ts';
import { pickupDueAt, type Delivery } from '../../../src/domain/deliveries/delivery.ts';
import { aCourier, aDelivery, aStop, heldBy, NOON } from '../../builders.ts';
import { byVendor, endOf, entryIn, funded, funded10, MINUTE_MS, PAY, TERMS } from './ends.ts';

const LATE_MS = TERMS.courierLateMs;

test('[J52] the rule of a cancel follows from the courier, the pickup and the time since the assignment', () => {
  const ruleAt = (state: 'pending' | 'arrived' | 'delivered' | 'failed' | 'canceled', now = NOON) =>
    cancelRuleOf(heldBy(aCourier(), 'assigned', { pickup: aStop(0, { state }) }), now, TERMS);
  expect(cancelRuleOf(aDelivery(), NOON, TERMS)).toBe('before_assignment');
  expect(ruleAt('pending')).toBe('soon_after_assignment');
  expect(ruleAt('pending', NOON + TERMS.soonMs + 1)).toBe('after_assignment');
  expect(ruleAt('arrived')).toBe('at_pickup');
  for (const state of ['delivered', 'failed', 'canceled'] as const) expect(ruleAt(state)).toBe('after_pickup');
  expect(CANCEL_RULES).toEqual([
    'before_assignment',
    'soon_after_assignment',
    'after_assignment',
    'at_pickup',
    'after_pickup',
  ]);
});

test('[J66] the clock alone changes the fee when the courier becomes late for the pickup or an open drop-off', () => {
  const deadlineAt = NOON + 30 * MINUTE_MS;
  const window = { readyAt: null, deadlineAt };
  const dropOffs = [aStop(1, { window }), aStop(2), aStop(3, { window, state: 'delivered' })];
  const onTheWay = heldBy(aCourier(), 'assigned', { dropOffs });
  expect(lateMoments(onTheWay, LATE_MS)).toEqual([pickupDueAt(onTheWay) + LATE_MS, deadlineAt + LATE_MS]);
  const arrived = { ...onTheWay, pickup: aStop(0, { state: 'arrived', arrivedAt: NOON }) };
  expect(lateMoments(arrived, LATE_MS)).toEqual([]);
  const unseen = { ...onTheWay, pickup: aStop(0, { state: 'delivered', doneAt: NOON }) };
  expect(lateMoments(unseen, LATE_MS)).toEqual([deadlineAt + LATE_MS]);
  const far = { ...unseen, durationS: 3 * 45 * 60 };
  expect(lateMoments(far, LATE_MS)).toEqual([pickupDueAt(far) + 45 * MINUTE_MS + LATE_MS]);
});

test('[J337] a deadline of a drop-off that nobody could reach makes no courier late', () => {
  const lateBy = (deadlineAt: number, now: number, over: Partial<Delivery> = {}) => {
    const before = funded10('in_transit', {
      pickup: aStop(0, { state: 'delivered', arrivedAt: NOON, doneAt: NOON }),
      dropOffs: [aStop(1, { window: { readyAt: null, deadlineAt } })],
      durationS: 20 * 60,
      ...over,
    });
    return endOf('charge_cancel', before, byVendor('courier_late'), { now }).charged['wallet'] ?? 0;
  };
  const [past, near, far] = [NOON - 60 * MINUTE_MS, NOON + MINUTE_MS, NOON + 25 * MINUTE_MS];
  expect([lateBy(past, NOON), lateBy(near, NOON + 12 * MINUTE_MS)]).toEqual([-1000, -1000]);
  for (const deadlineAt of [past, near]) {
    expect(lateBy(deadlineAt, NOON + 30 * MINUTE_MS - 1)).toBe(-1000);
    expect(lateBy(deadlineAt, NOON + 30 * MINUTE_MS)).toBe(0);
  }
  expect([lateBy(far, NOON + 35 * MINUTE_MS - 1), lateBy(far, NOON + 35 * MINUTE_MS)]).toEqual([-1000, 0]);
  // A courier who waits for the goods is not late by that wait.
  const collected = (doneAt: number | null) => ({ pickup: aStop(0, { state: 'arrived', arrivedAt: NOON, doneAt }) });
  const at70 = NOON + 70 * MINUTE_MS;
  expect(lateBy(far, at70 - 1, collected(NOON + 40 * MINUTE_MS))).toBeLessThan(0);
  expect(lateBy(far, at70, collected(NOON + 40 * MINUTE_MS))).toBe(0);
  expect(lateBy(far, at70, collected(null))).toBeLessThan(0);
  // Goods that were collected early give no more time.
  const early = { pickup: aStop(0, { arrivedAt: NOON, doneAt: NOON, window: { readyAt: far, deadlineAt: null } }) };
  expect(lateBy(far, NOON + 35 * MINUTE_MS, { ...early, durationS: 25 * 60 })).toBe(0);
  // The first of three drop-offs is reached after a third of the way.
  const window = { readyAt: null, deadlineAt: near };
  const three = { dropOffs: [aStop(1, { window }), aStop(2), aStop(3)], durationS: 60 * 60 };
  expect(lateBy(near, NOON + 30 * MINUTE_MS - 1, three)).toBe(-1000);
  expect(lateBy(near, NOON + 30 * MINUTE_MS, three)).toBe(0);
  // A delay of the pickup moves the deadline as well.
  const later = { readyAt: NOON + 15 * MINUTE_MS, deadlineAt: null };
  const pickup = aStop(0, { state: 'delivered', arrivedAt: NOON, doneAt: later.readyAt, window: later });
  expect(lateBy(far, NOON + 35 * MINUTE_MS, { pickup })).toBe(-1000);
  expect(lateBy(far, NOON + 45 * MINUTE_MS, { pickup })).toBe(0);
});

test('[J53] a courier who came 10 min late was late, and one who came in time was not, however late it is by now', () => {
  const due = pickupDueAt(heldBy(aCourier()));
  const isCharged = (minutes: number, nowMinutes: number, isSeen = true) => {
    const at = due + minutes * MINUTE_MS;
    const pickup = aStop(0, { state: 'delivered', arrivedAt: isSeen ? at : null, doneAt: at });
    const now = due + nowMinutes * MINUTE_MS;
    const end = endOf('charge_cancel', funded10('in_transit', { pickup }), byVendor('courier_late'), { now });
    return entryIn(end.commands) !== null;
  };
  expect([isCharged(9, 30), isCharged(10, 30)]).toEqual([true, false]);
  expect([isCharged(9, 30, false), isCharged(10, 30, false)]).toEqual([true, false]);
});

test('[J54] the number of minutes that cost rises at a known moment, until the goods are collected or 30 are reached', () => {
  const fromAt = NOON + TERMS.waitFreeMs;
  const waitAt = (now: number, doneAt: number | null = null) =>
    waitOf({ ...aDelivery(), pickup: aStop(0, { arrivedAt: NOON, doneAt }) }, now, TERMS);
  expect(waitOf({ ...aDelivery(), pickup: aStop(0) }, NOON, TERMS)).toEqual({ minutes: 0, untilAt: null });
  expect(waitAt(NOON)).toEqual({ minutes: 0, untilAt: fromAt });
  expect(waitAt(fromAt + 1)).toEqual({ minutes: 1, untilAt: fromAt + MINUTE_MS });
  expect(waitAt(fromAt + 90 * MINUTE_MS)).toEqual({ minutes: TERMS.mostWaitMin, untilAt: null });
  expect(waitAt(fromAt + 90 * MINUTE_MS, fromAt + MINUTE_MS)).toEqual({ minutes: 1, untilAt: null });
});

test('[J50] without named shares the customer pays the whole fee, and the wallet reserves it with the tip', () => {
  const born = aDelivery({ fee: 1000 });
  expect(fundsAtBirth(born, null, PAY)).toEqual({
    shares: { customer: 1000, vendor: 0, platform: 0 },
    taxRateBp: PAY.taxRateBp,
    courierShareBp: PAY.courierShareBp,
    hold: 1000,
    holdKey: `delivery:${born.id}`,
  });
  expect(fundsAtBirth({ ...born, tip: 150 }, null, PAY).hold).toBe(1150);
});

test('[J61] the first tip of a delivery is reserved like a higher one', () => {
  const born = funded(aDelivery({ fee: 1000 }));
  expect(raiseTip(born, 0)).toBeNull();
  expect(raiseTip(born, 90)?.commands).toMatchObject([{ do: 'void' }, { do: 'hold', hold: { amount: 1090 } }]);
});

test('[J51] a whole fee contains the tax that its breakdown names, and a part of it the tax at the rate', () => {
  const feeBreakdown = [{ type: 'base', amount: 841 } as const, { type: 'tax', amount: 159 } as const];
  const rated = { ...PAY, taxRateBp: 1900 };
  const whole = funded(heldBy(aCourier(), 'in_transit', { fee: 1000, feeBreakdown }), 0, rated);
  expect(endOf('charge', whole).funds?.charges).toEqual([{ type: 'delivery', amount: 1000, tax: 159 }]);
  // 1000 − 1000 / 1.19 is 159.66, and the half of it 79.83.
  const part = funded(heldBy(aCourier(), 'in_transit', { fee: 1000, feeBreakdown }), 500, rated);
  expect(endOf('charge', part).funds?.charges).toEqual([{ type: 'delivery', amount: 500, tax: 80 }]);
  const unnamed = funded(heldBy(aCourier(), 'in_transit', { fee: 1000 }), 0, rated);
  expect(endOf('charge', unnamed).funds?.charges).toEqual([{ type: 'delivery', amount: 1000, tax: 0 }]);
});

test('[J55] a delivery whose drop-offs all failed through the courier costs nothing, also if they waited', () => {
  const pickup = aStop(0, { state: 'delivered', arrivedAt: NOON, doneAt: NOON + 20 * MINUTE_MS });
  const dropOffs = [aStop(1, { state: 'failed', reason: 'lost' }), aStop(2, { state: 'failed', reason: 'damaged' })];
  const { commands, funds } = endOf('charge_failure', funded10('in_transit', { pickup, dropOffs }), {
    state: 'failed',
  });
  expect(commands).toEqual([{ do: 'void', holdKey: funds?.holdKey, account: expect.stringMatching(/^wallet:/) }]);
  expect(funds?.charges).toEqual([]);
});

test('[J55] a cancel that is not the vendor’s charges and pays the drop-offs that were delivered before it', () => {
  const stopsWith = (delivered: number) =>
    Array.from({ length: 10 }, (_, index) => aStop(index + 1, { state: index < delivered ? 'delivered' : 'canceled' }));
  const arrivedAt = NOON + LATE_MS;
  const canceled = (delivered: number, ending: Delivery['ending'], platform = 0) => {
    // The courier came late to the pickup, and a waiting that would cost something passed there.
    const pickup = aStop(0, { state: 'delivered', arrivedAt, doneAt: arrivedAt + 20 * MINUTE_MS });
    const before = funded10('in_transit', { pickup, dropOffs: stopsWith(delivered), tip: 90 }, platform);
    return endOf('charge_cancel', before, { state: 'canceled', ending }, { opensReturn: true });
  };
  for (const ending of [
    { by: 'staff', reason: null },
    { by: 'vendor', reason: 'courier_late' },
    { by: 'system', reason: 'test_expired' },
  ] as const) {
    const { funds, charged } = canceled(9, ending);
    expect(funds?.charges).toEqual([{ type: 'delivery', amount: 900, tax: 0 }]);
    expect(charged).toEqual({ wallet: -900, revenue: 900, delivery_cost: -720, earnings: 720 });
    expect(canceled(0, ending).funds?.charges).toEqual([]);
    expect(canceled(0, ending).commands).toMatchObject([{ do: 'void' }]);
  }
  const shared = canceled(9, { by: 'staff', reason: null }, 300).charged;
  expect(shared).toEqual({ wallet: -630, promotion: -270, revenue: 900, delivery_cost: -720, earnings: 720 });
});

test('[J59] an entry that the platform alone pays has no lines of a vendor', () => {
  const entry = entryIn(endOf('charge', funded10('in_transit', {}, 1000)).commands);
  expect(entry).not.toBeNull();
  expect(entry).not.toHaveProperty('lines');
});

test('[J50] only a delivery that exists can end', () => {
  const after = funded10('in_transit');
  const end = { books: 'charge', before: null, after, now: NOON, opensReturn: false, terms: TERMS } as const;
  expect(() => bookVerb(end)).toThrow(/only a delivery that exists/);
});

test('[J52] the lines of a cancel after the pickup are its fee, the waiting and the way back', () => {
  const pickup = aStop(0, { state: 'delivered', arrivedAt: NOON, doneAt: NOON + 12 * MINUTE_MS });
  const { funds, commands } = endOf('charge_cancel', funded10('in_transit', { pickup, tip: 90 }), byVendor(), {
    opensReturn: true,
  });
  expect(funds?.charges).toEqual([
    { type: 'cancellation', amount: 1000, tax: 0 },
    { type: 'wait', amount: 40, tax: 0 },
    { type: 'return', amount: 600, tax: 0 },
  ]);
  const entry = entryIn(commands);
  expect(entry).toMatchObject({ kind: 'charge', reason: null, vendorId: expect.stringMatching(/^ven_/) });
  expect(entry?.key).toBe(`charge:${entry?.about}`);
  expect(entry?.lines).toEqual(funds?.charges);
});
