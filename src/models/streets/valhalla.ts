import { z } from 'zod';
import type { Coordinates } from '../../domain/geo/geo.ts';
import { MOST_SNAPPED_M, type RouteLeg } from '../../domain/geo/route.ts';
import type { Call, Dialect } from './dialect.ts';

const placed = (places: readonly Coordinates[]) => places.map(({ lat, lng }) => ({ lat, lon: lng }));

function post(url: string, body: object): Call {
  const headers = { 'content-type': 'application/json' };
  return { url, init: { method: 'POST', headers, body: JSON.stringify(body) } };
}

const Places = z.array(
  z
    .object({ lat: z.number(), lon: z.number() })
    .transform(({ lat, lon }): Coordinates => ({ lat, lng: lon }))
    .nullable(),
);
/** Older versions put the list into another one. */
const Moved = z.union([Places, z.tuple([Places]).transform(([places]) => places)]).default([]);

/** Valhalla's name for a route. */
const ROUTE = 'trip';

const Leg = z
  .object({
    summary: z.object({ length: z.number().nonnegative(), time: z.number().nonnegative() }),
    shape: z.string(),
  })
  .transform(({ summary, shape }): RouteLeg => ({
    distanceM: summary.length * M_PER_KM,
    durationS: summary.time,
    polyline: shape,
  }));

const M_PER_KM = 1000;
/** The errors that say why there is no answer. */
const [TOO_FAR_APART, UNCONNECTED, NO_STREET, NO_WAY_AT_TIME, NO_WAY] = [154, 170, 171, 441, 442] as const;

const errorOf = (codes: readonly number[]): z.ZodType =>
  z.object({ error_code: z.union(codes.map((code) => z.literal(code))) });

/** https://valhalla.github.io/valhalla/api/ */
export const VALHALLA: Dialect = {
  profiles: { bicycle: 'bicycle', scooter: 'motor_scooter', motorcycle: 'motorcycle', car: 'auto', van: 'auto' },
  askTable: (base, costing, { sources, targets }) =>
    post(`${base}/sources_to_targets`, { sources: placed(sources), targets: placed(targets), costing }),
  table: z
    .object({
      sources_to_targets: z.array(z.array(z.object({ time: z.number().nonnegative().nullable() }))),
      sources: Moved,
      targets: Moved,
    })
    .transform(({ sources_to_targets: rows, sources: from, targets: to }) => {
      return { seconds: rows.map((row) => row.map(({ time }) => time)), from, to };
    }),
  tableRefused: errorOf([TOO_FAR_APART, UNCONNECTED, NO_STREET, NO_WAY]),
  askRoute: (base, costing, places) => {
    const locations = placed(places).map((place) => ({ ...place, search_cutoff: MOST_SNAPPED_M }));
    return post(`${base}/route`, { locations, costing, units: 'kilometers', directions_type: 'none' });
  },
  legs: z.object({ [ROUTE]: z.object({ legs: z.array(Leg) }) }).transform((answer) => answer[ROUTE].legs),
  noWay: errorOf([UNCONNECTED, NO_STREET, NO_WAY_AT_TIME, NO_WAY]),
  routeRefused: errorOf([TOO_FAR_APART]),
};
