// The place of a courier, who stands still or is on the straight way between two points. Pure.
import { distanceM, type Point } from '../../day/day.ts';

/** A straight way at constant speed. Times are service time in ms. */
export type Leg = { readonly from: Point; readonly to: Point; readonly startAt: number; readonly endAt: number };

/** Standing still is a leg that has ended. */
export function standing(at: Point): Leg {
  return { from: at, to: at, startAt: 0, endAt: 0 };
}

/** The way to a point from where the courier is now. */
export function legTo(current: Leg, to: Point, metresPerMin: number, now: number): Leg {
  const from = pointAt(current, now);
  return { from, to, startAt: now, endAt: now + (distanceM(from, to) / metresPerMin) * 60_000 };
}

/** The point of the way at this moment. */
export function pointAt({ from, to, startAt, endAt }: Leg, now: number): Point {
  if (now >= endAt) return to;
  const done = Math.max(0, (now - startAt) / (endAt - startAt));
  return { x: from.x + (to.x - from.x) * done, y: from.y + (to.y - from.y) * done };
}

/** Metres per second and compass degrees at this moment. */
export function courseAt({ from, to, startAt, endAt }: Leg, now: number): { speedMps: number; headingDeg: number } {
  if (now >= endAt) return { speedMps: 0, headingDeg: 0 };
  const degrees = (Math.atan2(to.x - from.x, to.y - from.y) * 180) / Math.PI;
  return { speedMps: distanceM(from, to) / ((endAt - startAt) / 1000), headingDeg: (Math.round(degrees) + 360) % 360 };
}
