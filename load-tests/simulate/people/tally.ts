import { createHistogram } from 'node:perf_hooks';

/** An offer on its courier's phone for the first time; service time in ms. */
export type Arrival = {
  readonly deliveryId: string;
  readonly courierId: string;
  readonly expiresAt: number;
  readonly arrivedAt: number;
};

/** What the actors of a run count while it goes on. */
export type Tally = ReturnType<typeof createTally>;

/** All counts at zero. */
export function createTally() {
  const serverErrors: string[] = [];
  return {
    /** Answers with status 500, by what was asked for and the request id. */
    serverErrors,
    onServerError: (what: string): void => void serverErrors.push(what),
    ordersCreated: 0,
    createsRetried: 0,
    offers: 0,
    accepted: 0,
    declined: 0,
    /** Offers that ended before or while the courier answered. */
    expired: 0,
    taken: 0,
    /** Deliveries that a courier had in hand and lost again: given to somebody else, or canceled. */
    lost: 0,
    /** A courier was given a delivery while holding another, or collected what somebody else had collected. */
    heldTwice: 0,
    pings: 0,
    fixes: 0,
    pingsRefused: 0,
    slowDowns: 0,
    actionsRetried: 0,
    /** Refusals that no rule of the simulation expects, by code. */
    surprises: new Map<string, number>(),
    /** Offers on their couriers' phones, by id: the first time each came, however often it is shown. */
    arrivals: new Map<string, Arrival>(),
    /** Machine ms from each first `offer.accept` to its answer. */
    acceptMs: new Array<number>(),
    /** First `offer.accept`s that got no answer: the connection went with a server, or nobody answered in time. */
    acceptsCut: 0,
    positionLag: createHistogram(),
    pingAck: createHistogram(),
  };
}

/** Adds one to the count of a refusal nobody expected. */
export function noteSurprise(tally: Tally, what: string): void {
  tally.surprises.set(what, (tally.surprises.get(what) ?? 0) + 1);
}
