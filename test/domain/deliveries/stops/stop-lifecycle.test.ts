import { expect, test } from 'vitest';
import {
  stepStop,
  type ContactTry,
  type StopFacts,
  type StopVerb,
} from '../../../../src/domain/deliveries/stops/stop-lifecycle.ts';
import type { ActorType } from '../../../../src/domain/deliveries/states.ts';
import type { Stop, StopState } from '../../../../src/domain/deliveries/stops/stop.ts';
import { aCourier, aPosition, aStop, heldBy, NOON } from '../../../builders.ts';

const NOW = NOON + 10 * 60_000;
const delivery = heldBy(aCourier(), 'in_transit');
const TRIES: readonly ContactTry[] = [
  { at: NOW - 120_000, channel: 'call' },
  { at: NOW - 60_000, channel: 'message' },
];

/** The courier's last position: near the stop with this number, this long ago. */
const near = (stop: number, agoMs = 0) => aPosition({ ...aStop(stop).place, at: NOW - agoMs });
const THERE: StopFacts = {
  now: NOW,
  delivery,
  contactTries: TRIES,
  position: near(1),
  overrideReason: null,
};

function outcome(stop: Partial<Stop>, verb: StopVerb, by: ActorType = 'staff', facts: Partial<StopFacts> = {}) {
  const found = stepStop(aStop(1, stop), verb, by, { ...THERE, ...facts });
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

test('[L15] a courier gives up a stop after five minutes there and two tries a minute apart; staff may at once', () => {
  const there: Partial<Stop> = { state: 'arrived', arrivedAt: NOW - 300_000 };
  const [first, second] = TRIES as [ContactTry, ContactTry];
  expect(outcome(there, 'fail', 'courier')).toBe('failed');
  expect(outcome({ ...there, arrivedAt: NOW - 299_999 }, 'fail', 'courier')).toBe('contact_tries_missing');
  expect(outcome({ state: 'pending' }, 'fail', 'courier')).toBe('contact_tries_missing');
  expect(outcome(there, 'fail', 'courier', { contactTries: [first] })).toBe('contact_tries_missing');
  expect(outcome(there, 'fail', 'courier', { contactTries: [first, { ...first, at: first.at + 59_999 }] })).toBe(
    'contact_tries_missing',
  );
  expect(outcome(there, 'fail', 'courier', { contactTries: [first, { ...second, at: NOW + 5001 }] })).toBe(
    'contact_tries_missing',
  );
  expect(outcome(there, 'fail', 'courier', { contactTries: [{ ...first, at: NOON - 1 }, second] })).toBe(
    'contact_tries_missing',
  );
  expect(outcome({ state: 'pending' }, 'fail', 'staff', { contactTries: [] })).toBe('failed');
});

test('[L11] a courier arrives, delivers and fails within 300 m of the stop, or gives a reason', () => {
  const waited: Partial<Stop> = { state: 'arrived', arrivedAt: NOW - 300_000 };
  const acts = (facts: Partial<StopFacts>, by: ActorType = 'courier') => [
    outcome({}, 'arrive', by, facts),
    outcome({}, 'deliver', by, facts),
    outcome(waited, 'fail', by, facts),
  ];
  const done = ['arrived', 'delivered', 'failed'];
  const all = (code: string) => done.map(() => code);
  expect(acts({})).toEqual(done);
  const away = { position: near(0) };
  expect(acts(away)).toEqual(all('too_far_from_stop'));
  expect(acts({ ...away, overrideReason: 'met at the corner' })).toEqual(done);
  expect(acts(away, 'staff')).toEqual(done);
  // The geofence of the server uses its own circle.
  expect(outcome({}, 'arrive', 'system', away)).toBe('arrived');
});

test('[L11] a position that is missing or older than two minutes counts as unknown and needs a reason', () => {
  const deliver = (facts: Partial<StopFacts>, by: ActorType = 'courier') => outcome({}, 'deliver', by, facts);
  expect(deliver({ position: near(1, 120_000) })).toBe('delivered');
  const old = { position: near(1, 120_001) };
  expect(deliver(old)).toBe('courier_position_unknown');
  expect(deliver({ position: null })).toBe('courier_position_unknown');
  expect(deliver({ ...old, overrideReason: 'no satellites' })).toBe('delivered');
  expect(deliver(old, 'staff')).toBe('delivered');
});

test('[L11] the refusal names the distance of the courier, or the age of the position, and the limit', () => {
  const told = (position: StopFacts['position']) => stepStop(aStop(1), 'deliver', 'courier', { ...THERE, position });
  expect(told(near(3))).toMatchObject({
    metadata: { distance_m: 2000, at_most_m: 300 },
    detail: expect.stringContaining('2000 m from stop 1'),
  });
  expect(told(near(1, 150_000))).toMatchObject({
    metadata: { age_s: 150, at_most_s: 120 },
    detail: expect.stringContaining('150 s old'),
  });
  expect(told(null)).toMatchObject({ metadata: { age_s: null, at_most_s: 120 } });
});
