// How far expected arrivals and priced distances are from what happened. Pure.
import { quantile } from '../../statistics.ts';
import type { Driven } from '../people/travel.ts';
import type { Said, TrueDelivery, TrueEvent } from './truth.ts';

/** Absolute errors, and the middle of the errors with their signs: positive if more came than was expected. */
export type Errors = { readonly count: number; readonly p50: number; readonly p90: number; readonly lean: number };

export type ArrivalFigures = {
  /** Seconds at the drop-off, against the first arrival that the vendor received. */
  readonly first: Errors;
  /** Seconds at the pickup, against the arrival that was expected when the courier was assigned. */
  readonly pickup: Errors;
  /** Seconds at the drop-off, against the arrival that was expected when the goods were collected. */
  readonly collected: Errors;
  /** Seconds by which the rides of `collected` were longer than a typical ride on the same route. Nobody can expect them. */
  readonly luck: Errors;
  /** Shares of the priced distance, against the way that the courier drove from the pickup to the drop-off. */
  readonly distance: Errors;
  /** Deliveries whose price follows a route. */
  readonly routes: number;
};

/** The figures of the whole day, and of the first and the second half of its orders, between which the server learns. */
export type Arrivals = { readonly day: ArrivalFigures; readonly halves: readonly [ArrivalFigures, ArrivalFigures] };

type Facts = {
  /** The way from the pickup to the drop-off, by delivery. */
  readonly driven: ReadonlyMap<string, Driven>;
  /** When the goods were ready; service time in ms. */
  readonly readyAt: (delivery: TrueDelivery) => number;
};

/** Judges arrivals by the histories. Deliveries without a courier, and parts that did not happen, do not count. */
export function judgeArrivals(truth: readonly TrueDelivery[], facts: Facts): Arrivals {
  const inOrder = truth.toSorted((a, b) => a.order.placedMin - b.order.placedMin);
  const half = Math.ceil(inOrder.length / 2);
  return {
    day: figuresOf(inOrder, facts),
    halves: [figuresOf(inOrder.slice(0, half), facts), figuresOf(inOrder.slice(half), facts)],
  };
}

function figuresOf(truth: readonly TrueDelivery[], { driven, readyAt }: Facts): ArrivalFigures {
  const errors = (of: (delivery: TrueDelivery) => number | null): Errors =>
    errorsOf(truth.flatMap((one) => of(one) ?? []));
  const created = (one: TrueDelivery): Said | null => last(one, 'delivery.created')?.said ?? null;
  return {
    first: errors((one) => lateS(created(one)?.dropOffAt, atDropOff(one))),
    pickup: errors((one) => {
      const arrived = last(one, 'courier.arrived_pickup')?.createdAt;
      // A courier who is early waits for the goods, and no arrival is expected before they are ready.
      const there = arrived === undefined ? null : Math.max(arrived, readyAt(one));
      return lateS(last(one, 'courier.assigned')?.said?.pickupAt, there);
    }),
    collected: errors(collectedS),
    luck: errors((one) => {
      const luckMs = driven.get(one.deliveryId)?.luckMs;
      return luckMs === undefined || collectedS(one) === null ? null : luckMs / 1000;
    }),
    distance: errors((one) => {
      const [pricedM, metres] = [created(one)?.distanceM, driven.get(one.deliveryId)?.metres];
      return pricedM === undefined || metres === undefined ? null : (metres - pricedM) / metres;
    }),
    routes: truth.filter((one) => created(one)?.source === 'route').length,
  };
}

function collectedS(one: TrueDelivery): number | null {
  return lateS(last(one, 'picked_up')?.said?.dropOffAt, atDropOff(one));
}

function atDropOff(delivery: TrueDelivery): number | null {
  return last(delivery, 'courier.arrived_drop_off')?.createdAt ?? null;
}

/** The last event of a type: a delivery may be assigned several times. */
function last({ events }: TrueDelivery, type: string): TrueEvent | undefined {
  return events.findLast((event) => event.type === type);
}

function lateS(expectedAt: number | null | undefined, at: number | null): number | null {
  return expectedAt === null || expectedAt === undefined || at === null ? null : (at - expectedAt) / 1000;
}

function errorsOf(signed: readonly number[]): Errors {
  const sizes = signed.map(Math.abs);
  return { count: sizes.length, p50: quantile(sizes, 0.5), p90: quantile(sizes, 0.9), lean: quantile(signed, 0.5) };
}
