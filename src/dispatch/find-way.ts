import type { VehicleType } from '../domain/couriers/courier.ts';
import type { Stop } from '../domain/deliveries/stops/stop.ts';
import { hasChoice, visitOrder } from '../domain/deliveries/stops/visits.ts';
import { polylinesOf, wayThrough, type Way } from '../domain/deliveries/way.ts';
import type { Coordinates } from '../domain/geo/geo.ts';
import type { Route } from '../domain/geo/route.ts';
import type { Context } from '../ports/context.ts';
import type { TimeTable } from '../ports/dispatch/streets.ts';

/** The stops that a way leads through, and the vehicle that has its price. The drop-offs are in the listed order. */
type Tour = {
  readonly pickup: Coordinates;
  readonly dropOffs: readonly Pick<Stop, 'place' | 'window'>[];
  readonly vehicle: VehicleType;
};

/** The way from a pickup through all drop-offs. */
export type FoundWay = {
  /** The numbers of the drop-offs in the order of visits. */
  readonly visits: readonly number[];
  readonly way: Way;
  /** The line of each leg along streets. Absent if the way is an estimate. */
  readonly polylines?: readonly string[];
};

/**
 * The way along streets in the order of visits that takes the least time. Both come from the routing server, within
 * `travel.routeBudgetRealMs` together. The table gets at most half of that. If there is no way along streets, the order
 * and the estimate are those of straight lines.
 */
export async function findWay(
  { streets, settings }: Pick<Context, 'streets' | 'settings'>,
  tour: Tour,
): Promise<FoundWay> {
  const { routeBudgetRealMs } = settings.travel;
  const within = AbortSignal.timeout(routeBudgetRealMs);
  const table = hasChoice(tour.dropOffs)
    ? await streets.table(listed(tour), tour.vehicle, AbortSignal.timeout(Math.floor(routeBudgetRealMs / 2)))
    : null;
  const visits = visitsBy(tour, table);
  return wayOf(tour, visits, await streets.route(along(tour, visits), tour.vehicle, within));
}

/** The same from the memory of this process, at once. */
export function knownWay({ streets }: Pick<Context, 'streets'>, tour: Tour): FoundWay {
  const table = hasChoice(tour.dropOffs) ? streets.knownTable(listed(tour), tour.vehicle) : null;
  const visits = visitsBy(tour, table);
  return wayOf(tour, visits, streets.knownRoute(along(tour, visits), tour.vehicle));
}

/** The order of visits by the times of a table, or else by straight lines. */
function visitsBy({ pickup, dropOffs }: Tour, table: TimeTable | null): number[] {
  return visitOrder(pickup, dropOffs, table === null ? undefined : (from, to) => table[from]![to - 1]!);
}

function wayOf(tour: Tour, found: readonly number[], route: Route | null): FoundWay {
  const visits = route === null ? visitsBy(tour, null) : found;
  return { visits, way: wayThrough(along(tour, visits), tour.vehicle, route), ...polylinesOf(route) };
}

function listed({ pickup, dropOffs }: Tour): Coordinates[] {
  return [pickup, ...dropOffs.map(({ place }) => place)];
}

function along(tour: Tour, visits: readonly number[]): Coordinates[] {
  const places = listed(tour);
  return [0, ...visits].map((stop) => places[stop]!);
}
