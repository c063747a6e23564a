import { z } from 'zod';
import type { Coordinates } from '../../domain/geo/geo.ts';
import type { Dialect } from './dialect.ts';

const placed = (places: readonly Coordinates[]): string =>
  places.map(({ lat, lng }) => `${lng.toFixed(6)},${lat.toFixed(6)}`).join(';');

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
    .object({ code: z.literal('Ok'), durations: z.array(z.array(z.number().nonnegative().nullable())) })
    .transform(({ durations }) => durations),
};
