import type { VehicleType } from './courier.ts';
import { nextDropOff, type Delivery } from './delivery.ts';
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

/** When the courier will be at the pickup and at the next drop-off, as far as can be told. `place` is where he is. */
export function etaOf(
  delivery: Delivery,
  place: Coordinates | null,
  now: number,
): { pickup: EtaRange | null; dropOff: EtaRange | null } {
  if (isTerminal(delivery.state)) return { pickup: null, dropOff: null };
  const vehicle = delivery.courier?.vehicle_type ?? 'scooter';
  const target = nextDropOff(delivery);
  const collected = delivery.times.pickedUpAt !== null || delivery.kind === 'return';
  if (collected) {
    if (target === null) return { pickup: null, dropOff: null };
    const from = place ?? delivery.pickup.place;
    return { pickup: null, dropOff: range(now, now + travelS(from, target.place, vehicle) * 1000) };
  }
  const readyAt = delivery.pickup.window?.readyAt ?? 0;
  const reachS = place === null ? EXPECTED_SEARCH_S : travelS(place, delivery.pickup.place, vehicle);
  const setsOutAt = isHeld(delivery.state) ? now : Math.max(now, delivery.searchFromAt);
  const pickupAt = Math.max(setsOutAt + reachS * 1000, readyAt);
  const pickup = range(now, pickupAt);
  if (target === null) return { pickup, dropOff: null };
  const legS = STOP_SERVICE_S + travelS(delivery.pickup.place, target.place, vehicle);
  return { pickup, dropOff: range(now, pickupAt + legS * 1000) };
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
