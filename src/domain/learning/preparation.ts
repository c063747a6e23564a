import { latLngToCell } from 'h3-js';
import type { Delivery } from '../deliveries/delivery.ts';
import { STOP_SERVICE_S } from '../deliveries/eta.ts';
import type { Coordinates } from '../geo/geo.ts';
import type { VendorId } from '../ids.ts';

/** Whose goods, at which pickup place, ordered in which hour (UTC, 0 to 23). What is learned in one mode stays there. */
export type PreparationKey = {
  readonly vendorId: VendorId;
  readonly liveMode: boolean;
  /** The H3 cell of the pickup. */
  readonly cell: string;
  readonly hour: number;
};

/** From the order until the goods were ready. `isBound`: all that is known is that they were ready by then. */
export type PreparationSample = PreparationKey & { readonly ms: number; readonly isBound: boolean };

/** The quantile of the samples of one key, and how many of them told a ready time; older ones count for less. */
export type LearnedSpan = { readonly ms: number; readonly seen: number };
export type Learned = Readonly<Record<LearnedFrom, LearnedSpan | null>>;
type LearnedFrom = 'hour' | 'location' | 'vendor';

/** How long the goods will take from the order on, and whose experience says so. */
export type PreparationEstimate = { readonly ms: number; readonly source: LearnedFrom | 'default' };

/** H3 resolution of a pickup place: cells of 25 m to the edge, so that one counter is one place. */
const PLACE_RESOLUTION = 11;
/** A courier who is given the goods later than this after he came has waited for them; sooner, he was only served. */
const LEAST_WAIT_MS = STOP_SERVICE_S * 1000;

/** Whose goods are ordered, where and when, and when they are ready as far as that is said; service time in ms. */
export type Ordered = Pick<Delivery, 'vendorId' | 'liveMode'> & {
  readonly pickup: { readonly place: Coordinates; readonly window: Delivery['pickup']['window'] };
  readonly times: Pick<Delivery['times'], 'createdAt' | 'readyAt'>;
};

/** Where and when this delivery's goods are prepared. */
export function preparationKeyOf({ vendorId, liveMode, pickup, times }: Ordered): PreparationKey {
  const cell = latLngToCell(pickup.place.lat, pickup.place.lng, PLACE_RESOLUTION);
  return { vendorId, liveMode, cell, hour: new Date(times.createdAt).getUTCHours() };
}

/** The estimate from the closest experience that has been seen often enough: the hour's, the place's, the vendor's. */
export function chooseEstimate(
  learned: Learned,
  { leastSeen, defaultMs }: { readonly leastSeen: number; readonly defaultMs: number },
): PreparationEstimate {
  for (const source of ['hour', 'location', 'vendor'] as const) {
    const span = learned[source];
    if (span !== null && span.seen >= leastSeen) return { ms: span.ms, source };
  }
  return { ms: defaultMs, source: 'default' };
}

/** Says whether nobody has said when the goods are ready, so that only an estimate can. */
export function isUnnamed({ pickup, times }: Ordered): boolean {
  return times.readyAt === null && (pickup.window?.readyAt ?? null) === null;
}

/**
 * When the goods of a delivery were, are or will be ready as far as was said or learned; service time in ms. The
 * vendor's word that they are ready wins over the time that was named, and that over the estimate (null: none). Only a
 * scheduled pickup is never before its window, whatever is ready sooner. From here on a delivery is kept waiting: its
 * age counts from this time.
 */
export function expectedReadyAt(delivery: Delivery, estimate: Pick<PreparationEstimate, 'ms'> | null): number {
  const { priority, pickup, times } = delivery;
  const namedAt = pickup.window?.readyAt ?? null;
  if (times.readyAt !== null) return priority === 'scheduled' ? Math.max(times.readyAt, namedAt ?? 0) : times.readyAt;
  return namedAt ?? times.createdAt + (estimate?.ms ?? 0);
}

/**
 * The same for who asks now when to be there: an estimate that has passed without a word moves on with `now`, while what
 * the vendor named or called stays as it is.
 */
export function readyEstimate(
  delivery: Delivery,
  estimate: Pick<PreparationEstimate, 'ms'> | null,
  now: number,
): number {
  const expectedAt = expectedReadyAt(delivery, estimate);
  return isUnnamed(delivery) ? Math.max(expectedAt, now) : expectedAt;
}

/**
 * When the goods of a collected delivery were ready; null before it is collected. The vendor's call says it when it came
 * before the courier, and the pickup (or the call) when he had to wait for it. Otherwise they were ready by then, nobody
 * knows since when: a vendor who calls when the courier is at the counter tells nothing of the kitchen.
 */
export function readinessOf({ times }: Delivery): { readonly at: number; readonly isBound: boolean } | null {
  const { readyAt, arrivedPickupAt, pickedUpAt } = times;
  if (pickedUpAt === null) return null;
  const at = readyAt ?? pickedUpAt;
  const isCalledBefore = readyAt !== null && (arrivedPickupAt === null || readyAt < arrivedPickupAt);
  const hasWaited = arrivedPickupAt !== null && at - arrivedPickupAt > LEAST_WAIT_MS;
  return { at, isBound: !isCalledBefore && !hasWaited };
}

/**
 * What a collected delivery teaches of its place; null when it teaches nothing: goods whose ready time was named with
 * the order may have been ordered long before, and a return or a robo-courier's delivery has no kitchen.
 */
export function samplePreparation(delivery: Delivery): PreparationSample | null {
  const { kind, robo, preparation, times } = delivery;
  const ready = readinessOf(delivery);
  if (ready === null || kind === 'return' || robo !== null || preparation.namedAt !== null) return null;
  return { ...preparationKeyOf(delivery), ms: Math.max(0, ready.at - times.createdAt), isBound: ready.isBound };
}
