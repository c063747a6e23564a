import { distanceM, type Coordinates } from '../geo/geo.ts';
import type { CourierId } from '../ids.ts';
import { centerOf, sumAround } from './surge.ts';

/** Where an idle courier will be needed. A hint reserves nothing, and a courier who misses it loses nothing. */
export type Hint = {
  readonly courierId: CourierId;
  /** H3 cell of the resolution that dispatchers watch, and its middle. */
  readonly cell: string;
  readonly place: Coordinates;
  /** Straight line to the middle. */
  readonly distanceM: number;
  /** Deliveries that wait there, or are expected there until the hint ends. */
  readonly expected: number;
  /** Service time in ms. */
  readonly expiresAt: number;
};

/** A courier who could go somewhere else, and their cell. */
export type IdleCourier = { readonly courierId: CourierId; readonly place: Coordinates; readonly cell: string };

export type HintRule = {
  readonly mostDistanceM: number;
  readonly mostAtOnce: number;
  readonly expiresAt: number;
};

/**
 * Chooses the couriers who get a hint. For each courier that a cell will lack, it takes the nearest idle one of a cell
 * that has more than it needs. A cell lacks the expected deliveries minus the couriers around; couriers of the ring
 * count for less. Only whole couriers count as lacking. Each courier gets at most one hint, and each lack at most one
 * courier.
 * @param expected deliveries by cell
 * @param free couriers who are free soon, by cell; couriers with a hint count at its cell
 */
export function planHints(
  expected: ReadonlyMap<string, number>,
  free: ReadonlyMap<string, number>,
  idle: readonly IdleCourier[],
  { mostDistanceM, mostAtOnce, expiresAt }: HintRule,
): Hint[] {
  const lacking = lackIn(expected, free);
  const spare = new Map([...free].map(([cell, count]) => [cell, count - Math.ceil(expected.get(cell) ?? 0)]));
  const ways = [...lacking.keys()].flatMap((cell) => {
    const place = centerOf(cell);
    return idle.flatMap((courier) => {
      const wayM = distanceM(courier.place, place);
      const isUseful = courier.cell !== cell && (spare.get(courier.cell) ?? 0) > 0 && wayM <= mostDistanceM;
      return isUseful ? [{ courier, cell, place, wayM }] : [];
    });
  });
  const hints = new Map<CourierId, Hint>();
  for (const { courier, cell, place, wayM } of ways.toSorted((a, b) => a.wayM - b.wayM)) {
    if (hints.size >= mostAtOnce) break;
    const [left, here] = [lacking.get(cell) ?? 0, spare.get(courier.cell) ?? 0];
    if (left < 1 || here < 1 || hints.has(courier.courierId)) continue;
    lacking.set(cell, left - 1);
    spare.set(courier.cell, here - 1);
    const { courierId } = courier;
    hints.set(courierId, {
      courierId,
      cell,
      place,
      distanceM: wayM,
      expected: Math.round(expected.get(cell) ?? 0),
      expiresAt,
    });
  }
  return [...hints.values()];
}

/** How many whole couriers each cell will lack. */
function lackIn(expected: ReadonlyMap<string, number>, free: ReadonlyMap<string, number>): Map<string, number> {
  const lacking = new Map<string, number>();
  for (const [cell, count] of expected) {
    if (count < 1) continue;
    const missing = Math.floor(count - sumAround(cell, (each) => free.get(each) ?? 0));
    if (missing >= 1) lacking.set(cell, missing);
  }
  return lacking;
}
