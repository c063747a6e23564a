import { expect, test } from 'vitest';
import { createRests } from '../../src/work/rests.ts';
import { handClock } from '../clock.ts';

test('[D205] a place must rest for 10 s after a conflict, and others need not', async () => {
  const clock = handClock();
  const rests = createRests(clock);
  expect(rests.mustRest('wallet')).toBe(false);
  rests.note(['wallet']);
  await clock.advance(9999);
  expect(rests.mustRest('wallet')).toBe(true);
  expect(rests.mustRest('other')).toBe(false);
  await clock.advance(1);
  expect(rests.mustRest('wallet')).toBe(false);
});

test('[D205] a further conflict begins the 10 s again', async () => {
  const clock = handClock();
  const rests = createRests(clock);
  rests.note(['wallet']);
  await clock.advance(9000);
  rests.note(['wallet']);
  await clock.advance(9000);
  expect(rests.mustRest('wallet')).toBe(true);
});

test('[D205] of more than 10,000 places, the one whose conflict is the oldest is forgotten', () => {
  const rests = createRests(handClock());
  const places = Array.from({ length: 10_000 }, (_, index) => `wallet ${index}`);
  rests.note(places);
  rests.note(['wallet 0']);
  rests.note(['one more']);
  expect(rests.mustRest('wallet 1')).toBe(false);
  for (const place of ['wallet 0', 'wallet 2', 'one more']) expect(rests.mustRest(place)).toBe(true);
});
