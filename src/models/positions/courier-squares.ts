import { distanceM, regionOf, type Coordinates } from '../../domain/geo/geo.ts';
import type { Slot } from './position-slot.ts';
import { putIn, takeOut } from '../../work/sets/sets-by-key.ts';

/** Side of a square in degrees: 550 m from north to south. From west to east it shrinks towards the poles. */
const SIDE_DEG = 0.005;
const SIDE_M = 556;
const COLUMNS = 360 / SIDE_DEG;
/** A ring spans at most this many squares from west to east for each one it is high. Near the poles it is not round. */
const NARROWEST = 20;

/**
 * `regions` are the regions of the square's corners. If a border crosses the square, there are several. The regions of
 * the places in it are then added, because a region may reach into a square without containing any of its corners.
 */
type Square = { readonly number: number; readonly regions: Set<string>; readonly slots: Set<Slot> };

/** The slots within this distance of a place, without the slots of earlier rings. */
export type SlotRing = { readonly withinM: number; readonly slots: readonly Slot[] };

/**
 * Couriers by small squares of a grid in degrees. The index finds the couriers of a region or around a place without
 * reading all others. It forgets squares without couriers.
 */
export class CourierSquares {
  readonly #resolution: number;
  readonly #squares = new Map<number, Square>();
  readonly #regions = new Map<string, Set<Square>>();
  readonly #squareOf = new Map<Slot, Square>();

  /** @param resolution H3 resolution of the regions */
  constructor(resolution: number) {
    this.#resolution = resolution;
  }

  /** Adds the slot, or moves it to the square of its position. */
  put(slot: Slot): void {
    const number = numberOf(rowOf(slot.position.lat), columnOf(slot.position.lng));
    const before = this.#squareOf.get(slot);
    if (before?.number === number) return this.#cover(before, slot.position);
    this.remove(slot);
    const square = this.#squares.get(number) ?? this.#add(number, slot.position);
    square.slots.add(slot);
    this.#squareOf.set(slot, square);
    this.#cover(square, slot.position);
  }

  remove(slot: Slot): void {
    const square = this.#squareOf.get(slot);
    if (square === undefined) return;
    this.#squareOf.delete(slot);
    square.slots.delete(slot);
    if (square.slots.size > 0) return;
    this.#squares.delete(square.number);
    for (const region of square.regions) takeOut(this.#regions, region, square);
  }

  /** The region of a slot in this index. It is computed only if a border crosses the slot's square. */
  regionOf(slot: Slot): string {
    const regions = this.#squareOf.get(slot)?.regions;
    const [only] = regions?.size === 1 ? regions : [];
    return only ?? regionOf(slot.position, this.#resolution);
  }

  /** All slots of a region. */
  *in(region: string): Generator<Slot> {
    for (const { slots, regions } of this.#regions.get(region) ?? []) {
      if (regions.size === 1) yield* slots;
      else for (const slot of slots) if (regionOf(slot.position, this.#resolution) === region) yield slot;
    }
  }

  /** The slots around a place, ring by ring outwards up to `mostM`. */
  *around(place: Coordinates, mostM: number): Generator<SlotRing> {
    const [row, column] = [rowOf(place.lat), columnOf(place.lng)];
    const across = Math.min(NARROWEST, 1 / Math.cos((place.lat * Math.PI) / 180));
    const rings = Math.ceil(mostM / SIDE_M);
    let inner = -1;
    for (let ring = 0; ring <= rings; ring += 1) {
      const half = Math.ceil(ring * across);
      const slots: Slot[] = [];
      for (let up = -ring; up <= ring; up += 1) {
        const isEdge = Math.abs(up) === ring;
        // The squares inside belong to earlier rings.
        const step = isEdge ? 0 : 2 * inner + 1;
        for (let east = -half; east <= half; east += east === -inner - 1 ? 1 + step : 1) {
          const square = this.#squares.get(numberOf(row + up, column + east));
          if (square !== undefined) slots.push(...square.slots);
        }
      }
      inner = half;
      yield {
        withinM: (ring + 1) * SIDE_M,
        slots: slots.filter(({ position }) => distanceM(position, place) <= mostM),
      };
    }
  }

  #add(number: number, { lat, lng }: Coordinates): Square {
    const [row, column] = [rowOf(lat), columnOf(lng)];
    const corners = [0, 1].flatMap((up) => [0, 1].map((east) => cornerOf(row + up, column + east)));
    const square: Square = { number, regions: new Set(), slots: new Set() };
    this.#squares.set(number, square);
    for (const corner of corners) this.#enter(square, regionOf(corner, this.#resolution));
    return square;
  }

  /** Lists a square on a border under the place's region too. Regions are convex, so any other square lies in one. */
  #cover(square: Square, place: Coordinates): void {
    if (square.regions.size > 1) this.#enter(square, regionOf(place, this.#resolution));
  }

  #enter(square: Square, region: string): void {
    if (square.regions.has(region)) return;
    square.regions.add(region);
    putIn(this.#regions, region, square);
  }
}

function rowOf(lat: number): number {
  return Math.floor(lat / SIDE_DEG);
}

function columnOf(lng: number): number {
  return Math.floor(lng / SIDE_DEG);
}

function cornerOf(row: number, column: number): Coordinates {
  return { lat: row * SIDE_DEG, lng: column * SIDE_DEG };
}

/** The number of a square. A column has the same number on both sides of the date line. */
function numberOf(row: number, column: number): number {
  return row * COLUMNS + (((column % COLUMNS) + COLUMNS) % COLUMNS);
}
