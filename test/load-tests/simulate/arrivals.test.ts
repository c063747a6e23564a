import { expect, test } from 'vitest';
import { judgeArrivals } from '../../../load-tests/simulate/figures/arrivals.ts';
import type { Said, TrueDelivery } from '../../../load-tests/simulate/figures/truth.ts';

const AT = { x: 0, y: 0 };
const NOTHING: Said = { pickupAt: null, dropOffAt: null, distanceM: 1000, source: 'route' };

/** An event with its second and what it says about the delivery. */
type Told = readonly [type: string, second: number, said?: Partial<Said>];

function delivery(id: string, placedMin: number, ...told: readonly Told[]): TrueDelivery {
  const events = told.map(([type, second, said], at) => {
    const event = { id: `${id}-${at}`, type, sequence: at + 1, createdAt: second * 1000, courierId: null };
    return said === undefined ? event : { ...event, said: { ...NOTHING, ...said } };
  });
  const order = { id, at: AT, placedMin, readyMin: 0, restaurant: { id: 'r1', at: AT } };
  return { deliveryId: id, order, status: 'delivered', events };
}

const READY_S = 300;
const FACTS = { driven: new Map([['a', { metres: 1000, luckMs: -45_000 }]]), readyAt: () => READY_S * 1000 };

test('[Y51] arrivals are compared with those that were expected at the order, the last assignment and the collection', () => {
  const one = delivery(
    'a',
    0,
    ['delivery.created', 0, { dropOffAt: 900_000, distanceM: 900 }],
    ['courier.assigned', 60, { pickupAt: 1 }],
    ['courier.unassigned', 70],
    ['courier.assigned', 80, { pickupAt: 310_000 }],
    ['courier.arrived_pickup', 200],
    ['picked_up', 330, { dropOffAt: 700_000 }],
    ['courier.arrived_drop_off', 640],
    ['delivered', 800],
  );
  const { day } = judgeArrivals([one], FACTS);
  expect(day.first).toEqual({ count: 1, p50: 260, p90: 260, lean: -260 });
  expect(day.collected).toEqual({ count: 1, p50: 60, p90: 60, lean: -60 });
  expect(day.luck).toEqual({ count: 1, p50: 45, p90: 45, lean: -45 });
  // The courier came before the goods were ready, so they count as there when the goods are.
  expect(day.pickup).toEqual({ count: 1, p50: 10, p90: 10, lean: -10 });
  expect(day.distance).toMatchObject({ count: 1, p50: 0.1, lean: 0.1 });
  expect(day.routes).toBe(1);
});

test('[Y51] what did not happen or was not expected has no error', () => {
  const estimate = { source: 'estimate' };
  const some = [
    delivery('b', 0, ['delivery.created', 0, { dropOffAt: 5, ...estimate }], ['canceled', 900]),
    delivery('c', 0, ['delivery.created', 0], ['picked_up', 1, estimate], ['courier.arrived_drop_off', 10]),
  ];
  const { day } = judgeArrivals(some, FACTS);
  const { first, pickup, collected, luck, distance } = day;
  expect([first, pickup, collected, luck, distance].map(({ count }) => count)).toEqual([0, 0, 0, 0, 0]);
  expect(day.routes).toBe(0);
});

test('[Y51] both halves of the orders have their own figures, because the server learns in between', () => {
  const made = [3, 1, 2, 4].map((minute) =>
    delivery(`d${minute}`, minute, ['picked_up', 0, { dropOffAt: 0 }], ['courier.arrived_drop_off', minute * 10]),
  );
  const { day, halves } = judgeArrivals(made, FACTS);
  expect(halves.map(({ collected }) => [collected.count, collected.p50, collected.p90])).toEqual([
    [2, 10, 20],
    [2, 30, 40],
  ]);
  expect(day.collected).toEqual({ count: 4, p50: 20, p90: 40, lean: 20 });
});
