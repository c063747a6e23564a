import { expect, test } from 'vitest';
import { distanceM, offsetBy, regionOf as regionAt, type Coordinates } from '../../../src/domain/geo/geo.ts';
import { CourierSquares } from '../../../src/models/positions/courier-squares.ts';
import { PositionMemory } from '../../../src/models/positions/position-memory.ts';
import type { Slot } from '../../../src/models/positions/position-slot.ts';
import { createRandom } from '../../../load-tests/random.ts';
import { CENTER, aPosition } from '../../builders.ts';
import { regionOf } from '../../regions.ts';

/** A crowd around a place in the memory of a process. */
function crowdAround(place: Coordinates, count: number, spreadM: number): { memory: PositionMemory; slots: Slot[] } {
  const memory = new PositionMemory(5);
  const random = createRandom(count);
  for (let each = 0; each < count; each += 1) {
    const at = offsetBy(place, random.normal(0, spreadM), random.normal(0, spreadM));
    memory.take(aPosition({ ...at, lng: ((at.lng + 540) % 360) - 180 }), 0, 0);
  }
  return { memory, slots: [...memory.all()] };
}

function idsOf(slots: Iterable<Slot>): string[] {
  return [...slots].map(({ position }) => position.courierId).toSorted();
}

test.each([
  ['a city', CENTER],
  ['the date line', { lat: -17, lng: 180 }],
  ['the far north', { lat: 78.2, lng: 15.6 }],
])('[S31] rings around a place in %s have each courier in reach once, in the right ring', (_, place) => {
  const { memory, slots } = crowdAround(place, 800, 5000);
  const mostM = 9000;
  const rings = [...memory.squares.around(place, mostM)];
  const listed = rings.flatMap((ring) => ring.slots);
  expect(new Set(listed).size).toBe(listed.length);
  expect(idsOf(listed)).toEqual(idsOf(slots.filter(({ position }) => distanceM(position, place) <= mostM)));
  // There is half a ring of slack, since squares are not round and rings begin at the edge of one.
  for (const [number, { slots: here }] of rings.entries()) {
    for (const { position } of here) expect(distanceM(position, place)).toBeGreaterThan((number - 1) * 400);
  }
});

test('[S31] a region has exactly the couriers in it, also after couriers have moved or left', () => {
  const { memory, slots } = crowdAround(CENTER, 2000, 12_000);
  const regions = new Set(slots.map(({ position }) => regionOf(position)));
  const agrees = (): void => {
    const rest = [...memory.all()];
    for (const region of regions) {
      const inRegion = rest.filter(({ position }) => regionOf(position) === region);
      expect(idsOf(memory.squares.in(region))).toEqual(idsOf(inRegion));
      for (const slot of inRegion) expect(memory.squares.regionOf(slot)).toBe(region);
    }
  };
  expect(regions.size).toBeGreaterThan(4);
  agrees();
  for (const { position } of slots) {
    memory.take({ ...position, ...offsetBy(position, 900, -700), at: position.at + 1 }, position.at, 0);
  }
  agrees();
  memory.forget(Infinity);
  expect([...regions].flatMap((region) => [...memory.squares.in(region)])).toEqual([]);
  expect(new CourierSquares(5).around(CENTER, 500).next().value).toMatchObject({ slots: [] });
});

test.each([4, 5, 6])(
  '[S31] every place is in its region at resolution %i, also at the region’s corners',
  (resolution) => {
    const memory = new PositionMemory(resolution);
    const random = createRandom(resolution);
    const counts = new Map<string, number>();
    const anybody = aPosition();
    for (let each = 0; each < 60_000; each += 1) {
      const place = { lat: random.between(52, 52.8), lng: random.between(13, 14.3) };
      memory.take({ ...anybody, ...place, courierId: `cou_${each}` }, 0, 0);
      const region = regionAt(place, resolution);
      counts.set(region, (counts.get(region) ?? 0) + 1);
    }
    const strays = [...counts].filter(([region, count]) => [...memory.squares.in(region)].length !== count);
    expect(strays).toEqual([]);
  },
);

test('[S31] the poles and the date line also belong to a region', () => {
  const memory = new PositionMemory(6);
  const places = [90, -90, 89.9999].flatMap((lat) => [-180, 180, 0, 179.9999].map((lng) => ({ lat, lng })));
  for (const place of places) {
    const { courierId } = aPosition();
    memory.take({ ...aPosition(place), courierId }, 0, 0);
    expect(idsOf(memory.squares.in(regionAt(place, 6)))).toContain(courierId);
  }
});
