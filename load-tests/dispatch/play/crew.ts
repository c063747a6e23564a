// The couriers of a played day: where each is, what they are on the way to, and what they have carried.
import type { Day, Point } from '../../day/day.ts';
import type { CarriedBundle } from './outcome.ts';
import { roundOf, travelMin } from './travel.ts';

type Taken = { readonly order: number; readonly decidedMin: number };

/** On the way to a restaurant, until the pickup. */
export type Away = {
  readonly from: Point;
  readonly departMin: number;
  /** When the courier is at the restaurant. */
  readonly thereMin: number;
  readonly orders: readonly Taken[];
};

export type CrewMember = {
  at: Point;
  /** When the courier may set out for another restaurant. */
  freeMin: number;
  readonly offMin: number;
  away: Away | null;
};

export type Crew = {
  readonly members: readonly CrewMember[];
  readonly carried: CarriedBundle[];
  /** Sends a courier to a restaurant. */
  send(courier: number, orders: readonly number[], minute: number): void;
  /** Gives a courier on the way all orders to collect, the old ones and the new ones, in the order of the drop-offs. */
  extend(courier: number, orders: readonly number[], minute: number): void;
  /**
   * Makes all pickups before the minute. Returns the orders that were not ready when the shift of their courier ended.
   */
  moveOn(minute: number): number[];
};

export function makeCrew(day: Day): Crew {
  const { orders, parameters } = day;
  const counterHalfMin = parameters.pickupServiceMin / 2;
  const members = day.couriers.map(({ at, onMin, offMin }): CrewMember => ({ at, freeMin: onMin, offMin, away: null }));
  const carried: CarriedBundle[] = [];

  /**
   * If a courier's shift ends at the restaurant, they leave with the orders that are ready, if they set out for one of
   * these.
   */
  const leaving = ({ orders: taken, departMin }: Away, offMin: number): readonly Taken[] => {
    const ready = taken.filter(({ order }) => orders[order]!.readyMin <= offMin);
    return ready.some(({ decidedMin }) => decidedMin <= departMin) ? ready : [];
  };

  const collect = (courier: number, away: Away, minute: number): number[] => {
    const member = members[courier]!;
    const readyMin = Math.max(...away.orders.map(({ order }) => orders[order]!.readyMin));
    const pickupMin = Math.max(away.thereMin, readyMin);
    if (Math.min(pickupMin, member.offMin) >= minute) return [];
    const ready = leaving(away, member.offMin);
    const left = away.orders.filter((taken) => !ready.includes(taken)).map(({ order }) => order);
    member.at = orders[away.orders[0]!.order]!.restaurant.at;
    member.freeMin = member.offMin;
    member.away = null;
    if (ready.length === 0) return left;
    const bundle = { courier, departMin: away.departMin, pickupMin: Math.min(pickupMin, member.offMin), orders: ready };
    const { end, freeMin } = roundOf(day, bundle);
    carried.push(bundle);
    Object.assign(member, { at: end, freeMin });
    return left;
  };

  return {
    members,
    carried,
    send: (courier, taken, minute) => {
      const member = members[courier]!;
      const counter = orders[taken[0]!]!.restaurant.at;
      member.away = {
        from: member.at,
        departMin: minute,
        thereMin: minute + travelMin(parameters, member.at, counter) + counterHalfMin,
        orders: taken.map((order) => ({ order, decidedMin: minute })),
      };
    },
    extend: (courier, all, minute) => {
      const away = members[courier]!.away!;
      const decided = new Map(away.orders.map(({ order, decidedMin }) => [order, decidedMin]));
      const taken = all.map((order) => ({ order, decidedMin: decided.get(order) ?? minute }));
      members[courier]!.away = { ...away, orders: taken };
    },
    moveOn: (minute) => members.flatMap(({ away }, courier) => (away === null ? [] : collect(courier, away, minute))),
  };
}
