import { z } from 'zod';
import type { Coordinates } from '../../domain/geo/geo.ts';
import { decodePolyline, encodePolyline } from '../../domain/geo/polyline.ts';
import { MOST_SNAPPED_M, type RouteLeg } from '../../domain/geo/route.ts';
import type { Dialect } from './dialect.ts';

const placed = (places: readonly Coordinates[]): string =>
  places.map(({ lat, lng }) => `${lng.toFixed(6)},${lat.toFixed(6)}`).join(';');

const Moved = z
  .array(z.object({ location: z.tuple([z.number(), z.number()]) }))
  .default([])
  .transform((places) => places.map(({ location: [lng, lat] }): Coordinates => ({ lat, lng })));

/** A leg has a line for each step. Each begins where the last one ends, so points repeat. */
const Leg = z
  .object({
    distance: z.number().nonnegative(),
    duration: z.number().nonnegative(),
    steps: z.array(z.object({ geometry: z.string() })),
  })
  .transform(({ distance, duration, steps }): RouteLeg => {
    const points = steps.flatMap(({ geometry }) => decodePolyline(geometry));
    const isNew = ({ lat, lng }: Coordinates, at: number): boolean =>
      lat !== points[at - 1]?.lat || lng !== points[at - 1]?.lng;
    return { distanceM: distance, durationS: duration, polyline: encodePolyline(points.filter(isNew)) };
  });

/** https://project-osrm.org/docs/v5.24.0/api/. The server's build determines the profile. */
export const OSRM: Dialect = {
  profiles: { bicycle: 'bike', scooter: 'driving', motorcycle: 'driving', car: 'driving', van: 'driving' },
  askTable: (base, profile, { sources, targets }) => {
    const from = sources.map((_, index) => index);
    const to = targets.map((_, index) => sources.length + index);
    const query = `sources=${from.join(';')}&destinations=${to.join(';')}&annotations=duration`;
    return { url: `${base}/table/v1/${profile}/${placed([...sources, ...targets])}?${query}`, init: {} };
  },
  table: z
    .object({
      code: z.literal('Ok'),
      durations: z.array(z.array(z.number().nonnegative().nullable())),
      sources: Moved,
      destinations: Moved,
    })
    .transform(({ durations: seconds, sources: from, destinations: to }) => ({ seconds, from, to })),
  tableRefused: z.object({ code: z.enum(['NoTable', 'NoSegment', 'TooBig']) }),
  askRoute: (base, profile, places) => {
    const radiuses = places.map(() => MOST_SNAPPED_M).join(';');
    const query = `overview=false&steps=true&geometries=polyline6&radiuses=${radiuses}`;
    return { url: `${base}/route/v1/${profile}/${placed(places)}?${query}`, init: {} };
  },
  legs: z
    .object({ code: z.literal('Ok'), routes: z.array(z.object({ legs: z.array(Leg) })).min(1) })
    .transform(({ routes }) => routes[0]?.legs ?? []),
  noWay: z.object({ code: z.enum(['NoRoute', 'NoSegment']) }),
  routeRefused: z.object({ code: z.literal('TooBig') }),
};
