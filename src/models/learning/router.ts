import { z } from 'zod';
import type { VehicleType } from '../../domain/couriers/courier.ts';
import type { Coordinates } from '../../domain/geo/geo.ts';
import type { Settings } from '../../settings.ts';

/** A request for the travel times from each source to each target. */
export type TableRequest = {
  readonly sources: readonly Coordinates[];
  readonly targets: readonly Coordinates[];
  readonly vehicle: VehicleType;
};

/** Returns seconds by source and target; null if there is no route. Rejects if no valid answer comes in time. */
export type AskTable = (request: TableRequest, halt: AbortSignal) => Promise<readonly (readonly (number | null)[])[]>;

type Call = { readonly url: string; readonly init: RequestInit };
type Dialect = {
  readonly profiles: Record<VehicleType, string>;
  call(base: string, profile: string, request: TableRequest): Call;
  readonly answer: z.ZodType<(number | null)[][]>;
};

const Seconds = z.number().nonnegative().nullable();

/** The request and the answer of each kind of server. Requests ask only for the table of times. */
const DIALECTS: Record<Settings['travel']['routerKind'], Dialect> = {
  // https://project-osrm.org/docs/v5.24.0/api/#table-service. The server's build determines the profile.
  osrm: {
    profiles: { bicycle: 'bike', scooter: 'driving', motorcycle: 'driving', car: 'driving', van: 'driving' },
    call: (base, profile, { sources, targets }) => {
      const places = [...sources, ...targets].map(({ lat, lng }) => `${lng.toFixed(6)},${lat.toFixed(6)}`);
      const from = sources.map((_, index) => index);
      const to = targets.map((_, index) => sources.length + index);
      const query = `sources=${from.join(';')}&destinations=${to.join(';')}&annotations=duration`;
      return { url: `${base}/table/v1/${profile}/${places.join(';')}?${query}`, init: {} };
    },
    answer: z
      .object({ code: z.literal('Ok'), durations: z.array(z.array(Seconds)) })
      .transform(({ durations }) => durations),
  },
  // https://valhalla.github.io/valhalla/api/matrix/api-reference/
  valhalla: {
    profiles: { bicycle: 'bicycle', scooter: 'motor_scooter', motorcycle: 'motorcycle', car: 'auto', van: 'auto' },
    call: (base, costing, { sources, targets }) => {
      const placed = (places: readonly Coordinates[]) => places.map(({ lat, lng }) => ({ lat, lon: lng }));
      const body = JSON.stringify({ sources: placed(sources), targets: placed(targets), costing });
      const headers = { 'content-type': 'application/json' };
      return { url: `${base}/sources_to_targets`, init: { method: 'POST', headers, body } };
    },
    answer: z
      .object({ sources_to_targets: z.array(z.array(z.object({ time: Seconds }))) })
      .transform((answer) => answer.sources_to_targets.map((row) => row.map(({ time }) => time))),
  },
};

/** Creates the client of the routing server in the settings; null if they name none. */
export function createRouter({ routerKind, routerUrl, routerBudgetRealMs }: Settings['travel']): AskTable | null {
  if (routerUrl === '') return null;
  const dialect = DIALECTS[routerKind];
  return async (request, halt) => {
    const profile = dialect.profiles[request.vehicle];
    const base = routerUrl.replace('{profile}', profile).replace(/\/$/, '');
    const { url, init } = dialect.call(base, profile, request);
    const signal = AbortSignal.any([halt, AbortSignal.timeout(routerBudgetRealMs)]);
    const response = await fetch(url, { ...init, redirect: 'error', signal });
    if (!response.ok) throw new Error(`the routing server answered ${response.status}`);
    const table = dialect.answer.parse(await response.json());
    const { sources, targets } = request;
    if (table.length !== sources.length || table.some((row) => row.length !== targets.length)) {
      throw new Error('the routing server answered a table of another size');
    }
    return table;
  };
}
