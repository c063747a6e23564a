import type { z } from 'zod';
import type { VehicleType } from '../../domain/couriers/courier.ts';
import type { Settings } from '../../settings.ts';
import { distanceM, type Coordinates } from '../../domain/geo/geo.ts';
import { joinLegs, MOST_SNAPPED_M, type Route, type RouteLeg } from '../../domain/geo/route.ts';
import { STREET_FACTOR } from '../../domain/geo/street.ts';
import { isRide } from '../../domain/learning/travel.ts';
import type { Call, Dialect, RouteRequest, TableRequest } from './dialect.ts';
import { OSRM } from './osrm.ts';
import { VALHALLA } from './valhalla.ts';

type TravelSettings = Settings['travel'];
type Kind = TravelSettings['routerKind'];

/** Finds the routing server of this moment; null while there is none. */
export type FindRouter = () => { readonly kind: Kind; readonly url: string } | null;

/** The client of the routing server. Its calls reject if no valid answer comes in time. */
export type Router = {
  /** The address of the routing server; null while none is known. Then the calls reject at once. */
  address(): string | null;
  /** Returns seconds by source and target, with null for a pair without a route. Returns null if the server refuses the table. */
  table(request: TableRequest, halt: AbortSignal): Promise<readonly (readonly (number | null)[])[] | null>;
  /** Returns the way through the places, or why there is none. */
  route(request: RouteRequest, halt: AbortSignal): Promise<Route | NoRoute>;
};

/**
 * There is no way, the server refuses one so long, it moved a place too far, or the way has an impossible length or time.
 * Another request would have the same answer.
 */
export type NoRoute = 'no_way' | 'refused' | 'moved' | 'unsound';

/** A way of 500 km through ten places takes less than a tenth of it. */
const MOST_ANSWER_BYTES = 4 * 1024 * 1024;
/** Both kinds of servers answer with it that they found no way. */
const NO_ANSWER_STATUS = 400;
/** The times of shorter legs depend on a single crossing, so they are neither judged nor requested, metres. */
export const LEAST_JUDGED_M = 300;

const DIALECTS: Readonly<Record<Kind, Dialect>> = { osrm: OSRM, valhalla: VALHALLA };

/**
 * The routing server of the settings, or else the Valhalla that runs beside the server.
 * @param streetsUrl the address of that Valhalla; null while it does not answer
 */
export function findRouterBy(
  { routerKind, routerUrl }: TravelSettings,
  streetsUrl: () => string | null = () => null,
): FindRouter {
  if (routerUrl !== '') return () => ({ kind: routerKind, url: routerUrl });
  return () => {
    const url = streetsUrl();
    return url === null ? null : { kind: 'valhalla', url };
  };
}

/** Creates the client of the routing server that `find` returns, whichever that is at the time of a call. */
export function createRouter(find: FindRouter, { tableBudgetRealMs, routeBudgetRealMs }: TravelSettings): Router {
  return {
    address: () => find()?.url ?? null,
    table: async (request, halt) => {
      const { dialect, base, profile } = speak(find, request.vehicle);
      const response = await send(dialect.askTable(base, profile, request), halt, tableBudgetRealMs);
      const answer = await readJson(response);
      const { sources, targets } = request;
      // One place that is too far from any street is enough.
      if (says(response, dialect.tableRefused, answer)) return null;
      if (!response.ok) throw badAnswer(response);
      const { seconds, from, to } = dialect.table.parse(answer);
      if (seconds.length !== sources.length || seconds.some((row) => row.length !== targets.length)) {
        throw new Error('the routing server answered a table of another size');
      }
      const isSound = (row: number, column: number): boolean =>
        !isMoved(sources[row], from[row]) && !isMoved(targets[column], to[column]);
      return seconds.map((row, at) => row.map((time, column) => (isSound(at, column) ? time : null)));
    },
    route: async ({ places, vehicle }, halt) => {
      const { dialect, base, profile } = speak(find, vehicle);
      const response = await send(dialect.askRoute(base, profile, places), halt, routeBudgetRealMs);
      const answer = await readJson(response);
      if (says(response, dialect.noWay, answer)) return 'no_way';
      if (says(response, dialect.routeRefused, answer)) return 'refused';
      if (!response.ok) throw badAnswer(response);
      const legs = dialect.legs.parse(answer);
      return legs.every((leg) => isPossible(leg, vehicle)) ? joinLegs(places, legs) : 'unsound';
    },
  };
}

function says({ status }: Response, why: z.ZodType, answer: unknown): boolean {
  return status === NO_ANSWER_STATUS && why.safeParse(answer).success;
}

/** Says whether the vehicle may take so long for this leg. */
function isPossible({ distanceM: alongM, durationS }: RouteLeg, vehicle: VehicleType): boolean {
  return alongM < LEAST_JUDGED_M || isRide(alongM / STREET_FACTOR, durationS, vehicle);
}

/** Says whether the server moved the place farther than a place may be from its street. */
function isMoved(place: Coordinates | undefined, street: Coordinates | null | undefined): boolean {
  if (place === undefined || street === undefined) return false;
  return street === null || distanceM(place, street) > MOST_SNAPPED_M;
}

function badAnswer({ status }: Response): Error {
  return new Error(`the routing server answered ${status}`);
}

/** Reads a JSON answer. Rejects if it is larger than any that we ask for. */
async function readJson({ body }: Response): Promise<unknown> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body ?? []) {
    size += chunk.length;
    if (size > MOST_ANSWER_BYTES) throw new Error(`the routing server answered over ${MOST_ANSWER_BYTES} bytes`);
    chunks.push(chunk);
  }
  return JSON.parse(Buffer.concat(chunks).toString('utf8')) as unknown;
}

function speak(find: FindRouter, vehicle: TableRequest['vehicle']) {
  const router = find();
  if (router === null) throw new Error('no routing server is known');
  const dialect = DIALECTS[router.kind];
  const profile = dialect.profiles[vehicle];
  return { dialect, profile, base: router.url.replace('{profile}', profile).replace(/\/$/, '') };
}

function send({ url, init }: Call, halt: AbortSignal, budgetMs: number): Promise<Response> {
  const signal = AbortSignal.any([halt, AbortSignal.timeout(budgetMs)]);
  return fetch(url, { ...init, redirect: 'error', signal });
}
