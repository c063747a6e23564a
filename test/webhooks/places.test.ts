import { expect, test } from 'vitest';
import { newId } from '../../src/domain/ids.ts';
import { createPlaces } from '../../src/webhooks/places.ts';

const LIMITS = { perProcess: 100, perRegistration: 10, totalRealMs: 10_000 };
const QUICK_MS = 50;
const HUNG_MS = 10_000;

/** A registration whose last try took so long; null: it was not tried yet. */
function known(places: ReturnType<typeof createPlaces>, tookMs: number | null, vendorId = newId('ven')) {
  const owner = { registrationId: newId('whk'), vendorId };
  if (tookMs !== null) places.take(owner)(tookMs);
  return owner;
}

/** Takes all that the registration may have; gives how many that were. */
function fill(places: ReturnType<typeof createPlaces>, owner: ReturnType<typeof known>): number {
  let count = 0;
  while (places.roomFor(owner) > 0) {
    places.take(owner);
    count += 1;
  }
  return count;
}

test('[W14] a registration has as many places as it may, while others need none', () => {
  const places = createPlaces(LIMITS);
  expect(fill(places, known(places, QUICK_MS))).toBe(10);
  expect(fill(places, known(places, HUNG_MS))).toBe(10);
  expect(fill(places, known(places, null))).toBe(1);
});

test('[W14] slow receivers have half of the places together, however many they are', () => {
  const places = createPlaces(LIMITS);
  const slow = Array.from({ length: 500 }, () => fill(places, known(places, HUNG_MS)));
  expect(slow.reduce((sum, count) => sum + count)).toBe(50);
  expect(fill(places, known(places, QUICK_MS))).toBe(10);
  expect(fill(places, known(places, null))).toBe(1);
});

test('[W14] the registrations of one vendor leave as many places as they take', () => {
  const places = createPlaces(LIMITS);
  const vendorId = newId('ven');
  const own = Array.from({ length: 20 }, () => fill(places, known(places, QUICK_MS, vendorId)));
  expect(own.reduce((sum, count) => sum + count)).toBe(50);
  expect(fill(places, known(places, QUICK_MS))).toBe(10);
});

test('[W14] a receiver is slow or quick as its last try was', () => {
  const places = createPlaces({ ...LIMITS, perProcess: 4 });
  const owner = known(places, HUNG_MS);
  const leaving = [places.take(owner), places.take(owner)];
  expect(places.roomFor(owner)).toBe(0);
  for (const leave of leaving) leave(QUICK_MS);
  places.take(owner);
  places.take(owner);
  expect(places.roomFor(owner)).toBe(0);
  const other = known(places, QUICK_MS);
  expect(places.roomFor(other)).toBe(1);
});
