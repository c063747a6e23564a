// Routes of a Valhalla, as the couriers of a day drive along them.
import { decodePolyline } from '../../src/domain/geo/polyline.ts';
import { createRouter } from '../../src/models/streets/router.ts';
import { settingsOf } from '../servers/server-settings.ts';
import type { Coordinates } from '../day/day.ts';

/** A route: its line along streets, and the time that the routing server expects. */
export type Route = { readonly line: readonly Coordinates[]; readonly seconds: number };

/** Finds the route of a scooter. Null if there is none. @throws Error if the routing server does not answer */
export type FindRoute = (from: Coordinates, to: Coordinates) => Promise<Route | null>;

/** Couriers wait for their route, however busy the machine is. */
const PATIENCE_MS = 10_000;

/** The routes of the Valhalla at this address. */
export function routesOf(url: string): FindRoute {
  const travel = { ...settingsOf({}).travel, routeBudgetRealMs: PATIENCE_MS };
  const router = createRouter(() => ({ kind: 'valhalla', url }), travel);
  const { signal } = new AbortController();
  return async (from, to) => {
    const route = await router.route({ places: [from, to], vehicle: 'scooter' }, signal);
    if (typeof route === 'string') return null;
    return { line: route.legs.flatMap(({ polyline }) => decodePolyline(polyline)), seconds: route.durationS };
  };
}
