import type { State } from '../shared/wire.ts';
import type { CourierState } from './fleet.ts';

const RING = 'M6 1a5 5 0 1 0 0 10A5 5 0 0 0 6 1zm0 2.5a2.5 2.5 0 1 1 0 5 2.5 2.5 0 0 1 0-5z';
/** Shapes of deliveries by state, on a grid of 12. They differ without colour and are the same in the list and on the map. */
export const DELIVERY_SHAPES: Record<State, string> = {
  scheduled: 'M1 5h10v2H1z',
  searching: RING,
  assigned: 'M6 .5 11.5 6 6 11.5.5 6z',
  picked_up: 'M1.5 1.500h9v9h-9z',
  in_transit: 'M2 1l9 5-9 5z',
  delivered: 'M6 1a5 5 0 1 0 0 10A5 5 0 0 0 6 1z',
  canceled: 'M2.5 1 6 4.5 9.5 1 11 2.5 7.5 6 11 9.5 9.5 11 6 7.5 2.5 11 1 9.5 4.5 6 1 2.500z',
  failed: 'M2.5 1 6 4.5 9.5 1 11 2.5 7.5 6 11 9.5 9.5 11 6 7.5 2.5 11 1 9.5 4.5 6 1 2.500z',
};

/** Shapes of couriers, on a grid of 12. A busy courier points in their direction. */
export const COURIER_SHAPES: Record<CourierState, string> = {
  idle: 'M6 1a5 5 0 1 0 0 10A5 5 0 0 0 6 1z',
  busy: 'M6 .5l5 11-5-3-5 3z',
  stale: 'M1.5 1.5h9v9h-9zm2.5 2.5v4h4v-4z',
};

/** The token of each colour. */
export const DELIVERY_COLOURS: Record<State, string> = {
  scheduled: '--text-quiet',
  searching: '--amber',
  assigned: '--blue',
  picked_up: '--blue',
  in_transit: '--green',
  delivered: '--green',
  canceled: '--text-quiet',
  failed: '--red',
};

export const COURIER_COLOURS: Record<CourierState, string> = { idle: '--green', busy: '--blue', stale: '--text-quiet' };
