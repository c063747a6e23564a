// The place of a courier, who stands still or is on the way along a line. Pure.
import { headingDeg, type Coordinates } from '../../../src/domain/geo/geo.ts';
import { lengthM, placeAlong } from '../../../src/domain/geo/lines.ts';

/** A way along a line at constant speed. Times are service time in ms. */
export type Leg = {
  readonly line: readonly Coordinates[];
  readonly lengthM: number;
  readonly startAt: number;
  readonly endAt: number;
};

/** How far ahead a courier looks to tell the heading, metres. */
const AHEAD_M = 1;

/** Standing still is a leg that has ended. */
export function standing(at: Coordinates): Leg {
  return { line: [at], lengthM: 0, startAt: 0, endAt: 0 };
}

/** The way along a line in so many ms from now. */
export function legAlong(line: readonly Coordinates[], tookMs: number, now: number): Leg {
  return { line, lengthM: lengthM(line), startAt: now, endAt: now + tookMs };
}

/** The place on the way at this moment. */
export function placeAt(leg: Leg, now: number): Coordinates {
  return placeAlong(leg.line, doneM(leg, now));
}

/** Metres per second and compass degrees at this moment. */
export function courseAt(leg: Leg, now: number): { speedMps: number; headingDeg: number } {
  const { line, startAt, endAt } = leg;
  if (now >= endAt || leg.lengthM === 0) return { speedMps: 0, headingDeg: 0 };
  const atM = Math.min(doneM(leg, now), leg.lengthM - AHEAD_M);
  const [here, ahead] = [placeAlong(line, atM), placeAlong(line, atM + AHEAD_M)];
  return { speedMps: leg.lengthM / ((endAt - startAt) / 1000), headingDeg: headingDeg(here, ahead) };
}

function doneM({ lengthM: allM, startAt, endAt }: Leg, now: number): number {
  return now >= endAt ? allM : allM * Math.max(0, (now - startAt) / (endAt - startAt));
}
