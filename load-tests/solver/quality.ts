import { travelS, UNMATCHED_S, type Scene } from './layout.ts';

/** What an assignment comes to, seconds. */
export type Value = { readonly matched: number; readonly costS: number };

/** Counts and adds up an assignment; a courier with two orders is a mistake of the solver. @throws Error then */
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
 * A cost that no assignment can go below (linear programming duality): with each courier's price, not above 0, an order
 * costs at least its cheapest courier beyond his price. It looks at every pair and at nothing of the solver but the
 * prices, so it proves the solver right or shows by how much it may be wrong.
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
