import type { Delivery } from '../../../domain/deliveries/delivery.ts';
import { placeKey } from '../../../domain/geo/geo.ts';
import type { CourierId, DeliveryId } from '../../../domain/ids.ts';
import type { RunInput } from './run-input.ts';
import { startOf, type RunCourier, type Start } from '../../../domain/regions/start.ts';

/** A courier in a run: where and when he can set out, and what he is on his way to, or asked for, from one counter. */
export type Seat = {
  readonly entry: RunCourier;
  readonly start: Start;
  readonly isAsked: boolean;
  readonly head: readonly Delivery[];
};

/** Exclusive offers that are open, by delivery: their couriers are as good as on their way. */
export function askedIn({ openOffers }: RunInput, pool: readonly Delivery[]): ReadonlyMap<DeliveryId, CourierId> {
  const ids = new Set(pool.map(({ id }) => id));
  const exclusive = openOffers.filter(({ isExclusive, deliveryId }) => isExclusive && ids.has(deliveryId));
  return new Map(exclusive.map(({ deliveryId, courierId }) => [deliveryId, courierId]));
}

/** The couriers of a run who are free soon enough, or stand at the head of something that is planned for. */
export function seatsOf(input: RunInput, asked: ReadonlyMap<DeliveryId, CourierId>): Seat[] {
  const { now, settings, openOffers, deliveries } = input;
  const byId = new Map(deliveries.map((delivery) => [delivery.id, delivery]));
  const offered = new Map([...asked].map(([deliveryId, courierId]) => [courierId, byId.get(deliveryId)!]));
  const thinking = new Set(openOffers.map(({ courierId }) => courierId));
  return input.couriers.flatMap((entry): Seat[] => {
    const { courier, held, place } = entry;
    // Accepted between two reads: he holds what he was asked for.
    const asked = offered.get(courier.id) ?? null;
    const offer = held.some(({ id }) => id === asked?.id) ? null : asked;
    // Whoever is asked for something outside this run is left alone until he has answered.
    if (thinking.has(courier.id) && asked === null) return [];
    const head = [...held, ...(offer === null ? [] : [offer])];
    const here = { place, at: now };
    if (head.length > 0 && isOneWay(head)) return [{ entry, start: here, isAsked: offer !== null, head }];
    const start = startOf(entry, input);
    // A courier who carries goods and thinks about another delivery takes it after them.
    const next = offer === null ? [] : [offer];
    return start.at - now > settings.dispatch.soonFreeMs ? [] : [{ entry, start, isAsked: offer !== null, head: next }];
  });
}

/** Says whether all of it waits at one counter. */
function isOneWay(head: readonly Delivery[]): boolean {
  const [first, ...others] = head;
  return (
    head.every(({ times }) => times.pickedUpAt === null) && others.every((one) => counterOf(one) === counterOf(first!))
  );
}

/**
 * What tells counters apart: place and kind of goods. Food goes with food only, and what breaks easily goes alone.
 */
export function counterOf({ id, pickup, metadata }: Delivery): string {
  if (metadata.fragility === 'high') return id;
  return `${placeKey(pickup.place)} ${metadata.category ?? ''}`;
}
