import { ACCEPTANCE_BANDS_M, type Arena } from '../world.ts';
import type { CostInput } from './term.ts';

/** A courier who often declines is not ruled out: as the only courier they must still be asked, and may now accept. */
const LEAST_CHANCE = 0.05;

/** Charges what refusals are expected to cost, seconds. Only a bundle that is to be offered first counts. */
export function refusals(input: CostInput<'refusalMs'>, head: number, courier: number, isAsked: boolean): number {
  return isAsked ? refusalsS(input, head, courier) : 0;
}

/** The time, seconds, that refusals cost on average before the courier accepts the order. */
export function refusalsS(input: CostInput<'refusalMs'>, order: number, courier: number): number {
  const chance = acceptanceOf(input.arena, order, courier);
  return (1 / (chance < LEAST_CHANCE ? LEAST_CHANCE : chance) - 1) * input.weights.refusalS;
}

/** The chance, 0 to 1, that the courier accepts the order. It depends on how far away they are from the pickup location. */
export function acceptanceOf(arena: Arena, order: number, courier: number): number {
  const x = arena.places.x;
  const y = arena.places.y;
  const place = arena.orders.place[order]!;
  const dx = x[place]! - x[courier]!;
  const dy = y[place]! - y[courier]!;
  const distanceM = Math.sqrt(dx * dx + dy * dy);
  const bands = ACCEPTANCE_BANDS_M;
  let band = 0;
  while (distanceM >= bands[band]!) band += 1;
  return arena.couriers.accepts[courier * bands.length + band]!;
}
