import { travelS, UNMATCHED_S, type Scene } from './layout.ts';

/** The value of an assignment, seconds. */
export type Value = { readonly matched: number; readonly costS: number };

/** Counts and adds up an assignment. @throws Error if a courier has two orders, which is a mistake of the solver */
export function valueOf(scene: Scene, columnOf: Int32Array): Value {
  const taken = new Set<number>();
  let costS = 0;
  for (const [order, courier] of columnOf.entries()) {
    if (courier === -1) {
      costS += UNMATCHED_S;
      continue;
    }
    if (taken.has(courier)) throw new Error(`courier ${courier} was given two orders`);
    taken.add(courier);
    costS += travelS(scene, order, courier);
  }
  return { matched: taken.size, costS };
}

/**
 * A lower bound of the cost of any assignment (linear programming duality). No price is above 0, and an order costs at
 * least as much as its cheapest courier after their price. The bound uses every pair, and only the prices of the
 * solver. So it proves the solver right or shows how wrong it may be.
 */
export function leastCostS(scene: Scene, columnPrice: Float64Array): number {
  let sumS = 0;
  for (const price of columnPrice) {
    if (price > 0) throw new Error('a price above 0 proves nothing');
    sumS += price;
  }
  for (let order = 0; order < scene.orders.x.length; order += 1) {
    let leastS = UNMATCHED_S;
    for (let courier = 0; courier < columnPrice.length; courier += 1) {
      leastS = Math.min(leastS, travelS(scene, order, courier) - columnPrice[courier]!);
    }
    sumS += leastS;
  }
  return sumS;
}
