import { z } from 'zod';
import { DROP_REASONS, type Fix } from './position.ts';

/**
 * One fix as phones send it. The server judges the place and the time of each fix by itself, outside the schema. So one
 * wrong fix does not cost the phone the others of its batch.
 */
export const FixTuple = z
  .tuple([
    z.number().int().min(0).max(Number.MAX_SAFE_INTEGER).describe('seq: rises with every fix of this phone'),
    z.number().int().min(0).max(8_640_000_000_000).describe('t_ms: time of the fix, milliseconds since 1970'),
    z.number().describe('lat: latitude, WGS84 degrees, -90 to 90'),
    z.number().describe('lng: longitude, WGS84 degrees, -180 to 180'),
    z.number().min(0).max(100_000).describe('accuracy_m: radius of the uncertainty, metres'),
    z.number().min(0).max(1000).describe('speed_mps: speed, metres per second'),
    z.number().min(0).max(360).describe('heading_deg: direction, degrees clockwise from north'),
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
      'Why the server dropped the first of the dropped fixes; absent if it dropped none. A time in seconds gives `too_old`. ' +
        'Swapped latitude and longitude give `out_of_range`, or `suspect` if they make a jump that no vehicle can make',
    ),
};

export function fixOf([seq, at, lat, lng, accuracyM, speedMps, headingDeg]: FixTuple): Fix {
  return { seq, at, lat, lng, accuracyM, speedMps, headingDeg };
}
