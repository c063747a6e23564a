import { expect, test } from 'vitest';
import { answerRun, type RunRequest } from '../../../src/dispatch/match/answer.ts';
import { aWorld, someRules, type CourierPlan, type Layout, type OrderPlan } from './worlds.ts';

const rules = someRules({ asking: { muchBetterS: 240 }, weights: { idleCreditS: 0 } });
const answered = (layout: Layout, over: Partial<RunRequest> = {}) =>
  answerRun({ world: aWorld(layout), kept: [], rules, seed: 1, ...over });

const asked: CourierPlan = { at: [6000, 0], isAsked: true };
const order: OrderPlan = { at: [0, 0], heldBy: 0, searchUntilS: 900 };

test('[M39] an offer is outdone if a free courier with no other plan saves more than four minutes', () => {
  // The asked one needs 600 s to the counter.
  const outdone = (other: Partial<CourierPlan>, orders: readonly OrderPlan[] = [order]) =>
    answered({ couriers: [asked, { at: [0, 0], ...other }], orders }).outdone;
  expect(outdone({ at: [3590, 0] })).toEqual(['o0']);
  expect(outdone({ at: [3610, 0] })).toEqual([]);
  expect(outdone({ startS: 1 })).toEqual([]);
  expect(outdone({ group: 1 })).toEqual([]);
  expect(outdone({}, [order, { at: [0, 0] }])).toEqual([]);
});

test('[M39] a courier who is already fetching an order keeps it, however much better another is', () => {
  const { outdone, decisions, due } = answered({
    couriers: [{ at: [6000, 0] }, { at: [0, 0] }],
    orders: [order],
  });
  expect([outdone, decisions, due]).toEqual([[], [], []]);
});

test('[M8] each order has its verdict, courier, cost and candidates, the best first', () => {
  const orders: OrderPlan[] = [
    { at: [0, 0], placedS: -900 },
    { at: [0, 0], vehicles: 2 },
    { at: [5000, 0], readyS: 4000 },
    { ...order, at: [9000, 0], heldBy: 1 },
  ];
  const couriers: CourierPlan[] = [
    { at: [100, 0], accepts: 0.7 },
    { at: [9000, 0], isAsked: true },
  ];
  const { decisions, due } = answered({ couriers, orders });
  expect(decisions.map(({ deliveryId, verdict, courierId }) => [deliveryId, verdict, courierId])).toEqual([
    ['o0', 'offered', 'c0'],
    ['o1', 'no_candidate', null],
    ['o2', 'courier_not_free', expect.any(String)],
    ['o3', 'offer_open', 'c1'],
  ]);
  expect(due).toEqual([{ courierId: 'c0', orderIds: ['o0'], goesAlong: false }]);
  const [first] = decisions;
  expect(first!.candidates[0]).toMatchObject({ courierId: 'c0', arriveS: 10, acceptance: 0.7 });
  // 900 s old, 10 s of way, 60 in, 60 out, 100 s to the drop-off and 60 in.
  expect(first!.candidates[0]!.aloneS).toBe(900 + 290);
  expect(first!.costS).toBe(900 + 290);
});

test('[O66] of orders that are due together only the first is offered, and the others wait for the courier’s answer', () => {
  const orders: OrderPlan[] = [
    { at: [0, 0], counter: 0, placedS: -900 },
    { at: [0, 0], counter: 0, placedS: -600, doors: [[0, 1100]] },
    { at: [0, 0], counter: 0, placedS: -300, doors: [[0, 1200]] },
  ];
  const { decisions, due } = answered({ couriers: [{ at: [100, 0], capacity: 3 }], orders });
  expect(due).toEqual([{ courierId: 'c0', orderIds: ['o0', 'o1', 'o2'], goesAlong: false }]);
  expect(decisions.map(({ deliveryId, verdict, courierId }) => [deliveryId, verdict, courierId])).toEqual([
    ['o0', 'offered', 'c0'],
    ['o1', 'courier_not_free', 'c0'],
    ['o2', 'courier_not_free', 'c0'],
  ]);
});

test('[O67] the price of a candidate is all that the plan pays to use them, whichever the order', () => {
  const credit = someRules({ weights: { idleCreditS: 100, idleFullS: 1000, notFreeS: 30 } });
  const couriers: CourierPlan[] = [
    { at: [100, 0] },
    { at: [200, 0], idleS: 500 },
    { at: [300, 0], startS: 60, idleS: 1000 },
  ];
  const { decisions } = answered({ couriers, orders: [{ at: [0, 0] }] }, { rules: credit });
  const prices = decisions[0]!.candidates.map(({ courierId, priceS }) => [courierId, priceS]);
  expect(Object.fromEntries(prices)).toEqual({ c0: 100, c1: 50, c2: 30 });
});

test('[M13] beside the chosen courier, only free couriers with no other plan could be asked', () => {
  const couriers: CourierPlan[] = [
    { at: [0, 0] },
    { at: [5000, 0] },
    { at: [300, 0], startS: 60 },
    { at: [900, 0] },
    { at: [200, 0], group: 1 },
  ];
  const { decisions } = answered({ couriers, orders: [{ at: [0, 0] }, { at: [5000, 0] }] });
  expect(decisions.map(({ courierId, others }) => [courierId, others])).toEqual([
    ['c0', ['c3']],
    ['c1', ['c3']],
  ]);
});
