// Compares what users saw with what was committed. Pure.
import { mean, quantile } from '../../statistics.ts';
import type { Received } from '../people/receiver.ts';
import type { TrueDelivery, TrueEvent } from './truth.ts';

export const TERMINAL = ['delivered', 'canceled', 'failed'];
const MINUTE_MS = 60_000;

/**
 * The events of one delivery on one socket: the sequence from which on it was entitled to all, and those that it
 * received.
 */
export type Sight = { readonly deliveryId: string; readonly base: number; readonly seen: ReadonlySet<number> };

export type Outcome = {
  readonly delivered: number;
  readonly failed: number;
  readonly canceled: number;
  readonly open: number;
  readonly clickToDoorMin: { mean: number; p50: number; p90: number };
  readonly readyToPickupMin: { mean: number; p90: number };
};

/** Judges how the orders ended. Times are minutes of service time. `toService` maps minutes of the day. */
export function judgeOrders(truth: readonly TrueDelivery[], toService: (minute: number) => number): Outcome {
  const count = (status: string): number => truth.filter((one) => one.status === status).length;
  const minutesTo = (type: string, from: (one: TrueDelivery) => number): number[] =>
    truth.flatMap((one) => {
      const event = one.events.find((candidate) => candidate.type === type);
      return event === undefined ? [] : [(event.createdAt - from(one)) / MINUTE_MS];
    });
  const clickToDoor = minutesTo('delivered', ({ order }) => toService(order.placedMin));
  const readyToPickup = minutesTo('picked_up', ({ order }) => toService(order.readyMin));
  return {
    delivered: count('delivered'),
    failed: count('failed'),
    canceled: count('canceled'),
    open: truth.filter(({ status }) => !TERMINAL.includes(status)).length,
    clickToDoorMin: { mean: mean(clickToDoor), p50: quantile(clickToDoor, 0.5), p90: quantile(clickToDoor, 0.9) },
    readyToPickupMin: { mean: mean(readyToPickup), p90: quantile(readyToPickup, 0.9) },
  };
}

/** Counts assignments while another courier had the delivery, without a `courier.unassigned` in between. */
export function countDoubleAssignments(truth: readonly TrueDelivery[]): number {
  return truth.reduce((sum, { events }) => sum + doublesIn(events), 0);
}

function doublesIn(events: readonly TrueEvent[]): number {
  let isHeld = false;
  let doubles = 0;
  for (const { type } of events) {
    if (type === 'courier.assigned' && isHeld) doubles += 1;
    if (type === 'courier.assigned') isHeld = true;
    if (type === 'courier.unassigned') isHeld = false;
  }
  return doubles;
}

/** Counts sequences in the history of a delivery that are not 1, 2, 3 and so on. */
export function countHoles(truth: readonly TrueDelivery[]): number {
  return truth.reduce((sum, { events }) => sum + events.filter((event, at) => event.sequence !== at + 1).length, 0);
}

export type SightCount = {
  readonly due: number;
  readonly seen: number;
  readonly missing: string[];
  readonly invented: number;
};

/** Compares what sockets saw with what was committed. `missing` names deliveries and sequences. */
export function compareSights(truth: readonly TrueDelivery[], sights: readonly Sight[]): SightCount {
  const byId = new Map(truth.map((one) => [one.deliveryId, one]));
  let due = 0;
  let invented = 0;
  const missing: string[] = [];
  for (const { deliveryId, base, seen } of sights) {
    const committed = (byId.get(deliveryId)?.events ?? []).map(({ sequence }) => sequence);
    const owed = committed.filter((sequence) => sequence > base);
    due += owed.length;
    missing.push(...owed.filter((sequence) => !seen.has(sequence)).map((sequence) => `${deliveryId} #${sequence}`));
    invented += [...seen].filter((sequence) => !committed.includes(sequence)).length;
  }
  return { due, seen: due - missing.length, missing, invented };
}

export type WebhookCount = {
  readonly due: number;
  readonly missing: string[];
  readonly duplicates: number;
  readonly late: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
};

/** A webhook that takes longer than this is late, unless a server was down; machine ms. */
export const LATE_MS = 5000;

/**
 * Compares the received webhooks with the committed events.
 * @param delayOf machine ms from the commit to the first receipt
 * @param wasDown whether a server was down, or just back, between the commit and the receipt
 */
export function compareWebhooks(
  truth: readonly TrueDelivery[],
  received: ReadonlyMap<string, Received>,
  delayOf: (one: Received) => number,
  wasDown: (one: Received) => boolean,
): WebhookCount {
  const due = truth.flatMap(({ deliveryId, events }) =>
    events.map(({ id, sequence }) => ({ id, name: `${deliveryId} #${sequence}` })),
  );
  const got = due.flatMap(({ id }) => received.get(id) ?? []);
  const delays = got.map(delayOf);
  return {
    due: due.length,
    missing: due.filter(({ id }) => !received.has(id)).map(({ name }) => name),
    duplicates: got.reduce((sum, { times }) => sum + times - 1, 0),
    late: got.filter((one) => delayOf(one) > LATE_MS && !wasDown(one)).length,
    p50Ms: quantile(delays, 0.5),
    p99Ms: quantile(delays, 0.99),
  };
}
