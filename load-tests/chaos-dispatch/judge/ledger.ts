// Checks what must hold at every moment, in the database's own order of commits. Pure.

/** Breaches that must never happen, by their names in the report. */
export const BREACHES = {
  twoCouriers: 'deliveries had two couriers at a time',
  twoOffersOfCourier: 'couriers had two open offers at a time',
  twoOffersOfDelivery: 'deliveries had two open exclusive offers at a time',
  overCapacity: 'couriers had more deliveries than room',
  hole: 'event logs have a hole or a repetition',
} as const;
export type Breach = keyof typeof BREACHES;

export type OpenedOffer = {
  readonly id: string;
  readonly deliveryId: string;
  readonly courierId: string;
  readonly region: string;
  readonly fence: number;
  readonly isExclusive: boolean;
};

export type LoggedEvent = {
  readonly deliveryId: string;
  readonly sequence: number;
  readonly type: string;
  /** The state it led to. */
  readonly to: string;
  /** The courier of the event, or null. */
  readonly courierId: string | null;
  /** The kind of caller that made it. */
  readonly by: string;
};

export type Ledger = {
  offerOpened(offer: OpenedOffer): void;
  offerClosed(offerId: string): void;
  eventLogged(event: LoggedEvent): void;
  /** Deliveries that were born and have not ended. */
  open(): number;
  counts(): LedgerCounts;
  /** The ids of the offers that `byOldLeader` counts. */
  oldLeaderOffers(): readonly string[];
  /** How often each breach was seen, with some examples. Breaches that were not seen are left out. */
  breaches(): { readonly breach: Breach; readonly count: number; readonly examples: readonly string[] }[];
};

export type LedgerCounts = {
  readonly events: number;
  readonly offers: number;
  readonly openOffers: number;
  readonly assigned: number;
  readonly unassigned: number;
  readonly ended: Readonly<Record<string, number>>;
  /** Offers of a leader after its region had a leader with a newer fencing number. They must be taken back. */
  readonly byOldLeader: number;
};

export const ENDED = ['delivered', 'canceled', 'failed'];
const MOST_EXAMPLES = 5;

/**
 * Follows offers and events in the order in which they were committed, and reports breaches.
 *
 * The stored times of offers are useless here. Each process takes them from its own clock, and a paused process writes
 * long after it took the time. The order of commits is the same for all readers.
 * @param capacityOf how many deliveries a courier may have
 */
export function createLedger(capacityOf: (courierId: string) => number): Ledger {
  const seen = new Map<Breach, { count: number; examples: string[] }>();
  const tell: Tell = (breach, what) => {
    const entry = seen.get(breach) ?? { count: 0, examples: [] };
    seen.set(breach, entry);
    entry.count += 1;
    if (entry.examples.length < MOST_EXAMPLES) entry.examples.push(what);
  };
  const offers = followOffers(tell);
  const events = followEvents(tell, capacityOf);
  return {
    offerOpened: offers.opened,
    offerClosed: offers.closed,
    eventLogged: events.logged,
    open: events.open,
    counts: () => ({ ...offers.counts(), ...events.counts() }),
    oldLeaderOffers: offers.byOldLeader,
    breaches: () => [...seen].map(([breach, entry]) => ({ breach, ...entry })),
  };
}

type Tell = (breach: Breach, what: string) => void;

function followOffers(tell: Tell) {
  const open = new Map<string, OpenedOffer>();
  const ofCourier = new Map<string, Set<string>>();
  const ofDelivery = new Map<string, Set<string>>();
  const fences = new Map<string, number>();
  let made = 0;
  const byOldLeader: string[] = [];
  return {
    opened(this: void, offer: OpenedOffer): void {
      const { id, courierId, deliveryId, region, fence, isExclusive } = offer;
      made += 1;
      open.set(id, offer);
      if (putIn(ofCourier, courierId, id) > 1) tell('twoOffersOfCourier', `${courierId} with ${id}`);
      if (isExclusive && putIn(ofDelivery, deliveryId, id) > 1) tell('twoOffersOfDelivery', `${deliveryId} with ${id}`);
      const newest = fences.get(region) ?? 0;
      if (fence < newest) byOldLeader.push(id);
      fences.set(region, Math.max(newest, fence));
    },
    closed(this: void, id: string): void {
      const offer = open.get(id);
      if (offer === undefined) return;
      open.delete(id);
      takeOut(ofCourier, offer.courierId, id);
      takeOut(ofDelivery, offer.deliveryId, id);
    },
    counts: () => ({ offers: made, openOffers: open.size, byOldLeader: byOldLeader.length }),
    byOldLeader: (): readonly string[] => byOldLeader,
  };
}

function followEvents(tell: Tell, capacityOf: (courierId: string) => number) {
  const holders = new Map<string, string>();
  const held = new Map<string, Set<string>>();
  const sequences = new Map<string, number>();
  const counts = { events: 0, assigned: 0, unassigned: 0 };
  const ended: Record<string, number> = {};
  let endings = 0;
  const give = (deliveryId: string, courierId: string): void => {
    const holder = holders.get(deliveryId);
    if (holder !== undefined) tell('twoCouriers', `${deliveryId}: ${holder}, then ${courierId}`);
    holders.set(deliveryId, courierId);
    const load = putIn(held, courierId, deliveryId);
    if (load > capacityOf(courierId)) tell('overCapacity', `${courierId} has ${load}, the last is ${deliveryId}`);
  };
  const free = (deliveryId: string): void => {
    takeOut(held, holders.get(deliveryId) ?? '', deliveryId);
    holders.delete(deliveryId);
  };
  return {
    logged(this: void, { deliveryId, sequence, type, to, courierId }: LoggedEvent): void {
      counts.events += 1;
      const last = sequences.get(deliveryId) ?? 0;
      if (sequence !== last + 1) tell('hole', `${deliveryId}: ${sequence} after ${last}`);
      sequences.set(deliveryId, sequence);
      if (type === 'courier.assigned') counts.assigned += 1;
      if (type === 'courier.unassigned') counts.unassigned += 1;
      // A return is assigned to its courier from its birth.
      const isTaken = type === 'courier.assigned' || (type === 'delivery.created' && to === 'in_transit');
      if (isTaken) give(deliveryId, courierId ?? 'nobody');
      else if (type === 'courier.unassigned' || ENDED.includes(to)) free(deliveryId);
      if (!ENDED.includes(to)) return;
      endings += 1;
      ended[to] = (ended[to] ?? 0) + 1;
    },
    open: () => sequences.size - endings,
    counts: () => ({ ...counts, ended: { ...ended } }),
  };
}

function putIn(map: Map<string, Set<string>>, key: string, value: string): number {
  const set = map.get(key) ?? new Set();
  map.set(key, set.add(value));
  return set.size;
}

function takeOut(map: Map<string, Set<string>>, key: string, value: string): void {
  const set = map.get(key);
  set?.delete(value);
  if (set?.size === 0) map.delete(key);
}
