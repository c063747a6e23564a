import { expect, test } from 'vitest';
import { lateFromAt } from '../../../src/domain/deliveries/lateness.ts';
import { aDelivery, aStop, NOON } from '../../builders.ts';

const MINUTE = 60_000;
const PROMISE_MS = 60 * MINUTE;

test('[Q13] windows say when a delivery is late; without windows it is late an hour after order and ready time', () => {
  expect(lateFromAt(aDelivery(), PROMISE_MS)).toBe(NOON + PROMISE_MS);
  const readyAt = NOON + 20 * MINUTE;
  const ready = aDelivery({ pickup: aStop(0, { window: { readyAt, deadlineAt: null } }) });
  expect(lateFromAt(ready, PROMISE_MS)).toBe(readyAt + PROMISE_MS);
  const window = { readyAt, deadlineAt: readyAt + 10 * MINUTE };
  const pickup = aStop(0, { window });
  expect(lateFromAt(aDelivery({ pickup }), PROMISE_MS)).toBe(window.deadlineAt);
  const collected = aDelivery({ pickup, state: 'picked_up', times: { pickedUpAt: readyAt } });
  expect(lateFromAt(collected, PROMISE_MS)).toBe(readyAt + PROMISE_MS);
  expect(lateFromAt(aDelivery({ state: 'delivered' }), PROMISE_MS)).toBeNull();
});
