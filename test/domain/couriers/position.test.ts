import { expect, test } from 'vitest';
import { offsetBy } from '../../../src/domain/geo/geo.ts';
import { judgeFix, type Fix, type FixVerdict } from '../../../src/domain/couriers/position.ts';
import { aFix, CENTER, NOON } from '../../builders.ts';

const AT = NOON + 60_000;
const LAST = aFix(10, { at: AT - 4000 });

/** A fix four seconds after the last good one, this many metres east of it. */
function next(eastM: number, over: Partial<Fix> = {}): Fix {
  return aFix(11, { at: AT, ...offsetBy(CENTER, eastM, 0), ...over });
}

const CORPUS: readonly (readonly [string, Fix, FixVerdict])[] = [
  ['an ordinary move', next(40), 'accepted'],
  ['the point 0/0', next(0, { lat: 0, lng: 0 }), 'out_of_range'],
  ['a latitude beyond the pole', next(0, { lat: 91 }), 'out_of_range'],
  ['a longitude beyond the date line', next(0, { lng: 180.1 }), 'out_of_range'],
  ['no number', next(0, { lat: NaN }), 'out_of_range'],
  ['five seconds ahead, as clocks are', next(40, { at: AT + 5000 }), 'accepted'],
  ['more ahead', next(40, { at: AT + 5001 }), 'from_the_future'],
  ['older than half an hour', next(40, { at: AT - 30 * 60_000 - 1 }), 'too_old'],
  ['a duplicate', LAST, 'out_of_order'],
  ['a lower number', next(40, { seq: 9 }), 'out_of_order'],
  ['an earlier time under a higher number', next(40, { at: LAST.at - 1 }), 'out_of_order'],
  ['the same time', next(40, { at: LAST.at }), 'out_of_order'],
  ['good to 100 m', next(90, { accuracyM: 100 }), 'accepted'],
  ['worse', next(400, { accuracyM: 101 }), 'inaccurate'],
  ['a negative accuracy, as of a place that is not valid', next(90, { accuracyM: -1 }), 'inaccurate'],
  ['a teleport', next(5000), 'suspect'],
  ['over 200 m and the accuracy in 4 s, at less than 70 m/s', next(279), 'accepted'],
  ['faster than 70 m/s and over 200 m', next(281), 'suspect'],
  ['fast, but within the accuracy', next(281, { accuracyM: 90 }), 'accepted'],
  ['no movement', next(2), 'presence_only'],
  ['a move smaller than half the accuracy', next(20, { accuracyM: 50 }), 'presence_only'],
];

test.each(CORPUS)('[G1] %s', (_what, fix, verdict) => {
  expect(judgeFix({ last: LAST, suspect: null }, fix, AT)).toBe(verdict);
});

test('[G1] a courier who stands still gets a new position after 15 s', () => {
  expect(judgeFix({ last: LAST, suspect: null }, next(2, { at: LAST.at + 15_000 }), AT + 15_000)).toBe('accepted');
});

test('[G2] the first fix of a courier is accepted if it is valid', () => {
  expect(judgeFix({ last: null, suspect: null }, next(0), AT)).toBe('accepted');
  expect(judgeFix({ last: null, suspect: null }, next(0, { accuracyM: 500 }), AT)).toBe('inaccurate');
});

test('[G3] after a tunnel the second fix at the far end is accepted, but a second jump elsewhere is not', () => {
  const out = next(5000);
  const memory = { last: LAST, suspect: out };
  expect(judgeFix(memory, next(5040, { seq: 12, at: AT + 4000 }), AT + 4000)).toBe('accepted');
  expect(judgeFix(memory, next(-5000, { seq: 12, at: AT + 4000 }), AT + 4000)).toBe('suspect');
  expect(judgeFix(memory, next(60, { seq: 12, at: AT + 4000 }), AT + 4000)).toBe('accepted');
});

test('[G3] a suspect fix that is sent again does not agree with itself', () => {
  const out = next(5000);
  expect(judgeFix({ last: LAST, suspect: out }, out, AT)).toBe('suspect');
  expect(judgeFix({ last: LAST, suspect: out }, { ...out, seq: 12 }, AT)).toBe('suspect');
});
