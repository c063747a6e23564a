import { expect, test } from 'vitest';
import { stepStop, type ContactTry, type StopVerb } from '../../src/domain/stop-lifecycle.ts';
import type { Stop, StopState } from '../../src/domain/stop.ts';
import { aCourier, aStop, heldBy, NOON } from '../builders.ts';

const NOW = NOON + 10 * 60_000;
const delivery = heldBy(aCourier(), 'in_transit');
const TRIES: readonly ContactTry[] = [
  { at: NOW - 120_000, channel: 'call' },
  { at: NOW - 60_000, channel: 'message' },
];

function outcome(stop: Partial<Stop>, verb: StopVerb, by: 'courier' | 'staff' = 'staff', contactTries = TRIES) {
  const found = stepStop(aStop(1, stop), verb, by, { now: NOW, delivery, contactTries });
  return found.ok ? found.to : found.code;
}

test('[L14] a stop ends once: delivered, failed or canceled', () => {
  const verbs: readonly StopVerb[] = ['arrive', 'deliver', 'fail', 'cancel'];
  const from = (state: StopState) => verbs.map((verb) => outcome({ state }, verb));
  expect(from('pending')).toEqual(['arrived', 'delivered', 'failed', 'canceled']);
  expect(from('arrived')).toEqual(['stop_not_open', 'delivered', 'failed', 'canceled']);
  for (const state of ['delivered', 'failed', 'canceled'] as const) {
    expect(from(state)).toEqual(verbs.map(() => 'stop_not_open'));
  }
});

test('[L15] a courier gives up a stop after five minutes there and two tries a minute apart; staff at once', () => {
  const there: Partial<Stop> = { state: 'arrived', arrivedAt: NOW - 300_000 };
  const [first, second] = TRIES as [ContactTry, ContactTry];
  expect(outcome(there, 'fail', 'courier')).toBe('failed');
  expect(outcome({ ...there, arrivedAt: NOW - 299_999 }, 'fail', 'courier')).toBe('contact_tries_missing');
  expect(outcome({ state: 'pending' }, 'fail', 'courier')).toBe('contact_tries_missing');
  expect(outcome(there, 'fail', 'courier', [first])).toBe('contact_tries_missing');
  expect(outcome(there, 'fail', 'courier', [first, { ...first, at: first.at + 59_999 }])).toBe('contact_tries_missing');
  expect(outcome(there, 'fail', 'courier', [first, { ...second, at: NOW + 5001 }])).toBe('contact_tries_missing');
  expect(outcome(there, 'fail', 'courier', [{ ...first, at: NOON - 1 }, second])).toBe('contact_tries_missing');
  expect(outcome({ state: 'pending' }, 'fail', 'staff', [])).toBe('failed');
});
