import type { VehicleType } from './courier.ts';
import { doorsToGo, type Delivery } from './delivery.ts';
import { distanceM, type Coordinates } from './geo.ts';
import { isHeld, isTerminal } from './lifecycle.ts';
import { STREET_FACTOR } from './street.ts';

/** An arrival promised as a range; service time in epoch ms. */
export type EtaRange = { readonly at: number; readonly lowerAt: number; readonly upperAt: number };

/** Time to park, walk and hand over at each stop. */
export const STOP_SERVICE_S = 120;
/** How long finding a courier takes when none is there yet. */
const EXPECTED_SEARCH_S = 180;

/** Metres per second in city traffic, door to door. */
export const SPEED_MPS: Record<VehicleType, number> = { bicycle: 4.2, scooter: 6.5, motorcycle: 7.5, car: 7, van: 6.5 };

/** Seconds from a to b for this vehicle, by distance and a street factor. */
export function travelS(from: Coordinates, to: Coordinates, vehicle: VehicleType): number {
  return (distanceM(from, to) * STREET_FACTOR) / SPEED_MPS[vehicle];
}

/** Metres and seconds of a whole delivery along its stops, with the handing over at each but the last. */
export function routeOf(
  places: readonly Coordinates[],
  vehicle: VehicleType,
): { distanceM: number; durationS: number } {
  let metres = 0;
  let seconds = 0;
  for (const [index, place] of places.entries()) {
    const from = places[index - 1];
    if (from === undefined) continue;
    metres += distanceM(from, place) * STREET_FACTOR;
    seconds += travelS(from, place, vehicle) + STOP_SERVICE_S;
  }
  return { distanceM: Math.round(metres), durationS: Math.round(seconds) };
}

/** When the courier will be at the stops that are to come. */
export type Etas = {
  readonly pickup: EtaRange | null;
  /** At the next drop-off. */
  readonly dropOff: EtaRange | null;
  /** By the number of the stop; the pickup is 0. */
  readonly stops: ReadonlyMap<number, EtaRange>;
};

/** Nothing is to come, or nobody can tell. */
export const NO_ETAS: Etas = { pickup: null, dropOff: null, stops: new Map() };

/** The arrivals of a delivery, as far as can be told. `place` is where its courier is. */
export function etaOf(delivery: Delivery, place: Coordinates | null, now: number): Etas {
  if (isTerminal(delivery.state)) return NO_ETAS;
  const vehicle = delivery.courier?.vehicle_type ?? 'scooter';
  const isCollected = delivery.times.pickedUpAt !== null || delivery.kind === 'return';
  const reachedAt = isCollected ? null : pickupAt(delivery, place, vehicle, now);
  const pickup = reachedAt === null ? null : range(now, reachedAt);
  const stops = new Map<number, EtaRange>(pickup === null ? [] : [[0, pickup]]);
  let at = reachedAt === null ? now : reachedAt + STOP_SERVICE_S * 1000;
  let from = (isCollected ? place : null) ?? delivery.pickup.place;
  const doors = doorsToGo(delivery).map((stop) => {
    at += travelS(from, stop.place, vehicle) * 1000;
    from = stop.place;
    const eta = range(now, at);
    stops.set(stop.index, eta);
    at += STOP_SERVICE_S * 1000;
    return eta;
  });
  return { pickup, dropOff: doors[0] ?? null, stops };
}

function pickupAt(delivery: Delivery, place: Coordinates | null, vehicle: VehicleType, now: number): number {
  const reachS = place === null ? EXPECTED_SEARCH_S : travelS(place, delivery.pickup.place, vehicle);
  const setsOutAt = isHeld(delivery.state) ? now : Math.max(now, delivery.searchFromAt);
  return Math.max(setsOutAt + reachS * 1000, delivery.pickup.window?.readyAt ?? 0);
}

/** A range that widens with the time still to go: 10 % early, 25 % late, at least 1 and 2 minutes. */
function range(now: number, at: number): EtaRange {
  const ahead = Math.max(0, at - now);
  return {
    at: Math.round(at),
    lowerAt: Math.round(Math.max(now, at - Math.max(60_000, ahead * 0.1))),
    upperAt: Math.round(at + Math.max(120_000, ahead * 0.25)),
  };
}
