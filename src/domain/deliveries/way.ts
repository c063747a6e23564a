import type { VehicleType } from '../couriers/courier.ts';
import { distanceM, type Coordinates } from '../geo/geo.ts';
import type { Route } from '../geo/route.ts';
import { STREET_FACTOR } from '../geo/street.ts';

/** The sources of a way through stops: a route along streets, or an estimate by straight lines. */
export const DISTANCE_SOURCES = ['route', 'estimate'] as const;

/** Whole metres and seconds of a delivery along its stops, with the handover at each stop but the last. */
export type Way = {
  readonly distanceM: number;
  readonly durationS: number;
  readonly distanceSource: (typeof DISTANCE_SOURCES)[number];
};

/** Time to park, walk and hand over at each stop. */
export const STOP_SERVICE_S = 120;

/**
 * The part of `STOP_SERVICE_S` from the handover of the goods until the courier rides. It is half, because couriers walk out
 * as far as they walked in.
 */
export const SET_OFF_S = STOP_SERVICE_S / 2;

/** Average metres per second in city traffic, with stops. */
export const SPEED_MPS: Record<VehicleType, number> = { bicycle: 4.2, scooter: 6.5, motorcycle: 7.5, car: 7, van: 6.5 };

/** Seconds from a to b for this vehicle, by distance and a street factor. */
export function travelS(from: Coordinates, to: Coordinates, vehicle: VehicleType): number {
  return straightS(distanceM(from, to), vehicle);
}

/** Seconds for a way of so many metres in a straight line. */
export function straightS(metres: number, vehicle: VehicleType): number {
  return (metres * STREET_FACTOR) / SPEED_MPS[vehicle];
}

/** The way through the places in their order by straight lines times a factor, with the handover at each but the last. */
export function estimateWay(places: readonly Coordinates[], vehicle: VehicleType): Way {
  let metres = 0;
  let seconds = 0;
  for (const [index, place] of places.entries()) {
    const from = places[index - 1];
    if (from === undefined) continue;
    metres += distanceM(from, place) * STREET_FACTOR;
    seconds += travelS(from, place, vehicle) + STOP_SERVICE_S;
  }
  return { distanceM: Math.round(metres), durationS: Math.round(seconds), distanceSource: 'estimate' };
}

/** The vehicle whose way prices a delivery: the first that may carry it, or a scooter if any may. */
export function pricedVehicle(vehicleTypes: readonly VehicleType[]): VehicleType {
  return vehicleTypes[0] ?? 'scooter';
}

/** The way through the places in their order. Without a route it is an estimate. */
export function wayThrough(places: readonly Coordinates[], vehicle: VehicleType, route: Route | null): Way {
  if (route === null) return estimateWay(places, vehicle);
  const durationS = route.durationS + STOP_SERVICE_S * route.legs.length;
  return { distanceM: route.distanceM, durationS, distanceSource: 'route' };
}

/** The line along streets of each leg of a way, encoded. Absent without a route. */
export function polylinesOf(route: Route | null): { readonly polylines?: readonly string[] } {
  return route === null ? {} : { polylines: route.legs.map(({ polyline }) => polyline) };
}
