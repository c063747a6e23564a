import { z } from 'zod';
import type { Coordinates } from '../../domain/geo/geo.ts';
import type { Call, Dialect } from './dialect.ts';

const placed = (places: readonly Coordinates[]) => places.map(({ lat, lng }) => ({ lat, lon: lng }));

function post(url: string, body: object): Call {
  const headers = { 'content-type': 'application/json' };
  return { url, init: { method: 'POST', headers, body: JSON.stringify(body) } };
}

/** https://valhalla.github.io/valhalla/api/ */
export const VALHALLA: Dialect = {
  profiles: { bicycle: 'bicycle', scooter: 'motor_scooter', motorcycle: 'motorcycle', car: 'auto', van: 'auto' },
  askTable: (base, costing, { sources, targets }) =>
    post(`${base}/sources_to_targets`, { sources: placed(sources), targets: placed(targets), costing }),
  table: z
    .object({ sources_to_targets: z.array(z.array(z.object({ time: z.number().nonnegative().nullable() }))) })
    .transform((answer) => answer.sources_to_targets.map((row) => row.map(({ time }) => time))),
};
