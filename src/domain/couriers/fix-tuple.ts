import { z } from 'zod';
import { explainCodes, DROP_WORDS } from '../views/reason-words.ts';
import { DROP_REASONS, type Fix } from './position.ts';

/** Metres per second above which a speed is not one. */
const MOST_SPEED_MPS = 1000;
const FULL_CIRCLE_DEG = 360;

/**
 * One fix as phones send it. The server judges the values of each fix by themselves, outside the schema. So one wrong
 * value does not cost the phone the other fixes of its batch. Only a tuple of another form is a mistake of the program.
 */
export const FixTuple = z
  .tuple([
    z.number().int().min(0).max(Number.MAX_SAFE_INTEGER).describe('seq: rises with every fix of this phone'),
    z.number().describe('t_ms: time of the fix, milliseconds since 1970'),
    z.number().nullable().describe('lat: latitude, WGS84 degrees, -90 to 90; a fix with null is dropped'),
    z.number().nullable().describe('lng: longitude, WGS84 degrees, -180 to 180; a fix with null is dropped'),
    z
      .number()
      .nullable()
      .describe(
        'accuracy_m: radius of the uncertainty, metres; null if unknown. A fix below 0 or above 100 is dropped',
      ),
    z
      .number()
      .nullable()
      .describe('speed_mps: speed, metres per second, 0 to 1000; null or any other number if unknown'),
    z
      .number()
      .nullable()
      .describe('heading_deg: direction, degrees clockwise from north, 0 to 360; null or any other number if unknown'),
  ])
  .describe(
    '[seq, t_ms, lat, lng, accuracy_m, speed_mps, heading_deg]: seq rises with every fix of a phone, t_ms is in milliseconds',
  );
export type FixTuple = z.output<typeof FixTuple>;

/** Fixes that one batch may have. */
export const MOST_FIXES = 50;

export const FixBatch = z.array(FixTuple).min(1).max(MOST_FIXES);

/** The result of a batch, in wire form. */
export const batchAnswer = {
  accepted: z.number().int().min(0),
  dropped: z.number().int().min(0),
  reason: z
    .enum(DROP_REASONS)
    .exactOptional()
    .describe(
      explainCodes('Why the server dropped the first of the dropped fixes; absent if it dropped none', DROP_WORDS),
    ),
};

/** The fix of a tuple. A value that the phone does not know is 0, and a missing place is out of range. */
export function fixOf([seq, at, lat, lng, accuracyM, speedMps, headingDeg]: FixTuple): Fix {
  return {
    seq,
    at: Math.round(at),
    lat: lat ?? NaN,
    lng: lng ?? NaN,
    accuracyM: accuracyM ?? 0,
    speedMps: knownOr0(speedMps, MOST_SPEED_MPS),
    headingDeg: knownOr0(headingDeg, FULL_CIRCLE_DEG),
  };
}

/** Phones without a speed or a heading send null, and some send -1. */
function knownOr0(value: number | null, most: number): number {
  return value !== null && value >= 0 && value <= most ? value : 0;
}
