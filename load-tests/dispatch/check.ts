// Proof that an outcome could have been carried out by real couriers who knew no future. It believes nothing a policy says.
import type { Courier, Day, Order, Point } from '../day/day.ts';
import type { CarriedBundle, Outcome } from './play/outcome.ts';
import { roundOf, travelMin } from './play/travel.ts';

/** A bundle with what its indexes stand for. */
type Known = {
  readonly day: Day;
  readonly bundle: CarriedBundle;
  readonly courier: Courier;
  readonly orders: readonly { readonly order: Order; readonly decidedMin: number }[];
  readonly first: Order;
  /** Where he is and from when he may set out: his start and on-time, or his last door. */
  readonly from: Point;
  readonly freeMin: number;
};

type Breach = { readonly order: Order; readonly minute: number };

/** The rules that look at one bundle and where its courier stood; each row tells the first breach. */
const RULES: readonly { readonly rule: string; readonly breach: (known: Known) => Breach | undefined }[] = [
  {
    rule: 'a bundle is of one restaurant',
    breach: ({ orders, first, bundle }) => {
      const other = orders.find(({ order }) => order.restaurant.id !== first.restaurant.id);
      return other && { order: other.order, minute: bundle.pickupMin };
    },
  },
  {
    rule: 'nothing is decided on an order before it is placed',
    breach: ({ orders }) => decidedWhen(orders, ({ order, decidedMin }) => !(decidedMin >= order.placedMin)),
  },
  {
    rule: 'an order joins a bundle at its pickup at the latest',
    breach: ({ orders, bundle }) => decidedWhen(orders, ({ decidedMin }) => !(decidedMin <= bundle.pickupMin)),
  },
  {
    rule: 'nobody sets out before one of the orders was decided',
    breach: ({ orders, bundle, first }) =>
      breachIf(!orders.some(({ decidedMin }) => decidedMin <= bundle.departMin), first, bundle.departMin),
  },
  {
    rule: 'nobody sets out before his shift begins',
    breach: ({ courier, bundle, first }) => breachIf(!(bundle.departMin >= courier.onMin), first, bundle.departMin),
  },
  {
    rule: 'a courier carries one bundle at a time and goes on from its last door',
    breach: ({ freeMin, bundle, first }) => breachIf(!(bundle.departMin >= freeMin), first, bundle.departMin),
  },
  {
    rule: 'a way takes its minutes, and half the pickup service comes before the goods',
    breach: ({ day: { parameters }, from, bundle, first }) => {
      const arrivalMin = bundle.departMin + travelMin(parameters, from, first.restaurant.at);
      return breachIf(!(bundle.pickupMin >= arrivalMin + parameters.pickupServiceMin / 2), first, bundle.pickupMin);
    },
  },
  {
    rule: 'nothing is picked up before all of the bundle is ready',
    breach: ({ orders, bundle }) => {
      const unready = orders.find(({ order }) => !(bundle.pickupMin >= order.readyMin));
      return unready && { order: unready.order, minute: bundle.pickupMin };
    },
  },
  {
    rule: 'nothing is picked up after the shift has ended',
    breach: ({ courier, bundle, first }) => breachIf(!(bundle.pickupMin <= courier.offMin), first, bundle.pickupMin),
  },
];

/**
 * Checks every rule of the meal delivery routing problem (Reyes et al. 2018) on every bundle. Waiting at the counter is
 * allowed. Drop-offs follow from the pickup (`roundOf`), so that no policy can shorten them.
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
    throw new Error(`the courier is one of the day: ${bundle.courier} is none, minute ${bundle.departMin}`);
  }
  const orders = bundle.orders.map(({ order: index, decidedMin }) => {
    const order = day.orders[index];
    if (order === undefined) {
      throw new Error(`the order is one of the day: ${index} is none, courier ${courier.id}, minute ${decidedMin}`);
    }
    return { order, decidedMin };
  });
  const first = orders[0]?.order;
  if (first === undefined) {
    throw new Error(`a bundle holds an order: courier ${courier.id} carries none, minute ${bundle.departMin}`);
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
