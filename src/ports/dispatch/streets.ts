/** Ways along streets, from a routing server. */
import type { VehicleType } from '../../domain/couriers/courier.ts';
import type { Coordinates } from '../../domain/geo/geo.ts';
import type { Route } from '../../domain/geo/route.ts';

/** Seconds from each of the places, by rows, to each of them but the first. */
export type TimeTable = readonly (readonly number[])[];

export type Streets = {
  /**
   * The way of this vehicle through the places in their order. Null if there is none, or if none comes within
   * `travel.routeBudgetRealMs`. It never rejects.
   * @param within ends the wait earlier
   */
  route(places: readonly Coordinates[], vehicle: VehicleType, within?: AbortSignal): Promise<Route | null>;
  /**
   * The times of this vehicle between the places. Null if one of them has no way from or to another, or if no answer comes
   * within `travel.tableBudgetRealMs`. It never rejects.
   * @param within ends the wait earlier
   */
  table(places: readonly Coordinates[], vehicle: VehicleType, within?: AbortSignal): Promise<TimeTable | null>;
  /** The same from the memory of this process, at once. */
  knownRoute(places: readonly Coordinates[], vehicle: VehicleType): Route | null;
  /** The table from the memory of this process, at once. */
  knownTable(places: readonly Coordinates[], vehicle: VehicleType): TimeTable | null;
};

/** Members of the context that this file describes. */
export type StreetPorts = { readonly streets: Streets };
