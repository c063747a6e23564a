import type { z } from 'zod';
import type { VehicleType } from '../../domain/couriers/courier.ts';
import type { Coordinates } from '../../domain/geo/geo.ts';
import type { RouteLeg } from '../../domain/geo/route.ts';

/** A request for the travel times from each source to each target. */
export type TableRequest = {
  readonly sources: readonly Coordinates[];
  readonly targets: readonly Coordinates[];
  readonly vehicle: VehicleType;
};

/**
 * The times in seconds by source and target; null if there is no route. `from` and `to` are the places on streets to which the
 * server moved sources and targets: null if there is no street, and empty if the server does not say.
 */
export type TableAnswer = {
  readonly seconds: (number | null)[][];
  readonly from: (Coordinates | null)[];
  readonly to: (Coordinates | null)[];
};

/** A request for the way through the places in their order. */
export type RouteRequest = { readonly places: readonly Coordinates[]; readonly vehicle: VehicleType };

export type Call = { readonly url: string; readonly init: RequestInit };

/** The requests and answers of one kind of routing server. `base` is its address without a slash at the end. */
export type Dialect = {
  readonly profiles: Readonly<Record<VehicleType, string>>;
  askTable(base: string, profile: string, request: TableRequest): Call;
  readonly table: z.ZodType<TableAnswer>;
  /** The answer, with status 400, if a table has places that cannot be in one table, or a place that is in none. */
  readonly tableRefused: z.ZodType;
  askRoute(base: string, profile: string, places: readonly Coordinates[]): Call;
  /** The legs of the way. */
  readonly legs: z.ZodType<RouteLeg[]>;
  /** The answer, with status 400, if there is no way or if a place is too far from any street. */
  readonly noWay: z.ZodType;
  /** The answer, with status 400, if the way is longer than the server allows. */
  readonly routeRefused: z.ZodType;
};
