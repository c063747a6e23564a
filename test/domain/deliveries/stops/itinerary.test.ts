import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Delivery } from '../../../../src/domain/deliveries/delivery.ts';
import { itineraryOf } from '../../../../src/domain/deliveries/stops/itinerary.ts';
import type { State } from '../../../../src/domain/deliveries/states.ts';
import { offsetBy, type Coordinates } from '../../../../src/domain/geo/geo.ts';
import { aCourier, aStop, CENTER, heldBy, NOON } from '../../../builders.ts';

const courier = aCourier();
const north = (metres: number): Coordinates => offsetBy(CENTER, metres, 0);

type Planned = { readonly from?: number; readonly to: number; readonly after?: number };

/** A delivery from and to places so many metres north, assigned so many ms after noon. */
function held(state: State, { from = 0, to, after = 0 }: Planned, over: Parameters<typeof heldBy>[2] = {}): Delivery {
  const isCollected = state !== 'assigned';
  const pickup = aStop(0, { place: north(from), ...(isCollected && { state: 'delivered', doneAt: NOON }) });
  const dropOffs = [aStop(1, { place: north(to) })];
  return heldBy(courier, state, { pickup, dropOffs, ...over, times: { assignedAt: NOON + after } });
}

/** The itinerary: each stop as the number of its delivery among these and its own. */
function visits(deliveries: readonly Delivery[], place: Coordinates | null): string[] {
  return itineraryOf(deliveries, place).map(({ delivery, stop }) => `${deliveries.indexOf(delivery)}.${stop.index}`);
}

test('[D208] goods of one pickup are collected together, and the nearest drop-off comes first', () => {
  const both = [held('assigned', { to: 3000 }), held('assigned', { to: 1000, after: 1 })];
  expect(visits(both, north(-500))).toEqual(['0.0', '1.0', '1.1', '0.1']);
});

test('[D208] goods whose pickups are a few metres apart are collected together', () => {
  const both = [held('assigned', { to: 3000 }), held('assigned', { from: 3, to: 1000, after: 1 })];
  expect(visits(both, north(-500))).toEqual(['0.0', '1.0', '1.1', '0.1']);
});

test('[D208] what is collected is delivered before the next pickup', () => {
  const [carried, next] = [held('in_transit', { to: 2000 }), held('assigned', { from: 100, to: 500, after: 1 })];
  expect(visits([next, carried], north(90))).toEqual(['1.1', '0.0', '0.1']);
});

test('[D208] goods at a pickup that the courier has not left are collected first', () => {
  const [collected, beside] = [held('picked_up', { to: 2000 }), held('assigned', { to: 2500, after: 1 })];
  // The phone shows the courier somewhere in the shop.
  expect(visits([collected, beside], offsetBy(CENTER, 20, 20))).toEqual(['1.0', '0.1', '1.1']);
});

test('[D208] other pickups follow in the order of the assignments', () => {
  const [first, second] = [held('assigned', { from: 4000, to: 5000 }), held('assigned', { to: 1000, after: 1 })];
  expect(visits([second, first], CENTER)).toEqual(['1.0', '1.1', '0.0', '0.1']);
  expect(visits([second, first], null)).toEqual(['1.0', '1.1', '0.0', '0.1']);
});

/** A drop-off so many metres north where the courier arrived so many ms after noon. */
const arrivedAt = (metres: number, after: number) => ({
  dropOffs: [aStop(1, { place: north(metres), state: 'arrived', arrivedAt: NOON + after })],
});

test('[D208] the stop where the courier is comes first, and of two at one place the later one', () => {
  const there = held('in_transit', { to: 0 }, arrivedAt(3000, 1));
  expect(visits([held('in_transit', { to: 100 }), there], north(2990))).toEqual(['1.1', '0.1']);
  expect(visits([held('in_transit', { to: 0 }, arrivedAt(3010, 0)), there], north(2990))).toEqual(['1.1', '0.1']);
  expect(visits([held('in_transit', { to: 100 }), there], null)).toEqual(['1.1', '0.1']);
});

test('[D208] a stop that the courier has left without an end comes in its turn', () => {
  const left = held('in_transit', { to: 0 }, arrivedAt(3000, 0));
  expect(visits([left, held('in_transit', { to: 1000 })], north(1500))).toEqual(['1.1', '0.1']);
});

const someDelivery = fc
  .record({
    state: fc.constantFrom<State>('assigned', 'picked_up', 'in_transit'),
    from: fc.integer({ min: 0, max: 3 }),
    after: fc.integer({ min: 0, max: 3 }),
    doors: fc.array(fc.record({ to: fc.integer({ min: 0, max: 9 }), isDone: fc.boolean() }), {
      minLength: 1,
      maxLength: 4,
    }),
  })
  .map(({ state, from, after, doors }) =>
    held(
      state,
      { from: from * 1000, to: 0, after },
      {
        dropOffs: doors.map(({ to, isDone }, index) =>
          aStop(index + 1, { place: north(to * 700), state: isDone ? 'delivered' : 'pending' }),
        ),
      },
    ),
  );

test('[D208] each open stop is visited once, in the order of its delivery, whatever the order of the input', () => {
  fc.assert(
    fc.property(fc.array(someDelivery, { maxLength: 5 }), fc.integer({ min: 0, max: 9 }), (deliveries, at) => {
      const visited = itineraryOf(deliveries, north(at * 700));
      for (const one of deliveries) {
        const open = [one.pickup, ...one.dropOffs].filter(({ state }) => state === 'pending');
        expect(visited.filter(({ delivery }) => delivery === one).map(({ stop }) => stop)).toEqual(open);
      }
      expect(itineraryOf(deliveries.toReversed(), north(at * 700))).toEqual(visited);
    }),
  );
});
