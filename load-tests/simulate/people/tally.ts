import { createHistogram } from 'node:perf_hooks';
import type { Driven } from './travel.ts';

/** The first time that an offer is on its courier's phone; service time in ms. */
export type Arrival = {
  readonly deliveryId: string;
  readonly courierId: string;
  readonly expiresAt: number;
  readonly arrivedAt: number;
};

/** The counts of a run while it is played. */
export type Tally = ReturnType<typeof createTally>;

/** All counts at zero. */
export function createTally() {
  const serverErrors: string[] = [];
  return {
    /** Answers with status 500: the request and its id. */
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
    /** Deliveries that a courier had and lost, because they were assigned to another courier or canceled. */
    lost: 0,
    /** A courier got a delivery while they had another one, or collected goods that another courier had collected. */
    heldTwice: 0,
    pings: 0,
    fixes: 0,
    pingsRefused: 0,
    slowDowns: 0,
    actionsRetried: 0,
    /** Refusals that the simulation does not expect, by code. */
    surprises: new Map<string, number>(),
    /** The first arrival of each offer on its courier's phone, by id. */
    arrivals: new Map<string, Arrival>(),
    /** The way from the pickup to the drop-off, by delivery. */
    driven: new Map<string, Driven>(),
    /** Machine ms from each first `offer.accept` to its answer. */
    acceptMs: new Array<number>(),
    /** First `offer.accept` messages without an answer, because the connection was lost or the server was too late. */
    acceptsCut: 0,
    positionLag: createHistogram(),
    pingAck: createHistogram(),
  };
}

/** Adds one to the count of an unexpected refusal. */
export function noteSurprise(tally: Tally, what: string): void {
  tally.surprises.set(what, (tally.surprises.get(what) ?? 0) + 1);
}
