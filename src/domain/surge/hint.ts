import { distanceM, type Coordinates } from '../geo/geo.ts';
import type { CourierId } from '../ids.ts';
import { centerOf, sumAround } from './surge.ts';

/** Where an idle courier will be needed. Only a word: it holds nothing, and whoever loses it loses nothing. */
export type Hint = {
  readonly courierId: CourierId;
  /** H3 cell of the resolution that dispatchers watch, and its middle. */
  readonly cell: string;
  readonly place: Coordinates;
  /** As the crow flies, to the middle. */
  readonly distanceM: number;
  /** Deliveries that wait there or are expected until the hint ends. */
  readonly expected: number;
  /** Service time in ms. */
  readonly expiresAt: number;
};

/** A courier who could go somewhere else, and the cell he stands in. */
export type IdleCourier = { readonly courierId: CourierId; readonly place: Coordinates; readonly cell: string };

export type HintRule = {
  readonly mostDistanceM: number;
  readonly mostAtOnce: number;
  readonly expiresAt: number;
};

/**
 * Whom to tell where he will be needed: for each courier that a cell will lack, the nearest idle one of a cell that has
 * more than it needs itself. A cell lacks what is expected there beyond the couriers around, those of the ring for less;
 * only whole couriers are lacking. Nobody is told twice, and for one who is lacking nobody else is told.
 * @param expected deliveries by cell
 * @param free couriers who are free soon, by cell; those who were told to go somewhere count there
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

/** Whole couriers that each cell will lack. */
function lackIn(expected: ReadonlyMap<string, number>, free: ReadonlyMap<string, number>): Map<string, number> {
  const lacking = new Map<string, number>();
  for (const [cell, count] of expected) {
    if (count < 1) continue;
    const missing = Math.floor(count - sumAround(cell, (each) => free.get(each) ?? 0));
    if (missing >= 1) lacking.set(cell, missing);
  }
  return lacking;
}
