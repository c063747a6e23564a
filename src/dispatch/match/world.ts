import { BANDS } from '../../domain/offers/acceptance.ts';
import { STREET_FACTOR } from '../../domain/geo/street.ts';

/**
 * One run's world as plain columns, in which couriers, orders and places are numbers. The worker gets it unchanged, and
 * a stored world gives the same plan again. Times are seconds from the start of the run, so past times are negative.
 * Places are metres on a plane. An order is one delivery: a pickup location and its drop-offs in the order of the
 * visits. A courier always carries the whole order.
 */
export type World = {
  /** Seconds until the next run. */
  readonly periodS: number;
  /** Seconds from the street to the counter, and again from the counter to the street. */
  readonly pickupAccessS: number;
  /** The same at a drop-off. */
  readonly doorAccessS: number;
  /** Every way takes whole steps of this many seconds, rounded up. */
  readonly stepS: number;
  readonly places: Places;
  readonly couriers: Couriers;
  readonly orders: Orders;
  /** Pairs that are ruled out, one after the other: order, courier. */
  readonly barred: Int32Array;
  /** One entry for each group of couriers that orders came for. */
  readonly demand: readonly Demand[];
  /** Ways of couriers to counters that a routing server knows: from place, to place, seconds. */
  readonly legs: Float64Array;
};

/** Places by number; couriers' places come first, each with the number of its courier. */
export type Places = {
  readonly x: Float64Array;
  readonly y: Float64Array;
  /**
   * Metres as the crow flies that a vehicle makes from here in one step: place p's stand at `p * vehicles + vehicle`.
   */
  readonly metresPerStep: Float64Array;
  readonly vehicles: number;
};

/** Couriers by number: where and when each can set out, and which orders they may take. */
export type Couriers = {
  readonly ids: readonly string[];
  /** When the courier can set out, seconds: 0 for a free courier, and otherwise the end of their last stop. */
  readonly startS: Float64Array;
  /** No pickup after this; Infinity when no end is known. */
  readonly untilS: Float64Array;
  readonly vehicle: Uint8Array;
  /** Orders go only to couriers of their own group: mode and kind. */
  readonly group: Uint8Array;
  /** Goods carried at the same time. */
  readonly capacity: Uint8Array;
  /** 1 if the courier may be offered a new bundle now. */
  readonly isFree: Uint8Array;
  /** 1 if the courier has an open offer. */
  readonly isAsked: Uint8Array;
  /** How long the courier has been idle, seconds; 0 for a busy courier. */
  readonly idleS: Float64Array;
  /**
   * Chance, 0 to 1, that the courier accepts, for each band of distance: courier c's begin at `c *
   * ACCEPTANCE_BANDS_M.length`.
   */
  readonly accepts: Float64Array;
};

/**
 * Orders by number. An order that a courier is fetching or has an open offer for is here too, and stays with that
 * courier.
 */
export type Orders = {
  readonly ids: readonly string[];
  readonly place: Int32Array;
  /** Orders with the same number here are collected together and may be carried together. */
  readonly counter: Int32Array;
  /** The drop-offs of order o are the places `doors[doorsFrom[o]]` up to `doorsFrom[o + 1]`. */
  readonly doorsFrom: Int32Array;
  readonly doors: Int32Array;
  readonly placedS: Float64Array;
  readonly readyS: Float64Array;
  /** How much sooner or later than `readyS` the goods may be ready, seconds; 0 where it is known. */
  readonly readySpreadS: Float64Array;
  /** When the last drop-off should be reached, and when at the very latest. */
  readonly targetS: Float64Array;
  readonly latestS: Float64Array;
  /** The vendor wants the goods collected by then, seconds; Infinity if the vendor set no time. */
  readonly pickupByS: Float64Array;
  /** Nobody may set out for it after this; Infinity when the search has no end. */
  readonly searchUntilS: Float64Array;
  readonly group: Uint8Array;
  /** Vehicles that may carry it, one bit each. */
  readonly vehicles: Uint16Array;
  /** The courier who is fetching the order or has an open offer for it, or -1. */
  readonly heldBy: Int32Array;
};

/** Where the orders of a group came from lately. */
export type Demand = {
  readonly group: number;
  /** The counters' places, and how many orders each had. */
  readonly place: Int32Array;
  readonly orders: Float64Array;
  /** How long the window of all this is, seconds. */
  readonly windowS: number;
  /** From the order to the ready goods, seconds, ascending: one for each order of the window. */
  readonly preparationS: Float64Array;
};

/**
 * Below which way to the counter each of a courier's acceptance figures counts, metres as the crow flies: the bands in
 * which answers are remembered are metres along streets.
 */
export const ACCEPTANCE_BANDS_M: readonly number[] = BANDS.map(({ belowM }) => belowM / STREET_FACTOR);

export const NOBODY = -1;

/** A world with the two functions that the search calls most often. */
export type Arena = World & {
  readonly travelS: (from: number, to: number, vehicle: number) => number;
  readonly suits: (order: number, courier: number) => boolean;
};

/** Makes a world ready for the search. */
export function enter(world: World): Arena {
  return { ...world, travelS: travelIn(world), suits: suitsIn(world) };
}

const { ceil, sqrt } = Math;

function travelIn({ places, stepS, legs }: World): Arena['travelS'] {
  const { x, y, metresPerStep, vehicles } = places;
  const known = new Map<number, number>();
  for (let at = 0; at < legs.length; at += 3) known.set(legs[at]! * x.length + legs[at + 1]!, legs[at + 2]!);
  const straightS: Arena['travelS'] = (from, to, vehicle) => {
    const dx = x[from]! - x[to]!;
    const dy = y[from]! - y[to]!;
    return ceil(sqrt(dx * dx + dy * dy) / metresPerStep[from * vehicles + vehicle]! - HAIR) * stepS;
  };
  if (known.size === 0) return straightS;
  return (from, to, vehicle) => known.get(from * x.length + to) ?? straightS(from, to, vehicle);
}

/** Keeps a way of exactly n steps at n if the division gives slightly more. */
const HAIR = 1e-9;

function suitsIn({ couriers, orders, barred }: World): Arena['suits'] {
  const count = couriers.ids.length;
  const out = new Set<number>();
  for (let at = 0; at < barred.length; at += 2) out.add(barred[at]! * count + barred[at + 1]!);
  return (order, courier) => {
    if (orders.group[order] !== couriers.group[courier]) return false;
    if ((orders.vehicles[order]! & (1 << couriers.vehicle[courier]!)) === 0) return false;
    return out.size === 0 || !out.has(order * count + courier);
  };
}
