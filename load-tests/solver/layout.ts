import { buildGrid } from '../../src/dispatch/match/places/point-grid.ts';
import { createRandom, type Random } from '../random.ts';
import type { NearestProblem } from './assign-nearest.ts';

/** Points are random in a square, or crowded around some centres. */
export const LAYOUTS = ['random', 'clustered'] as const;
export type Layout = (typeof LAYOUTS)[number];

export type Size = { readonly orders: number; readonly couriers: number };
export type Places = { readonly x: Float64Array; readonly y: Float64Array };
export type Scene = { readonly orders: Places; readonly couriers: Places };

const SQUARE_M = 10_000;
const CENTRES = 12;
const CENTRE_SPREAD_M = 400;
/** A scooter's 6.5 m/s on streets that are 1.35 times as long as the crow's line. */
export const SPEED_MPS = 6.5 / 1.35;
/** The cost of an order without a courier, seconds: 300 min, which is more than any way in the square. */
export const UNMATCHED_S = 18_000;

/** More candidates are listed if the orders exceed this share of the couriers. */
const SCARCE_SHARE = 0.7;
const CANDIDATES = 16;
const SCARCE_CANDIDATES = 32;

/** The same seed makes the same scene. */
export function sceneOf({ orders, couriers }: Size, layout: Layout, seed: number): Scene {
  const random = createRandom(seed * 7919 + orders * 31 + couriers);
  const centres = Array.from({ length: CENTRES }, () => [random.between(0, SQUARE_M), random.between(0, SQUARE_M)]);
  const draw =
    layout === 'random'
      ? () => anywhere(random)
      : () =>
          near(
            random,
            random.pick(centres, () => 1),
          );
  return { orders: placesOf(orders, draw), couriers: placesOf(couriers, draw) };
}

function placesOf(count: number, draw: () => readonly [number, number]): Places {
  const places = { x: new Float64Array(count), y: new Float64Array(count) };
  for (let index = 0; index < count; index += 1) [places.x[index], places.y[index]] = draw();
  return places;
}

function anywhere(random: Random): [number, number] {
  return [random.between(0, SQUARE_M), random.between(0, SQUARE_M)];
}

function near(random: Random, [x = 0, y = 0]: readonly number[]): [number, number] {
  return [random.normal(x, CENTRE_SPREAD_M), random.normal(y, CENTRE_SPREAD_M)];
}

/**
 * Every courier is free, suits every order, and costs their travel time. The grid is built here, because it is a part
 * of listing.
 */
export function problemOf({ orders, couriers }: Scene): NearestProblem {
  const count = couriers.x.length;
  const rows = orders.x.length;
  return {
    rows,
    ...orders,
    grid: buildGrid({
      count,
      ...couriers,
      startS: new Float64Array(count),
      speedMps: new Float64Array(count).fill(SPEED_MPS),
    }),
    maxDistanceM: Infinity,
    unmatchedCost: UNMATCHED_S,
    candidates: rows > SCARCE_SHARE * count ? SCARCE_CANDIDATES : CANDIDATES,
    suits: () => true,
    costOf: (_order, _courier, arriveS) => arriveS,
    beforeS: (_order, cost) => cost,
  };
}

export function travelS({ orders, couriers }: Scene, order: number, courier: number): number {
  const dx = orders.x[order]! - couriers.x[courier]!;
  const dy = orders.y[order]! - couriers.y[courier]!;
  return Math.sqrt(dx * dx + dy * dy) / SPEED_MPS;
}
