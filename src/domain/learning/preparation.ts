import { latLngToCell } from 'h3-js';
import type { Delivery } from '../deliveries/delivery.ts';
import type { Coordinates } from '../geo/geo.ts';
import type { VendorId } from '../ids.ts';
import { STOP_SERVICE_S } from '../deliveries/way.ts';

/** The vendor, the pickup place and the hour of the order (UTC, 0 to 23). Each mode learns apart. */
export type PreparationKey = {
  readonly vendorId: VendorId;
  readonly liveMode: boolean;
  /** The H3 cell of the pickup. */
  readonly cell: string;
  readonly hour: number;
};

/** The time from the order until the goods were ready. `isBound`: the goods were ready by then, perhaps earlier. */
export type PreparationSample = PreparationKey & { readonly ms: number; readonly isBound: boolean };

/** The quantile of the samples of one key, and how many of them gave a ready time. Older ones weigh less. */
export type LearnedSpan = { readonly ms: number; readonly seen: number };
export type Learned = Readonly<Record<LearnedFrom, LearnedSpan | null>>;
type LearnedFrom = 'hour' | 'location' | 'vendor';

/** How long the goods will take from the order on, and which experience the estimate comes from. */
export type PreparationEstimate = { readonly ms: number; readonly source: LearnedFrom | 'default' };

/** H3 resolution of a pickup place: cells with edges of 25 m, so that one pickup location is one place. */
const PLACE_RESOLUTION = 11;
/**
 * A courier who receives the goods later than this after their arrival had to wait. Otherwise this was the handover.
 */
const LEAST_WAIT_MS = STOP_SERVICE_S * 1000;

/** The goods of an order: the vendor, the place, the time, and the ready time if it is named; service time in ms. */
export type Ordered = Pick<Delivery, 'vendorId' | 'liveMode'> & {
  readonly pickup: { readonly place: Coordinates; readonly window: Delivery['pickup']['window'] };
  readonly times: Pick<Delivery['times'], 'createdAt' | 'readyAt'>;
};

/** The place and the hour in which this delivery's goods are prepared. */
export function preparationKeyOf({ vendorId, liveMode, pickup, times }: Ordered): PreparationKey {
  const cell = latLngToCell(pickup.place.lat, pickup.place.lng, PLACE_RESOLUTION);
  return { vendorId, liveMode, cell, hour: new Date(times.createdAt).getUTCHours() };
}

/** The estimate from the closest experience with enough samples: the hour's, then the place's, then the vendor's. */
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

/** Says whether nobody has named a ready time, so that only an estimate can give one. */
export function isUnnamed({ pickup, times }: Ordered): boolean {
  return times.readyAt === null && (pickup.window?.readyAt ?? null) === null;
}

/**
 * When the goods of a delivery were, are or will be ready, by report or estimate; service time in ms. The vendor's
 * report that they are ready comes first, then the named time, then the estimate (null: none). A scheduled pickup is
 * never before its window, even if the goods are ready sooner. A delivery waits from this time on, so its age counts
 * from here.
 */
export function expectedReadyAt(delivery: Delivery, estimate: Pick<PreparationEstimate, 'ms'> | null): number {
  const { priority, pickup, times } = delivery;
  const namedAt = pickup.window?.readyAt ?? null;
  if (times.readyAt !== null) return priority === 'scheduled' ? Math.max(times.readyAt, namedAt ?? 0) : times.readyAt;
  return namedAt ?? times.createdAt + (estimate?.ms ?? 0);
}

/**
 * The same for a reader who needs to know now when to be there. An estimate that has passed without a report moves on
 * with `now`. A time that the vendor named or reported stays.
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
 * When the goods of a collected delivery were ready; null before it is collected. If the vendor reported them ready
 * before the courier arrived, this is the time of the report. If the courier had to wait, it is the time of the pickup
 * or the report. Otherwise the goods were ready by then, perhaps long before. A report while the courier stands at the
 * pickup location says nothing about the kitchen.
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
 * The sample that a collected delivery gives for its place; null if it gives none. Goods with a named ready time may
 * have been ordered long before. A return or a robo-courier's delivery has no kitchen.
 */
export function samplePreparation(delivery: Delivery): PreparationSample | null {
  const { kind, robo, preparation, times } = delivery;
  const ready = readinessOf(delivery);
  if (ready === null || kind === 'return' || robo !== null || preparation.namedAt !== null) return null;
  return { ...preparationKeyOf(delivery), ms: Math.max(0, ready.at - times.createdAt), isBound: ready.isBound };
}
