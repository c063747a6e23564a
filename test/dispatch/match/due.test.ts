import { expect, test } from 'vitest';
import { judgeChain } from '../../../src/dispatch/match/due.ts';
import { aWorld, openBoard, someRules, type CourierPlan, type OrderPlan } from './worlds.ts';

const rules = someRules({ asking: { answerS: 10 }, weights: { refusalS: 30, lastCallS: 300 } });

/** The part of a courier's chain of bundles that is due. */
function due(courier: Partial<CourierPlan>, orders: readonly OrderPlan[], bundles = [[...orders.keys()]]) {
  const { board } = openBoard(aWorld({ couriers: [{ at: [0, 0], ...courier }], orders }), rules);
  return judgeChain(board, { courier: 0, bundles });
}

// 60 s of way and a minute to the counter; a period of 5 s and an answer of 10 s.
const readyIn = (readyS: number): OrderPlan => ({ at: [600, 0], counter: 1, readyS });

test('[M9] a courier is asked when to ask in the next run instead would be too late for the ready time', () => {
  expect(due({}, [readyIn(134)])).toEqual({ courier: 0, orders: [0], goesAlong: false });
  expect(due({}, [readyIn(135)])).toBeNull();
  // The bundle waits for its last goods.
  expect(due({}, [readyIn(10), readyIn(135)])).toBeNull();
  expect(due({}, [readyIn(10), readyIn(134)])?.orders).toEqual([0, 1]);
});

test('[M51] a courier is asked to be there when uncertain goods may be ready at the earliest', () => {
  expect(due({}, [{ ...readyIn(734), readySpreadS: 600 }])).not.toBeNull();
  expect(due({}, [{ ...readyIn(735), readySpreadS: 600 }])).toBeNull();
  // Certain goods of the same bundle are waited for as before.
  expect(due({}, [{ ...readyIn(300), readySpreadS: 600 }, readyIn(134)])).not.toBeNull();
  expect(due({}, [{ ...readyIn(300), readySpreadS: 600 }, readyIn(135)])).toBeNull();
});

test('[M9] a courier who is likely to decline is asked earlier', () => {
  expect(due({ accepts: 0.5 }, [readyIn(164)])).not.toBeNull();
  expect(due({ accepts: 0.5 }, [readyIn(165)])).toBeNull();
});

test('[M9] a search about to end goes out whatever the ready time', () => {
  expect(due({}, [{ ...readyIn(3000), searchUntilS: 314 }])).not.toBeNull();
  expect(due({}, [{ ...readyIn(3000), searchUntilS: 315 }])).toBeNull();
});

test('[M10] a courier who is not free yet or has an open offer is not asked', () => {
  expect(due({ startS: 1 }, [readyIn(0)])).toBeNull();
  expect(due({ isAsked: true }, [{ ...readyIn(0), heldBy: 0 }, readyIn(0)])).toBeNull();
  expect(due({}, [], [])).toBeNull();
});

test('[M30] a courier who is fetching orders gets only orders of the same counter, and only before they leave it', () => {
  const held: OrderPlan = { ...readyIn(300), heldBy: 0 };
  // The courier leaves at 300, so one more run is in time.
  expect(due({}, [held, readyIn(0)])).toBeNull();
  // A minute of way is left.
  expect(due({}, [{ ...held, readyS: 14 }, readyIn(0)])).toBeNull();
  expect(due({ at: [600, 0] }, [{ ...held, readyS: 15 }, readyIn(0)])).toBeNull();
  // At the pickup the courier leaves as soon as they have the goods.
  expect(due({ at: [600, 0] }, [{ ...held, readyS: 14 }, readyIn(0)])).toEqual({
    courier: 0,
    orders: [1],
    goesAlong: true,
  });
  // A later bundle waits until the courier has finished.
  expect(due({ at: [600, 0] }, [{ ...held, readyS: 14 }, readyIn(0)], [[0], [1]])).toBeNull();
});
