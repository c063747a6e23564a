import { expect, test } from 'vitest';
import { distanceM, offsetBy, type Coordinates } from '../../src/domain/geo.ts';
import { CourierSquares } from '../../src/models/courier-squares.ts';
import { PositionMemory, type Slot } from '../../src/models/position-memory.ts';
import { createRandom } from '../../load-tests/random.ts';
import { CENTER, aPosition } from '../builders.ts';
import { regionOf } from '../regions.ts';

/** A crowd around a place, as a process remembers it. */
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
])(
  '[S31] rings around a place in %s have each courier in reach once, and those nearer than a ring in it',
  (_, place) => {
    const { memory, slots } = crowdAround(place, 800, 5000);
    const mostM = 9000;
    const rings = [...memory.squares.around(place, mostM)];
    const listed = rings.flatMap((ring) => ring.slots);
    expect(new Set(listed).size).toBe(listed.length);
    expect(idsOf(listed)).toEqual(idsOf(slots.filter(({ position }) => distanceM(position, place) <= mostM)));
    // Half a ring of slack: squares are square, and rings begin at the edge of one.
    for (const [number, { slots: here }] of rings.entries()) {
      for (const { position } of here) expect(distanceM(position, place)).toBeGreaterThan((number - 1) * 400);
    }
  },
);

test('[S31] a region has exactly the couriers whose place lies in it, also after they moved and when they are gone', () => {
  const { memory, slots } = crowdAround(CENTER, 2000, 12_000);
  const regions = new Set(slots.map(({ position }) => regionOf(position)));
  const agrees = (): void => {
    const rest = [...memory.all()];
    for (const region of regions) {
      const inRegion = rest.filter(({ position }) => regionOf(position) === region);
      expect(idsOf(memory.squares.in(region))).toEqual(idsOf(inRegion));
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
