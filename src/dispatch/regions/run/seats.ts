import type { Delivery } from '../../../domain/deliveries/delivery.ts';
import { placeKey } from '../../../domain/geo/geo.ts';
import type { CourierId, DeliveryId } from '../../../domain/ids.ts';
import type { RunInput } from './run-input.ts';
import { startOf, type RunCourier, type Start } from '../../../domain/regions/start.ts';

/** A courier in a run: where and when they can set out, and their deliveries and offer from one pickup location. */
export type Seat = {
  readonly entry: RunCourier;
  readonly start: Start;
  readonly isAsked: boolean;
  readonly head: readonly Delivery[];
};

/** Open exclusive offers by delivery. Their couriers count as on the way. */
export function offeredIn({ openOffers }: RunInput, pool: readonly Delivery[]): ReadonlyMap<DeliveryId, CourierId> {
  const ids = new Set(pool.map(({ id }) => id));
  const exclusive = openOffers.filter(({ isExclusive, deliveryId }) => isExclusive && ids.has(deliveryId));
  return new Map(exclusive.map(({ deliveryId, courierId }) => [deliveryId, courierId]));
}

/** The couriers of a run who are free soon enough, or who come first in a planned bundle. */
export function seatsOf(input: RunInput, offeredTo: ReadonlyMap<DeliveryId, CourierId>): Seat[] {
  const { now, settings, openOffers, deliveries } = input;
  const byId = new Map(deliveries.map((delivery) => [delivery.id, delivery]));
  const offerOf = new Map([...offeredTo].map(([deliveryId, courierId]) => [courierId, byId.get(deliveryId)!]));
  const considering = new Set(openOffers.map(({ courierId }) => courierId));
  return input.couriers.flatMap((entry): Seat[] => {
    const { courier, assigned, place } = entry;
    // The courier accepted between two reads, so they already have the delivery.
    const offered = offerOf.get(courier.id) ?? null;
    const offer = assigned.some(({ id }) => id === offered?.id) ? null : offered;
    // A courier with an offer outside this run is left alone until they answer.
    if (considering.has(courier.id) && offered === null) return [];
    const head = [...assigned, ...(offer === null ? [] : [offer])];
    const here = { place, at: now };
    if (head.length > 0 && isOneWay(head)) return [{ entry, start: here, isAsked: offer !== null, head }];
    const start = startOf(entry, input);
    // A courier who carries goods and considers another delivery takes it after them.
    const next = offer === null ? [] : [offer];
    return start.at - now > settings.dispatch.soonFreeMs ? [] : [{ entry, start, isAsked: offer !== null, head: next }];
  });
}

/** Says whether all of it waits at one pickup location. */
function isOneWay(head: readonly Delivery[]): boolean {
  const [first, ...others] = head;
  return (
    head.every(({ times }) => times.pickedUpAt === null) && others.every((one) => pickupKey(one) === pickupKey(first!))
  );
}

/** The key of a pickup location: place and kind of goods. Food goes only with food, and fragile goods go alone. */
export function pickupKey({ id, pickup, metadata }: Delivery): string {
  if (metadata.fragility === 'high') return id;
  return `${placeKey(pickup.place)} ${metadata.category ?? ''}`;
}
