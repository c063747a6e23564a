// How evenly the work was shared by the couriers. Pure.
import type { Registered } from '../people/courier.ts';
import { coveredMs, type Span } from './spans.ts';
import { mean, quantile } from '../../statistics.ts';
import type { TrueDelivery } from './truth.ts';

export type Fairness = {
  /** The number of judged couriers, and of those left out because they were online too briefly. */
  readonly couriers: number;
  readonly leftOut: number;
  readonly onlineHours: number;
  /** Delivered orders per online hour of each courier. */
  readonly perHour: { readonly mean: number; readonly p10: number; readonly p50: number; readonly p90: number };
  /** The Gini coefficient of these rates: 0 if all are equal, near 1 if one courier has all orders. */
  readonly gini: number;
  /** Busy share of each courier's online time. */
  readonly utilisation: { readonly mean: number; readonly p10: number; readonly p50: number };
};

export type FairnessRules = {
  readonly toService: (minute: number) => number;
  /** The time that was played; service ms. */
  readonly from: number;
  readonly to: number;
  /** How long a courier stays at the drop-off after the handover. */
  readonly afterDoorMs: number;
};

const HOUR_MS = 3_600_000;
/** A rate over a shorter time says little. */
const LEAST_ONLINE_MS = HOUR_MS / 2;

/**
 * Judges what each courier did in the part of their shift that was played. A courier is busy from the assignment of a
 * delivery until they leave the drop-off or lose the delivery. Waiting at the pickup counts, unlike in the figures of
 * `bench:dispatch`.
 */
export function judgeFairness(
  truth: readonly TrueDelivery[],
  crew: readonly Pick<Registered, 'id' | 'courier'>[],
  rules: FairnessRules,
): Fairness {
  const work = workOf(truth, rules);
  const all = crew.map(({ id, courier }) => {
    const on = Math.max(rules.from, rules.toService(courier.onMin));
    const off = Math.min(rules.to, rules.toService(courier.offMin));
    const own = work.get(id) ?? { delivered: 0, held: [] };
    return {
      onlineMs: Math.max(0, off - on),
      // A courier who delivers after the shift accepted the delivery during it.
      delivered: own.delivered,
      busyMs: coveredMs(own.held, on, off),
    };
  });
  const judged = all.filter(({ onlineMs }) => onlineMs >= LEAST_ONLINE_MS);
  const perHour = judged.map(({ delivered, onlineMs }) => (delivered * HOUR_MS) / onlineMs);
  const shares = judged.map(({ busyMs, onlineMs }) => busyMs / onlineMs);
  return {
    couriers: judged.length,
    leftOut: all.length - judged.length,
    onlineHours: judged.reduce((sum, { onlineMs }) => sum + onlineMs, 0) / HOUR_MS,
    perHour: {
      mean: mean(perHour),
      p10: quantile(perHour, 0.1),
      p50: quantile(perHour, 0.5),
      p90: quantile(perHour, 0.9),
    },
    gini: gini(perHour),
    utilisation: { mean: mean(shares), p10: quantile(shares, 0.1), p50: quantile(shares, 0.5) },
  };
}

/** Half the mean difference of all pairs, divided by the mean (Gini 1912). 0 without values. */
export function gini(values: readonly number[]): number {
  const total = values.reduce((sum, value) => sum + value, 0);
  if (total <= 0) return 0;
  const weighted = values.toSorted((a, b) => a - b).reduce((sum, value, index) => sum + (index + 1) * value, 0);
  const count = values.length;
  return (2 * weighted) / (count * total) - (count + 1) / count;
}

type Work = { delivered: number; readonly held: Span[] };

/** The number of orders that each courier delivered, and the spans in which they had a delivery. */
function workOf(truth: readonly TrueDelivery[], { to, afterDoorMs }: FairnessRules): Map<string, Work> {
  const work = new Map<string, Work>();
  for (const { events } of truth) {
    let holder: { readonly id: string; readonly from: number } | null = null;
    const release = (at: number): void => {
      if (holder !== null) workFor(work, holder.id).held.push({ from: holder.from, to: at });
      holder = null;
    };
    for (const { type, createdAt: at, courierId } of events) {
      if (type === 'courier.assigned' && courierId !== null) {
        release(at);
        holder = { id: courierId, from: at };
      }
      if (type === 'delivered') {
        if (holder !== null) workFor(work, holder.id).delivered += 1;
        release(at + afterDoorMs);
      }
      if (['courier.unassigned', 'canceled', 'delivery.failed'].includes(type)) release(at);
    }
    release(to);
  }
  return work;
}

function workFor(work: Map<string, Work>, courierId: string): Work {
  const own = work.get(courierId) ?? { delivered: 0, held: [] };
  work.set(courierId, own);
  return own;
}
