import { expect, test } from 'vitest';
import { makeCrew } from '../../../load-tests/dispatch/play/crew.ts';
import { proveFeasible } from '../../../load-tests/dispatch/check.ts';
import type { CarriedBundle } from '../../../load-tests/dispatch/play/outcome.ts';
import { BOTH, outcomeOf, THIRD, TINY_DAY } from './tiny-day.ts';

/** When the first courier is done with both orders, and when they can pick up o3 after that. */
const FREE_MIN = 42;
const NEXT_PICKUP_MIN = FREE_MIN + 9 + 2;

test('[Y20] an outcome that keeps all rules passes, also if couriers wait at the restaurant', () => {
  expect(() => proveFeasible(outcomeOf())).not.toThrow();
  expect(() => proveFeasible(outcomeOf(BOTH, THIRD))).not.toThrow();
  expect(() => proveFeasible(outcomeOf(THIRD, { ...BOTH, pickupMin: 31 }))).not.toThrow();
  const next = { courier: 0, departMin: FREE_MIN, pickupMin: NEXT_PICKUP_MIN, orders: THIRD.orders };
  expect(() => proveFeasible(outcomeOf(next, BOTH))).not.toThrow();
});

const one = (order: number, decidedMin: number): CarriedBundle['orders'][number] => ({ order, decidedMin });

const BREACHES: readonly { what: string; bundles: readonly CarriedBundle[]; says: string }[] = [
  {
    what: 'one order twice in a bundle',
    bundles: [{ ...BOTH, orders: [one(0, 10), one(0, 11)] }],
    says: 'an order is carried at most once (courier c1, order o1, minute 11)',
  },
  {
    what: 'one order in two bundles',
    bundles: [BOTH, { ...THIRD, pickupMin: 60, orders: [one(1, 40)] }],
    says: 'an order is carried at most once (courier c2, order o2, minute 40)',
  },
  {
    what: 'two restaurants',
    bundles: [{ ...BOTH, orders: [one(0, 10), one(2, 15)] }],
    says: 'a bundle has orders of one restaurant (courier c1, order o3, minute 25)',
  },
  {
    what: 'a decision that knows the future',
    bundles: [{ ...BOTH, orders: [one(0, 10), one(1, 11)] }],
    says: 'an order is decided only after it is placed (courier c1, order o2, minute 11)',
  },
  {
    what: 'an order added to a bundle that has left',
    bundles: [{ ...BOTH, orders: [one(0, 10), one(1, 26)] }],
    says: 'an order joins a bundle at its pickup at the latest (courier c1, order o2, minute 26)',
  },
  {
    what: 'a way that starts before an order was decided',
    bundles: [{ ...BOTH, departMin: 9 }],
    says: 'a courier sets out only after one of the orders was decided (courier c1, order o1, minute 9)',
  },
  {
    what: 'a way that starts before the shift',
    bundles: [{ ...THIRD, departMin: 39 }],
    says: 'a courier sets out only after their shift has begun (courier c2, order o3, minute 39)',
  },
  {
    what: 'two bundles at a time',
    bundles: [BOTH, { courier: 0, departMin: FREE_MIN - 1, pickupMin: NEXT_PICKUP_MIN, orders: [one(2, 15)] }],
    says: 'a courier carries one bundle at a time and continues from its last drop-off (courier c1, order o3, minute 41)',
  },
  {
    what: 'a jump from the last drop-off to the next restaurant',
    bundles: [BOTH, { courier: 0, departMin: FREE_MIN, pickupMin: NEXT_PICKUP_MIN - 1, orders: [one(2, 15)] }],
    says: 'a way takes its minutes, and half the pickup service comes before the pickup (courier c1, order o3, minute 52)',
  },
  {
    what: 'no time for the first half of the pickup',
    bundles: [{ ...THIRD, pickupMin: 41 }],
    says: 'a way takes its minutes, and half the pickup service comes before the pickup (courier c2, order o3, minute 41)',
  },
  {
    what: 'a pickup before the last order is ready',
    bundles: [{ ...BOTH, pickupMin: 24 }],
    says: 'a bundle is picked up only when all of it is ready (courier c1, order o2, minute 24)',
  },
  {
    what: 'a pickup after the shift',
    bundles: [{ ...BOTH, pickupMin: 66 }],
    says: 'a bundle is picked up before the shift ends (courier c1, order o1, minute 66)',
  },
];

test.each(BREACHES)('[Y20] $what is found and named', ({ bundles, says }) => {
  expect(() => proveFeasible(outcomeOf(...bundles))).toThrow(`broken: ${says}`);
});

test('[Y20] couriers and orders that the day does not have, empty bundles, and minutes that are not numbers are found', () => {
  expect(() => proveFeasible(outcomeOf({ ...BOTH, courier: 2 }))).toThrow('no courier with index 2, minute 10');
  expect(() => proveFeasible(outcomeOf({ ...BOTH, orders: [one(-1, 10)] }))).toThrow(
    'no order with index -1, courier c1',
  );
  expect(() => proveFeasible(outcomeOf({ ...BOTH, orders: [] }))).toThrow('courier c1 carries an empty one, minute 10');
  expect(() => proveFeasible(outcomeOf({ ...BOTH, departMin: Number.NaN }))).toThrow('a courier sets out only after');
  expect(() => proveFeasible(outcomeOf({ ...BOTH, pickupMin: Number.NaN }))).toThrow('at its pickup at the latest');
  expect(() => proveFeasible(outcomeOf({ ...BOTH, orders: [one(0, Number.NaN)] }))).toThrow('only after it is placed');
});

test('[Y20] a courier who set out for goods that never came does not take orders that were added on the way', () => {
  const [first, ...others] = TINY_DAY.orders;
  const [early, late] = [
    { ...first!, readyMin: 20 },
    { ...others[0]!, readyMin: 90 },
  ];
  const playing = (setOutFor: number, added: number) => {
    const crew = makeCrew({ ...TINY_DAY, orders: [early, late, ...others.slice(1)] });
    crew.send(0, [setOutFor], 12);
    crew.extend(0, [setOutFor, added], 14);
    return { left: crew.moveOn(70), carried: crew.carried };
  };
  // The courier's shift ends at 65. They leave with the order that they set out for, and without the late order.
  const kept = playing(0, 1);
  expect([kept.left, kept.carried.map(({ orders }) => orders.map(({ order }) => order))]).toEqual([[1], [[0]]]);
  expect(playing(1, 0)).toEqual({ left: [1, 0], carried: [] });
});
