import { stopAt, type Delivery } from '../deliveries/delivery.ts';
import type { Zones } from '../vendors/time-zone.ts';
import type { CourierId, DeliveryId, LocationId, VendorId } from '../ids.ts';

export const RATERS = ['recipient', 'vendor'] as const;
export type Rater = (typeof RATERS)[number];

/** One to five stars, and what the rater wrote. */
export type Opinion = { readonly stars: number; readonly comment: string | null };

/** The opinion of a vendor, or of the recipient of one drop-off, on the courier of a delivery. Service time in ms. */
export type Rating = Opinion & {
  /** The delivery, and the number of the drop-off or `vendor`. So each of them has one rating. */
  readonly id: string;
  readonly deliveryId: DeliveryId;
  readonly by: Rater;
  readonly vendorId: VendorId;
  readonly liveMode: boolean;
  readonly courierId: CourierId;
  /** The vendor location of the pickup, if the delivery names one. */
  readonly locationId: LocationId | null;
  /** The time zones of the dates on which it counts. They stay as they were when it was first given. */
  readonly zones: Zones;
  /** When the drop-off, or for a vendor the delivery, had ended. The rating counts on that date. */
  readonly endedAt: number;
  /** How often it was changed. */
  readonly changes: number;
  readonly createdAt: number;
  readonly changedAt: number;
};

/** The rule of whether someone can rate now. If so, it names the courier and when the drop-off or delivery ended. */
export type RatingVerdict =
  | { readonly ok: true; readonly courierId: CourierId; readonly endedAt: number }
  | { readonly ok: false; readonly why: string };

/** How long a rating can be changed, service time in ms. */
const CHANGEABLE_MS = 24 * 60 * 60_000;
/** Most changes of a rating. More of them are not a person's. */
const MOST_CHANGES = 20;
/** Most characters of a comment. */
export const MOST_COMMENT = 500;

/** The last moment to rate by a link that ends then, or to change the rating so far; service time in ms. */
export function ratableUntil(earlier: Pick<Rating, 'createdAt'> | null, linkEndsAt: number): number {
  return earlier === null ? linkEndsAt : Math.min(linkEndsAt, earlier.createdAt + CHANGEABLE_MS);
}

/** The id of the rating by the recipient of this drop-off, or by the vendor if `stop` is null. */
export function ratingId(deliveryId: DeliveryId, stop: number | null): string {
  return `${deliveryId}:${stop ?? 'vendor'}`;
}

/**
 * Judges a rating by the recipient of this drop-off, or by the vendor if `stop` is null. `earlier` is their rating so
 * far.
 */
export function judgeRating(
  delivery: Delivery,
  stop: number | null,
  earlier: Pick<Rating, 'createdAt' | 'changes'> | null,
  now: number,
): RatingVerdict {
  const { courierId, kind, times } = delivery;
  const deliveryEndedAt = times.deliveredAt ?? times.canceledAt ?? times.failedAt;
  const endedAt = stop === null ? deliveryEndedAt : (stopAt(delivery, stop)?.doneAt ?? deliveryEndedAt);
  if (kind === 'return') return { ok: false, why: 'A return cannot be rated.' };
  if (endedAt === null) return { ok: false, why: 'The courier can be rated after the end of the delivery.' };
  if (courierId === null) return { ok: false, why: 'No courier was assigned, so there is nobody to rate.' };
  if (earlier !== null && now - earlier.createdAt > CHANGEABLE_MS) {
    return { ok: false, why: 'A rating can be changed for 24 hours.' };
  }
  if (earlier !== null && earlier.changes >= MOST_CHANGES) {
    return { ok: false, why: `A rating can be changed ${MOST_CHANGES} times.` };
  }
  return { ok: true, courierId, endedAt };
}
