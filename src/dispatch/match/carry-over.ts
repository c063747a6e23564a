import { NOBODY, type World } from './world.ts';

/** The plan of one courier by ids: bundles in their order, each with its deliveries in the order of the visits. */
export type KeptChain = { readonly courier: string; readonly bundles: readonly (readonly string[])[] };

/** The same by number. */
export type Chain = { readonly courier: number; readonly bundles: readonly (readonly number[])[] };

/**
 * Brings the last run's plan into this run's world. It leaves out orders and couriers that are gone. The orders that a courier
 * is fetching stand at the head of their chain, with the orders planned to go along.
 */
export function carryOver({ couriers, orders }: World, kept: readonly KeptChain[]): Chain[] {
  const courierNumbers = new Map(couriers.ids.map((id, index) => [id, index]));
  const orderNumbers = new Map(orders.ids.map((id, index) => [id, index]));
  const heads = headsOf(orders.heldBy);
  const chains: Chain[] = [];
  for (const { courier: id, bundles } of kept) {
    const courier = courierNumbers.get(id);
    if (courier === undefined) continue;
    const known = bundles.map((bundle) =>
      bundle
        .flatMap((order) => orderNumbers.get(order) ?? [])
        .filter((order) => [NOBODY, courier].includes(orders.heldBy[order]!)),
    );
    chains.push({ courier, bundles: withHead(known, heads.get(courier) ?? []) });
    heads.delete(courier);
  }
  for (const [courier, head] of heads) chains.push({ courier, bundles: [head] });
  return chains;
}

function headsOf(heldBy: Int32Array): Map<number, number[]> {
  const heads = new Map<number, number[]>();
  for (const [order, courier] of heldBy.entries()) {
    if (courier === NOBODY) continue;
    const head = heads.get(courier) ?? [];
    head.push(order);
    heads.set(courier, head);
  }
  return heads;
}

function withHead(bundles: readonly (readonly number[])[], head: readonly number[]): (readonly number[])[] {
  const left = bundles.filter((bundle) => bundle.length > 0);
  if (head.length === 0) return left;
  const [first = [], ...others] = left;
  if (head.every((order) => first.includes(order))) return left;
  const rest = [first, ...others].map((bundle) => bundle.filter((order) => !head.includes(order)));
  return [head, ...rest.filter((bundle) => bundle.length > 0)];
}

/** The plan by ids, for the next run. */
export function keepPlan({ couriers, orders }: World, chains: readonly Chain[]): KeptChain[] {
  return chains.map(({ courier, bundles }) => ({
    courier: couriers.ids[courier]!,
    bundles: bundles.map((bundle) => bundle.map((order) => orders.ids[order]!)),
  }));
}
