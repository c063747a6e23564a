import { expect, test } from 'vitest';
import { createRests } from '../../src/work/rests.ts';
import { handClock } from '../clock.ts';

test('[D205] a place rests 25 ms for 10 s after a clash, and others rest for no time', async () => {
  const clock = handClock();
  const rests = createRests(clock);
  expect(rests.restOf('wallet')).toBe(0);
  rests.note(['wallet']);
  await clock.advance(9999);
  expect(rests.restOf('wallet')).toBe(25);
  expect(rests.restOf('other')).toBe(0);
  await clock.advance(1);
  expect(rests.restOf('wallet')).toBe(0);
});

test('[D205] a further clash begins the 10 s again', async () => {
  const clock = handClock();
  const rests = createRests(clock);
  rests.note(['wallet']);
  await clock.advance(9000);
  rests.note(['wallet']);
  await clock.advance(9000);
  expect(rests.restOf('wallet')).toBe(25);
});

test('[D205] of more than 10,000 places, the one whose clash is the oldest is forgotten', () => {
  const rests = createRests(handClock());
  const places = Array.from({ length: 10_000 }, (_, index) => `wallet ${index}`);
  rests.note(places);
  rests.note(['wallet 0']);
  rests.note(['one more']);
  expect(rests.restOf('wallet 1')).toBe(0);
  for (const place of ['wallet 0', 'wallet 2', 'one more']) expect(rests.restOf(place)).toBe(25);
});
