// Judges the contents of the database at the end of a run. Pure.
import { ENDED, type LoggedEvent } from './ledger.ts';

export type StoredDelivery = {
  readonly id: string;
  readonly externalId: string | null;
  readonly state: string;
  readonly sequence: number;
};

export type StoredOffer = { readonly id: string; readonly deliveryId: string; readonly courierId: string };

export type StoredCourier = { readonly id: string; readonly capacity: number; readonly active: readonly string[] };

/** The contents of the database at the end. */
export type Remains = {
  readonly deliveries: readonly StoredDelivery[];
  /** Ascending by sequence within each delivery. */
  readonly events: readonly LoggedEvent[];
  readonly accepted: readonly StoredOffer[];
  /** Offers of replaced leaders that were closed like any other, and so had not been taken back at once. */
  readonly stayed: readonly StoredOffer[];
  readonly openOffers: number;
  readonly couriers: readonly StoredCourier[];
};

/** The findings of each check, one sentence each. Empty if all is well. */
export type Findings = {
  /** Deliveries that were promised but are not stored, did not end, or have an incomplete log. */
  readonly lost: readonly string[];
  /** Assignments by couriers without an accepted offer, and the other way round. */
  readonly unfounded: readonly string[];
  /** Offers of replaced leaders, which should have been taken back. */
  readonly stayed: readonly string[];
  /** Offers that are still open, and couriers who still have deliveries. */
  readonly leftOver: readonly string[];
};

/**
 * Judges the end of a run.
 * @param promised external ids of the deliveries whose creation was answered yes
 */
export function judgeRemains(remains: Remains, promised: readonly string[]): Findings {
  const logs = new Map<string, LoggedEvent[]>(remains.deliveries.map(({ id }) => [id, []]));
  for (const event of remains.events) logs.get(event.deliveryId)?.push(event);
  const there = new Set(remains.deliveries.map(({ externalId }) => externalId));
  return {
    lost: [
      ...promised.filter((id) => !there.has(id)).map((id) => `${id} was promised and is not stored`),
      ...remains.deliveries.flatMap((delivery) => judgeDelivery(delivery, logs.get(delivery.id) ?? [])),
    ],
    unfounded: compareAssignments(remains),
    stayed: remains.stayed.map(
      (offer) => `${offer.id}, ${pairOf(offer)}, is of a replaced leader and was not taken back`,
    ),
    leftOver: [
      ...(remains.openOffers === 0 ? [] : [`${remains.openOffers} offers are still open`]),
      ...remains.couriers
        .filter(({ active }) => active.length > 0)
        .map(({ id, active }) => `${id} still has ${active.join(', ')}`),
    ],
  };
}

function judgeDelivery({ id, state, sequence }: StoredDelivery, log: readonly LoggedEvent[]): string[] {
  const isGapless = log.every((event, at) => event.sequence === at + 1);
  const wrong = [
    ENDED.includes(state) ? null : `ended as ${state}`,
    isGapless ? null : 'has a hole in its log',
    log.length === sequence ? null : `counts ${sequence} events, but has ${log.length}`,
    log.at(-1)?.to === state ? null : `is ${state}, but its log says ${log.at(-1)?.to ?? 'nothing'}`,
  ];
  return wrong.flatMap((what) => (what === null ? [] : [`${id} ${what}`]));
}

/** Couriers are assigned by accepting an offer, so their assignments and the accepted offers must match in pairs. */
function compareAssignments({ accepted, events }: Remains): string[] {
  const pairs = new Map<string, number>();
  const add = (pair: string, by: number): void => void pairs.set(pair, (pairs.get(pair) ?? 0) + by);
  for (const offer of accepted) add(pairOf(offer), 1);
  for (const event of events) if (event.type === 'courier.assigned' && event.by === 'courier') add(pairOf(event), -1);
  return [...pairs]
    .filter(([, rest]) => rest !== 0)
    .map(
      ([pair, rest]) => `${pair}: ${rest > 0 ? 'an accepted offer without' : 'no accepted offer for'} an assignment`,
    );
}

/** Every courier with every delivery that was assigned to them, by an offer or by hand. */
export function givenPairs({ events }: Pick<Remains, 'events'>): ReadonlySet<string> {
  return new Set(events.filter(({ type }) => type === 'courier.assigned').map(pairOf));
}

/** A courier and a delivery as a text. */
export function pairOf({ deliveryId, courierId }: { deliveryId: string; courierId: string | null }): string {
  return `${courierId} with ${deliveryId}`;
}
