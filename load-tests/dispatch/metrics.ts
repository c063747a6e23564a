// The figures of an outcome, as in the papers about meal delivery routing (Reyes et al. 2018).
import type { Day, Order } from '../day/day.ts';
import { interpolatedQuantile, mean, sum } from '../statistics.ts';
import type { Outcome } from './play/outcome.ts';
import { roundOf, travelMin } from './play/travel.ts';

export type Distribution = {
  readonly mean: number;
  readonly p50: number;
  readonly p90: number;
};

/** Times are minutes and describe delivered orders, so read them together with the undelivered share. */
export type Figures = {
  readonly orders: number;
  readonly delivered: number;
  readonly undeliveredPct: number;
  /** Orders that no courier could deliver within the maximum, because their food is ready too late. */
  readonly hopelessPct: number;
  /** Orders that were not delivered although a courier could have delivered them in time. */
  readonly undeliveredWithHopePct: number;
  readonly clickToDoor: Distribution;
  /** Mean of the minutes past the target. */
  readonly overage: number;
  readonly readyToDoor: Distribution;
  readonly readyToPickup: Distribution;
  /** The share of a courier's shift that they drive or serve. */
  readonly utilisation: Distribution;
  /** The pay of all couriers, at least the guarantee for each, divided by the delivered orders. */
  readonly costPerOrder: number;
  readonly ordersPerBundle: number;
  /** The mean click to door if each order had a courier at its restaurant when it is ready. No policy can beat it. */
  readonly floor: number;
  /** Mean click to door above the floor. */
  readonly excess: number;
  /** Machine time of a run, ms. */
  readonly runMs: { readonly runs: number; readonly p50: number; readonly p95: number; readonly max: number };
};

type Carried = {
  readonly index: number;
  readonly order: Order;
  readonly pickupMin: number;
  readonly dropOffMin: number;
};

/** The figures of an outcome that check.ts has found feasible. A mean without values is NaN. */
export function measure({ day, bundles, runsMs }: Outcome): Figures {
  const carried = bundles.flatMap((bundle): Carried[] =>
    roundOf(day, bundle).doors.map((door) => ({ ...door, pickupMin: bundle.pickupMin })),
  );
  const count = day.orders.length;
  const isCarried = new Set(carried.map(({ index }) => index));
  const left = day.orders.filter((_, index) => !isCarried.has(index));
  const clickToDoor = distributionOf(carried.map(({ order, dropOffMin }) => dropOffMin - order.placedMin));
  const floor = mean(day.orders.map((order) => leastMin(day, order) - order.placedMin));
  const isHopeless = (order: Order): boolean => leastMin(day, order) > order.placedMin + day.parameters.mostMin;
  return {
    orders: count,
    delivered: carried.length,
    undeliveredPct: percent(left.length, count),
    hopelessPct: percent(day.orders.filter(isHopeless).length, count),
    undeliveredWithHopePct: percent(left.filter((order) => !isHopeless(order)).length, count),
    clickToDoor,
    overage: mean(
      carried.map(({ order, dropOffMin }) => Math.max(0, dropOffMin - order.placedMin - day.parameters.targetMin)),
    ),
    readyToDoor: distributionOf(carried.map(({ order, dropOffMin }) => dropOffMin - order.readyMin)),
    readyToPickup: distributionOf(carried.map(({ order, pickupMin }) => pickupMin - order.readyMin)),
    ...couriersOf({ day, bundles, runsMs }),
    ordersPerBundle: carried.length / bundles.length,
    floor,
    excess: clickToDoor.mean - floor,
    runMs: {
      runs: runsMs.length,
      p50: interpolatedQuantile(runsMs, 0.5),
      p95: interpolatedQuantile(runsMs, 0.95),
      max: interpolatedQuantile(runsMs, 1),
    },
  };
}

/** The earliest minute of a delivery: ready, picked up, straight to the drop-off, handed over. */
function leastMin({ parameters }: Day, { readyMin, restaurant, at }: Order): number {
  const servedMin = (parameters.pickupServiceMin + parameters.dropOffServiceMin) / 2;
  return readyMin + travelMin(parameters, restaurant.at, at) + servedMin;
}

function couriersOf({ day, bundles }: Outcome): Pick<Figures, 'utilisation' | 'costPerOrder'> {
  const { pickupServiceMin, dropOffServiceMin, payPerOrder, payPerHour } = day.parameters;
  const work = day.couriers.map(({ at }) => ({ at, busyMin: 0, orders: 0 }));
  for (const bundle of bundles.toSorted((a, b) => a.departMin - b.departMin)) {
    const courier = work[bundle.courier];
    const from = day.orders[bundle.orders[0]?.order ?? -1]?.restaurant.at;
    if (courier === undefined || from === undefined) continue;
    const { drivenMin, end } = roundOf(day, bundle);
    const servedMin = pickupServiceMin + bundle.orders.length * dropOffServiceMin;
    courier.busyMin += travelMin(day.parameters, courier.at, from) + drivenMin + servedMin;
    courier.orders += bundle.orders.length;
    courier.at = end;
  }
  const shifts = day.couriers.map(({ onMin, offMin }, index) => ({
    shiftMin: offMin - onMin,
    ...(work[index] ?? { busyMin: 0, orders: 0 }),
  }));
  const pay = shifts.map(({ orders, shiftMin }) => Math.max(payPerOrder * orders, (payPerHour * shiftMin) / 60));
  return {
    utilisation: distributionOf(
      shifts.filter(({ shiftMin }) => shiftMin > 0).map(({ busyMin, shiftMin }) => busyMin / shiftMin),
    ),
    costPerOrder: sum(pay) / sum(shifts.map(({ orders }) => orders)),
  };
}

/**
 * The means of the figures of several days, where each day counts the same. The maximum of run times is the highest
 * one.
 */
export function meanOf(days: readonly Figures[]): Figures {
  const over = (pick: (figures: Figures) => number): number => mean(days.map(pick).filter(Number.isFinite));
  const distribution = (pick: (figures: Figures) => Distribution): Distribution => ({
    mean: over((figures) => pick(figures).mean),
    p50: over((figures) => pick(figures).p50),
    p90: over((figures) => pick(figures).p90),
  });
  return {
    orders: sum(days.map(({ orders }) => orders)),
    delivered: sum(days.map(({ delivered }) => delivered)),
    undeliveredPct: over((figures) => figures.undeliveredPct),
    hopelessPct: over((figures) => figures.hopelessPct),
    undeliveredWithHopePct: over((figures) => figures.undeliveredWithHopePct),
    clickToDoor: distribution((figures) => figures.clickToDoor),
    overage: over((figures) => figures.overage),
    readyToDoor: distribution((figures) => figures.readyToDoor),
    readyToPickup: distribution((figures) => figures.readyToPickup),
    utilisation: distribution((figures) => figures.utilisation),
    costPerOrder: over((figures) => figures.costPerOrder),
    ordersPerBundle: over((figures) => figures.ordersPerBundle),
    floor: over((figures) => figures.floor),
    excess: over((figures) => figures.excess),
    runMs: {
      runs: sum(days.map(({ runMs }) => runMs.runs)),
      p50: over((figures) => figures.runMs.p50),
      p95: over((figures) => figures.runMs.p95),
      max: Math.max(...days.map(({ runMs }) => runMs.max).filter(Number.isFinite)),
    },
  };
}

function distributionOf(values: readonly number[]): Distribution {
  return { mean: mean(values), p50: interpolatedQuantile(values, 0.5), p90: interpolatedQuantile(values, 0.9) };
}

function percent(part: number, whole: number): number {
  return whole === 0 ? 0 : (part / whole) * 100;
}
