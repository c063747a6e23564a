import {
  additionsOfEnd,
  additionsOfEvent,
  additionsOfOffer,
  additionsOfRating,
  type Addition,
} from '../../domain/analytics/roll-up.ts';
import type { Delivery } from '../../domain/deliveries/delivery.ts';
import { isTerminal } from '../../domain/deliveries/lifecycle.ts';
import { zonesOf, type Zones } from '../../domain/vendors/time-zone.ts';
import type { DueFacts, DueRating, EndedDeliveries } from '../../ports/analytics.ts';
import type { Context } from '../../ports/context.ts';

type EndNeeds = Pick<Context, 'settings' | 'vendors'>;
export type CountNeeds = EndNeeds & Pick<Context, 'deliveries'>;

/** Returns the sums that the due facts add to the roll-ups. */
export async function countDue(ctx: CountNeeds, { events, offers, ratings }: DueFacts): Promise<Addition[]> {
  const found = await ctx.deliveries.findMany([...new Set(events.map(({ delivery_id: id }) => id))]);
  const deliveries = new Map(found.map((delivery) => [delivery.id, delivery]));
  const ended = events.flatMap(({ data, delivery_id: id }) => (isTerminal(data.to) ? (deliveries.get(id) ?? []) : []));
  return [
    ...(await countEnded(ctx, { deliveries: ended, due: new Set(), ratings })),
    ...events.flatMap(additionsOfEvent),
    ...offers.flatMap(additionsOfOffer),
  ];
}

/** Returns the sums that a rebuild adds for these deliveries and for the counted part of these ratings. */
export function countAgain(ctx: EndNeeds, { ratings, ...ended }: EndedDeliveries): Promise<Addition[]> {
  const counted = ratings.flatMap(({ rating, counted: opinion }): DueRating[] =>
    opinion === null ? [] : [{ rating: { ...rating, ...opinion }, counted: null }],
  );
  return countEnded(ctx, { ...ended, ratings: counted });
}

async function countEnded(ctx: EndNeeds, { deliveries, due, ratings }: EndedDeliveries): Promise<Addition[]> {
  const { promiseMs } = ctx.settings.search;
  const counted = deliveries.filter(({ id }) => !due.has(id));
  const zonesAt = await readZones(ctx, counted);
  return [
    ...counted.flatMap((delivery) => additionsOfEnd(delivery, { zones: zonesAt(delivery), promiseMs })),
    ...ratings.flatMap(({ rating, counted: before }) => additionsOfRating(rating, before)),
  ];
}

/** Reads the time zones of these deliveries as they are now. A fact keeps the date on which it was counted. */
async function readZones(
  { vendors }: Pick<Context, 'vendors'>,
  deliveries: readonly Delivery[],
): Promise<(delivery: Delivery) => Zones> {
  const [owners, sites] = await Promise.all([
    vendors.findMany([...new Set(deliveries.map(({ vendorId }) => vendorId))]),
    vendors.findZones([...new Set(deliveries.flatMap(({ locationId }) => locationId ?? []))]),
  ]);
  const vendorsById = new Map(owners.map((vendor) => [vendor.id, vendor]));
  const sitesById = new Map(sites.map((site) => [site.id, site]));
  return ({ vendorId, locationId }) =>
    zonesOf(vendorsById.get(vendorId) ?? null, locationId === undefined ? null : (sitesById.get(locationId) ?? null));
}
