import { distanceM, type Coordinates } from '../geo/geo.ts';
import type { CourierId } from '../ids.ts';

/** A fix that a phone sent: service time in ms, degrees, metres, metres per second, compass degrees. */
export type Fix = {
  readonly seq: number;
  readonly at: number;
  readonly lat: number;
  readonly lng: number;
  readonly accuracyM: number;
  readonly speedMps: number;
  readonly headingDeg: number;
};

/** The newest accepted fix of a courier, and when the server received it. */
export type Position = Fix & { readonly courierId: CourierId; readonly receivedAt: number };

const FAULTS = ['out_of_range', 'from_the_future', 'too_old', 'out_of_order', 'inaccurate', 'suspect'] as const;
export type FixVerdict = 'accepted' | 'presence_only' | (typeof FAULTS)[number];

/** Why a fix does not move the courier: a fault of the fix, or a batch that came too soon. */
export const DROP_REASONS = [...FAULTS, 'too_many'] as const;
export type DropReason = (typeof DROP_REASONS)[number];

/** The fixes that the judgement of the next one needs: the last accepted fix and, after a jump, the suspect one. */
export type FixMemory = { readonly last: Fix | null; readonly suspect: Fix | null };

export const MOST_AHEAD_MS = 5_000;
export const OLDEST_MS = 30 * 60_000;
export const WORST_ACCURACY_M = 100;
export const FASTEST_MPS = 70;
export const SMALLEST_JUMP_M = 200;
const STILL_M = 5;
const STILL_MS = 15_000;

/**
 * Judges a fix by the earlier fixes of its courier. The checks run in order, cheapest first. A jump faster than 70 m/s
 * and longer than 200 m plus the accuracy is suspect, until a second suspect fix agrees with the first.
 */
export function judgeFix({ last, suspect }: FixMemory, fix: Fix, now: number): FixVerdict {
  if (isOutOfRange(fix)) return 'out_of_range';
  if (isAhead(fix, now)) return 'from_the_future';
  if (fix.at < now - OLDEST_MS) return 'too_old';
  if (last !== null && (fix.seq <= last.seq || fix.at <= last.at)) return 'out_of_order';
  // Some phones say with a negative radius that the place is not valid.
  if (fix.accuracyM < 0 || fix.accuracyM > WORST_ACCURACY_M) return 'inaccurate';
  if (last === null) return 'accepted';
  if (isJump(last, fix) && !isBorneOut(suspect, fix)) return 'suspect';
  const movedM = distanceM(last, fix);
  if (movedM < Math.max(STILL_M, fix.accuracyM / 2) && fix.at - last.at < STILL_MS) return 'presence_only';
  return 'accepted';
}

/** Says whether the time of a fix lies further ahead than a sound clock can be. */
export function isAhead({ at }: Fix, now: number): boolean {
  return at > now + MOST_AHEAD_MS;
}

function isOutOfRange({ lat, lng }: Coordinates): boolean {
  return !(Math.abs(lat) <= 90 && Math.abs(lng) <= 180) || (lat === 0 && lng === 0);
}

/** The same fix sent again proves nothing. Only a later fix can agree with a suspect one. */
function isBorneOut(suspect: Fix | null, fix: Fix): boolean {
  return suspect !== null && fix.at > suspect.at && !isJump(suspect, fix);
}

function isJump(from: Fix, to: Fix): boolean {
  const movedM = distanceM(from, to);
  if (movedM <= SMALLEST_JUMP_M + to.accuracyM) return false;
  return movedM / Math.max(0.001, (to.at - from.at) / 1000) > FASTEST_MPS;
}
