import fc from 'fast-check';
import { expect, test } from 'vitest';
import { newId } from '../../src/domain/ids.ts';
import type { Waiting } from '../../src/ports/webhooks.ts';
import { createPlaces, type Places } from '../../src/webhooks/places.ts';

const LIMITS = { perProcess: 100, perRegistration: 10, totalRealMs: 10_000 };
const QUICK_MS = 50;
const HUNG_MS = 10_000;

/** A registration whose last try took so long; null: it was not tried yet. */
function known(places: Places, tookMs: number | null, vendorId = newId('ven')): Waiting {
  const owner = { registrationId: newId('whk'), vendorId };
  if (tookMs !== null) places.take(owner)(tookMs);
  return owner;
}

const roomFor = (places: Places, owner: Waiting): number => places.next([owner])?.room ?? 0;

/** Takes all that the registration may have; gives how many that were. */
function fill(places: Places, owner: Waiting): number {
  let count = 0;
  while (roomFor(places, owner) > 0) {
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

test('[W14] receivers that are slow or were never tried have at most half of the places together', () => {
  for (const tookMs of [HUNG_MS, null]) {
    const places = createPlaces(LIMITS);
    const doubtful = Array.from({ length: 500 }, () => fill(places, known(places, tookMs)));
    expect(doubtful.reduce((sum, count) => sum + count)).toBe(50);
    expect(fill(places, known(places, null))).toBe(0);
    expect(fill(places, known(places, QUICK_MS))).toBe(10);
  }
});

test('[W14] a vendor takes at most as many places as it leaves free, and half as many for receivers that were never tried', () => {
  for (const [tookMs, most] of [
    [QUICK_MS, 50],
    [null, 25],
    [HUNG_MS, 25],
  ] as const) {
    const places = createPlaces(LIMITS);
    const vendorId = newId('ven');
    const own = Array.from({ length: 40 }, () => fill(places, known(places, tookMs, vendorId)));
    expect(own.reduce((sum, count) => sum + count)).toBe(most);
    expect(fill(places, known(places, QUICK_MS))).toBe(10);
  }
});

test('[W14] a receiver is slow or quick as its last try was', () => {
  const places = createPlaces({ ...LIMITS, perProcess: 4 });
  const owner = known(places, HUNG_MS);
  const leaving = [places.take(owner), places.take(owner)];
  expect(roomFor(places, owner)).toBe(0);
  for (const leave of leaving) leave(QUICK_MS);
  places.take(owner);
  places.take(owner);
  expect(roomFor(places, owner)).toBe(0);
  const other = known(places, QUICK_MS);
  expect(roomFor(places, other)).toBe(1);
});

test('[W36] turns go to the vendor with the fewest places, then to the one that waits longest', () => {
  const places = createPlaces(LIMITS);
  const hostile = newId('ven');
  const waiting = [known(places, QUICK_MS, hostile), known(places, QUICK_MS, hostile), known(places, QUICK_MS)];
  const order = Array.from({ length: 6 }, () => {
    const turn = places.next(waiting);
    if (turn === null) return null;
    places.take(turn.owner);
    return waiting.indexOf(turn.owner);
  });
  expect(order).toEqual([0, 2, 1, 2, 0, 2]);
});

/** A random action of a hostile vendor: its registration, its try and its time. */
const Step = fc.record({ of: fc.nat(), at: fc.nat(), tookMs: fc.constantFrom(QUICK_MS, HUNG_MS) });

/** Gives out what there is; says whether the good one was given a place. */
function giveOut(places: Places, waiting: readonly Waiting[], good: Waiting | null, under: Try[]): boolean {
  let isServed = false;
  const all = good === null ? waiting : [...waiting, good];
  for (let turn = places.next(all); turn !== null; turn = places.next(all.filter((one) => !isServed || one !== good))) {
    const { owner, room } = turn;
    isServed ||= owner === good;
    for (let count = 0; count < (owner === good ? 1 : room); count += 1) {
      under.push({ leave: places.take(owner) });
    }
  }
  return isServed;
}
type Try = { readonly leave: (tookMs: number) => void };

test('[W36] a vendor with a quick receiver gets a place within as many ends as there are other vendors', () => {
  const run = (vendors: number, registrations: number, perProcess: number, steps: readonly Step[]): void => {
    const places = createPlaces({ ...LIMITS, perProcess });
    const hostile = Array.from({ length: vendors }, () => newId('ven')).flatMap((vendorId) =>
      Array.from({ length: registrations }, () => known(places, null, vendorId)),
    );
    const good = known(places, QUICK_MS);
    const under: Try[] = [];
    for (const { of, at, tookMs } of steps) {
      const first = of % hostile.length;
      giveOut(places, [...hostile.slice(first), ...hostile.slice(0, first)], null, under);
      under.splice(at % under.length, 1)[0]?.leave(tookMs);
    }
    // The good one has just had a turn, so all others may come before it.
    expect(places.next([good])).not.toBeNull();
    giveOut(places, hostile, null, under);
    let ends = 0;
    while (!giveOut(places, hostile, good, under)) {
      const { at, tookMs } = steps[ends % steps.length] ?? { at: 0, tookMs: HUNG_MS };
      under.splice(at % under.length, 1)[0]?.leave(tookMs);
      ends += 1;
      expect(ends).toBeLessThanOrEqual(vendors);
    }
  };
  const steps = fc.array(Step, { minLength: 1, maxLength: 300 });
  const sizes = [
    fc.integer({ min: 1, max: 12 }),
    fc.integer({ min: 1, max: 40 }),
    fc.constantFrom(4, 20, 100),
  ] as const;
  fc.assert(fc.property(...sizes, steps, run), { numRuns: 60 });
});

type Step = typeof Step extends fc.Arbitrary<infer Value> ? Value : never;

test('[W36] a vendor with a quick receiver gets a place at once, whatever receivers hang or were not tried yet', () => {
  const run = (kinds: readonly boolean[], vendors: number): void => {
    const places = createPlaces(LIMITS);
    const ids = Array.from({ length: vendors }, () => newId('ven'));
    const hostile = kinds.map((isNew, at) => known(places, isNew ? null : HUNG_MS, ids[at % vendors]));
    const good = known(places, QUICK_MS);
    giveOut(places, hostile, null, []);
    expect(roomFor(places, good)).toBe(10);
  };
  fc.assert(fc.property(fc.array(fc.boolean(), { maxLength: 400 }), fc.integer({ min: 1, max: 20 }), run));
});
