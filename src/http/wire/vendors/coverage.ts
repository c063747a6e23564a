import { z } from 'zod';
import { idSchema } from '../../../domain/ids.ts';
import { judgeArea, MOST_POSITIONS, type Area, type Position, type Zone } from '../../../domain/vendors/zone.ts';
import { explainCodes } from '../../../domain/views/reason-words.ts';
import type { CoverageOf } from '../../../vendors/judge-coverage.ts';
import { pageQuery } from '../../lists.ts';
import { textOf } from '../../../domain/text.ts';
import { COVERAGE_WORDS } from '../reason-words.ts';

const PositionBody = z
  .array(z.number().min(-180).max(180))
  .length(2)
  .refine(([, lat = 0]) => Math.abs(lat) <= 90, {
    error: 'must be longitude and then latitude, which is -90 to 90',
  })
  .transform(([lng = 0, lat = 0]): Position => [lng, lat])
  .describe('Longitude and latitude, WGS84 degrees, in this order');
const RingsBody = z
  .array(z.array(PositionBody).max(MOST_POSITIONS))
  .min(1)
  .max(20)
  .describe('The outer ring, then holes. The last position of a ring repeats the first');

const AreaBody = z
  .discriminatedUnion('type', [
    z.strictObject({ type: z.literal('Polygon').describe('Always `Polygon`'), coordinates: RingsBody }),
    z.strictObject({
      type: z.literal('MultiPolygon').describe('Always `MultiPolygon`'),
      coordinates: z.array(RingsBody).min(1).max(20).describe('The polygons, at most 20'),
    }),
  ])
  // The geometry of wrong positions cannot be judged. A transformation runs only on sound ones.
  .transform((area: Area, issues): Area => {
    const wrong = judgeArea(area);
    if (wrong === null) return area;
    issues.addIssue({ code: 'custom', path: wrong.pointer.slice(1).split('/'), message: wrong.rule });
    return z.NEVER;
  })
  .describe(`GeoJSON of the zone: a Polygon or a MultiPolygon with at most ${MOST_POSITIONS} positions`);

const name = textOf(120).describe('The name of the zone, at most 120 characters');

export const NewZoneBody = z
  .strictObject({ name, geojson: AreaBody })
  .transform(({ name: given, geojson: area }): { name: string; area: Area } => ({ name: given, area }));

export const ZoneChangesBody = z
  .strictObject({ name: name.exactOptional(), geojson: AreaBody.exactOptional() })
  .transform(({ geojson: area, ...rest }): { name?: string; area?: Area } => ({
    ...rest,
    ...(area === undefined ? {} : { area }),
  }));

/** Degrees in a query, as text. */
const degrees = (most: number, note: string) =>
  z
    .string()
    .regex(/^-?[0-9]{1,3}(\.[0-9]{1,25})?([eE][+-]?[0-9]{1,3})?$/, `must be degrees from -${most} to ${most}`)
    .transform(Number)
    .pipe(z.number().min(-most).max(most))
    .exactOptional()
    .meta({ type: 'number', minimum: -most, maximum: most, description: note });

export const CoverageQuery = z
  .strictObject({
    ...pageQuery,
    vendor_id: idSchema('ven').exactOptional().describe('The vendor. Required for staff'),
    lat: degrees(90, 'Latitude of a point to test, WGS84 degrees. Needs `lng`'),
    lng: degrees(180, 'Longitude of a point to test, WGS84 degrees. Needs `lat`'),
  })
  .superRefine(({ lat, lng }, issues) => {
    for (const [given, other, key] of [
      [lat, lng, 'lng'],
      [lng, lat, 'lat'],
    ] as const) {
      if (given === undefined || other !== undefined) continue;
      issues.addIssue({ code: 'custom', path: [key], message: 'must be given, because a point needs `lat` and `lng`' });
    }
  });

export const ZoneView = z.strictObject({
  id: idSchema('zon').describe('The zone’s id'),
  name: z.string().describe('The name of the zone'),
  geojson: z
    .strictObject({
      type: z.enum(['Polygon', 'MultiPolygon']).describe('The kind of GeoJSON geometry'),
      coordinates: z
        .array(z.array(z.unknown()))
        .describe('Rings of positions, or polygons of such rings; longitude before latitude'),
    })
    .describe('The zone as GeoJSON'),
  h3_resolution: z.number().int().describe('The H3 resolution of `h3_cells`; larger zones have larger cells'),
  h3_cells: z
    .array(z.string())
    .describe('The H3 cells whose centres lie in the zone, at most 300. Only the GeoJSON decides what is covered'),
});

export const CoverageView = z.strictObject({
  object: z.literal('coverage').describe('Always `coverage`'),
  location_id: idSchema('loc').describe('The vendor location'),
  max_distance_m: z.number().int().describe('The longest way of a delivery from here, metres'),
  zones: z.array(ZoneView).describe('The zones of drop-offs. If the list is empty, only the distance counts'),
  point: z
    .strictObject({
      covered: z.boolean().describe('Whether a drop-off may be at this point'),
      reason: z
        .enum(['drop_off_not_in_coverage', 'distance_too_long'])
        .nullable()
        .describe(explainCodes('Why it may not; null if it may', COVERAGE_WORDS)),
      distance_m: z.number().int().describe('The estimated way from the location to the point, metres'),
    })
    .exactOptional()
    .describe('The answer for `lat` and `lng`, if they were sent'),
});

export function presentZone({ id, name: zoneName, area, cells, cellSize }: Zone): z.output<typeof ZoneView> {
  const coordinates = area.coordinates.map((part) => [...part]);
  return {
    id,
    name: zoneName,
    geojson: { type: area.type, coordinates },
    h3_resolution: cellSize,
    h3_cells: [...cells],
  };
}

export function presentCoverage({ location, maxDistanceM, point }: CoverageOf): z.output<typeof CoverageView> {
  return {
    object: 'coverage',
    location_id: location.id,
    max_distance_m: maxDistanceM,
    zones: location.zones.map(presentZone),
    ...(point === null
      ? {}
      : { point: { covered: point.reason === null, reason: point.reason, distance_m: point.distanceM } }),
  };
}
