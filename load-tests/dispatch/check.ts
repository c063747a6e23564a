// Proves that real couriers who did not know the future could have carried out an outcome. It trusts no statement of a
// policy.
import type { Courier, Day, Order, Point } from '../day/day.ts';
import type { CarriedBundle, Outcome } from './play/outcome.ts';
import { roundOf, travelMin } from './play/travel.ts';

/** A bundle with the objects of its indexes. */
type Known = {
  readonly day: Day;
  readonly bundle: CarriedBundle;
  readonly courier: Courier;
  readonly orders: readonly { readonly order: Order; readonly decidedMin: number }[];
  readonly first: Order;
  /** Where the courier is and when they may set out: at first their start and on-time, later their last drop-off. */
  readonly from: Point;
  readonly freeMin: number;
};

type Breach = { readonly order: Order; readonly minute: number };

/** The rules about one bundle and the place of its courier. Each row returns the first breach. */
const RULES: readonly { readonly rule: string; readonly breach: (known: Known) => Breach | undefined }[] = [
  {
    rule: 'a bundle has orders of one restaurant',
    breach: ({ orders, first, bundle }) => {
      const other = orders.find(({ order }) => order.restaurant.id !== first.restaurant.id);
      return other && { order: other.order, minute: bundle.pickupMin };
    },
  },
  {
    rule: 'an order is decided only after it is placed',
    breach: ({ orders }) => decidedWhen(orders, ({ order, decidedMin }) => !(decidedMin >= order.placedMin)),
  },
  {
    rule: 'an order joins a bundle at its pickup at the latest',
    breach: ({ orders, bundle }) => decidedWhen(orders, ({ decidedMin }) => !(decidedMin <= bundle.pickupMin)),
  },
  {
    rule: 'a courier sets out only after one of the orders was decided',
    breach: ({ orders, bundle, first }) =>
      breachIf(!orders.some(({ decidedMin }) => decidedMin <= bundle.departMin), first, bundle.departMin),
  },
  {
    rule: 'a courier sets out only after their shift has begun',
    breach: ({ courier, bundle, first }) => breachIf(!(bundle.departMin >= courier.onMin), first, bundle.departMin),
  },
  {
    rule: 'a courier carries one bundle at a time and continues from its last drop-off',
    breach: ({ freeMin, bundle, first }) => breachIf(!(bundle.departMin >= freeMin), first, bundle.departMin),
  },
  {
    rule: 'a way takes its minutes, and half the pickup service comes before the pickup',
    breach: ({ day: { parameters }, from, bundle, first }) => {
      const arrivalMin = bundle.departMin + travelMin(parameters, from, first.restaurant.at);
      return breachIf(!(bundle.pickupMin >= arrivalMin + parameters.pickupServiceMin / 2), first, bundle.pickupMin);
    },
  },
  {
    rule: 'a bundle is picked up only when all of it is ready',
    breach: ({ orders, bundle }) => {
      const unready = orders.find(({ order }) => !(bundle.pickupMin >= order.readyMin));
      return unready && { order: unready.order, minute: bundle.pickupMin };
    },
  },
  {
    rule: 'a bundle is picked up before the shift ends',
    breach: ({ courier, bundle, first }) => breachIf(!(bundle.pickupMin <= courier.offMin), first, bundle.pickupMin),
  },
];

/**
 * Checks every rule of the meal delivery routing problem (Reyes et al. 2018) on every bundle. Couriers may wait at the
 * restaurant. Drop-offs follow from the pickup (`roundOf`), so that no policy can shorten them.
 * @throws Error naming the rule, the courier, the order and the minute at the first breach
 */
export function proveFeasible({ day, bundles }: Outcome): void {
  const carried = new Set<number>();
  const stands = day.couriers.map(({ at, onMin }) => ({ at, freeMin: onMin }));
  for (const bundle of bundles.toSorted((a, b) => a.departMin - b.departMin)) {
    const known = knownOf(day, bundle, stands);
    for (const { order, decidedMin } of bundle.orders) {
      if (carried.has(order)) {
        throw breachOf('an order is carried at most once', known.courier, day.orders[order], decidedMin);
      }
      carried.add(order);
    }
    for (const { rule, breach } of RULES) {
      const found = breach(known);
      if (found !== undefined) throw breachOf(rule, known.courier, found.order, found.minute);
    }
    const { end, freeMin } = roundOf(day, bundle);
    stands[bundle.courier] = { at: end, freeMin };
  }
}

function knownOf(
  day: Day,
  bundle: CarriedBundle,
  stands: readonly { readonly at: Point; readonly freeMin: number }[],
): Known {
  const courier = day.couriers[bundle.courier];
  const stand = stands[bundle.courier];
  if (courier === undefined || stand === undefined) {
    throw new Error(`the day has no courier with index ${bundle.courier}, minute ${bundle.departMin}`);
  }
  const orders = bundle.orders.map(({ order: index, decidedMin }) => {
    const order = day.orders[index];
    if (order === undefined) {
      throw new Error(`the day has no order with index ${index}, courier ${courier.id}, minute ${decidedMin}`);
    }
    return { order, decidedMin };
  });
  const first = orders[0]?.order;
  if (first === undefined) {
    throw new Error(`a bundle holds an order: courier ${courier.id} carries an empty one, minute ${bundle.departMin}`);
  }
  return { day, bundle, courier, orders, first, from: stand.at, freeMin: stand.freeMin };
}

function breachIf(isBroken: boolean, order: Order, minute: number): Breach | undefined {
  return isBroken ? { order, minute } : undefined;
}

function decidedWhen(
  orders: Known['orders'],
  isBroken: (known: Known['orders'][number]) => boolean,
): Breach | undefined {
  const found = orders.find(isBroken);
  return found && { order: found.order, minute: found.decidedMin };
}

function breachOf(rule: string, courier: Courier, order: Order | undefined, minute: number): Error {
  return new Error(`broken: ${rule} (courier ${courier.id}, order ${order?.id}, minute ${minute})`);
}
