/** Ways along streets, from a routing server. */
import type { VehicleType } from '../../domain/couriers/courier.ts';
import type { Coordinates } from '../../domain/geo/geo.ts';
import type { Route } from '../../domain/geo/route.ts';

export type Streets = {
  /**
   * The way of this vehicle through the places in their order. Null if there is none, or if none comes within
   * `travel.routeBudgetRealMs`. It never rejects.
   */
  route(places: readonly Coordinates[], vehicle: VehicleType): Promise<Route | null>;
  /** The same from the memory of this process, at once. */
  known(places: readonly Coordinates[], vehicle: VehicleType): Route | null;
};

/** Members of the context that this file describes. */
export type StreetPorts = { readonly streets: Streets };
