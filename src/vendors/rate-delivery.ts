import { judgeRating, ratingId, type Opinion, type Rating } from '../domain/analytics/rating.ts';
import type { Delivery } from '../domain/deliveries/delivery.ts';
import { Refusal } from '../domain/refusals/refusals.ts';
import { zonesOf, type Zones } from '../domain/vendors/time-zone.ts';
import type { Context } from '../ports/context.ts';

/**
 * Stores the opinion of the recipient of this drop-off, or of the vendor if `stop` is null, in place of their earlier
 * one. Refuses `rating_not_possible` before the end, without a courier, and when the rating can no longer be changed.
 */
export async function rateDelivery(
  ctx: Pick<Context, 'clock' | 'ratings' | 'vendors'>,
  delivery: Delivery,
  stop: number | null,
  { stars, comment }: Opinion,
): Promise<Rating> {
  const id = ratingId(delivery.id, stop);
  const earlier = await ctx.ratings.find(id);
  if (earlier?.stars === stars && earlier.comment === comment) return earlier;
  const now = ctx.clock.now();
  const verdict = judgeRating(delivery, stop, earlier, now);
  if (!verdict.ok) throw new Refusal('rating_not_possible', { detail: verdict.why });
  const { courierId, endedAt } = verdict;
  const rating: Rating = {
    id,
    deliveryId: delivery.id,
    by: stop === null ? 'vendor' : 'recipient',
    vendorId: delivery.vendorId,
    liveMode: delivery.liveMode,
    courierId,
    locationId: delivery.locationId ?? null,
    zones: earlier?.zones ?? delivery.timeZones ?? (await zonesAt(ctx, delivery)),
    endedAt,
    stars,
    comment,
    changes: earlier === null ? 0 : earlier.changes + 1,
    createdAt: earlier?.createdAt ?? now,
    changedAt: now,
  };
  await ctx.ratings.put(rating);
  return rating;
}

/** The time zones of the vendor and of the vendor location as they are now. */
async function zonesAt(
  { vendors }: Pick<Context, 'vendors'>,
  { vendorId, locationId }: Pick<Delivery, 'vendorId' | 'locationId'>,
): Promise<Zones> {
  const [vendor, location] = await Promise.all([
    vendors.find(vendorId),
    locationId === undefined ? null : vendors.findLocation(locationId),
  ]);
  return zonesOf(vendor, location);
}
