import {
  additionsOfEnd,
  additionsOfEvent,
  additionsOfOffer,
  additionsOfRating,
  additionsOfRefund,
  END_EVENTS,
  type Addition,
} from '../../domain/analytics/roll-up.ts';
import type { Delivery } from '../../domain/deliveries/delivery.ts';
import { refundedOf } from '../../domain/pricing/funds.ts';
import { zonesOf, type Zones } from '../../domain/vendors/time-zone.ts';
import type { DueFacts, DueRating, EndedDeliveries } from '../../ports/analytics.ts';
import type { Context } from '../../ports/context.ts';

type EndNeeds = Pick<Context, 'settings' | 'vendors'>;
export type CountNeeds = EndNeeds & Pick<Context, 'deliveries'>;

/** Returns the sums that the due facts add to the roll-ups. */
export async function countDue(ctx: CountNeeds, { events, offers, ratings }: DueFacts): Promise<Addition[]> {
  const found = await ctx.deliveries.findMany([...new Set(events.map(({ delivery_id: id }) => id))]);
  const deliveries = new Map(found.map((delivery) => [delivery.id, delivery]));
  const ended = events.flatMap(({ type, delivery_id: id }) =>
    END_EVENTS.includes(type) ? (deliveries.get(id) ?? []) : [],
  );
  const refunds = events.flatMap(({ data: { refund }, delivery_id: id }) => {
    const delivery = deliveries.get(id);
    return refund === undefined || delivery === undefined ? [] : [{ delivery, amount: refund.amount }];
  });
  return [
    ...(await countEnded(ctx, { deliveries: ended, due: new Set(), ratings }, () => 0)),
    ...(await countRefunds(ctx, refunds)),
    ...events.flatMap(additionsOfEvent),
    ...offers.flatMap(additionsOfOffer),
  ];
}

/** Returns the sums that a rebuild adds for these deliveries and for the counted part of these ratings. */
export function countAgain(ctx: EndNeeds, { ratings, ...ended }: EndedDeliveries): Promise<Addition[]> {
  const counted = ratings.flatMap(({ rating, counted: opinion }): DueRating[] =>
    opinion === null ? [] : [{ rating: { ...rating, ...opinion }, counted: null }],
  );
  // The server will count the others.
  const refunded = ({ funds }: Delivery): number =>
    refundedOf({ refunds: funds?.refunds?.filter(({ id }) => !ended.dueRefunds.has(id)) ?? [] });
  return countEnded(ctx, { ...ended, ratings: counted }, refunded);
}

async function countRefunds(
  ctx: EndNeeds,
  refunds: readonly { readonly delivery: Delivery; readonly amount: number }[],
): Promise<Addition[]> {
  const zonesAt = await readZones(
    ctx,
    refunds.map(({ delivery }) => delivery),
  );
  return refunds.flatMap(({ delivery, amount }) => additionsOfRefund(delivery, amount, { zones: zonesAt(delivery) }));
}

async function countEnded(
  ctx: EndNeeds,
  { deliveries, due, ratings }: Omit<EndedDeliveries, 'dueRefunds'>,
  refundedOn: (delivery: Delivery) => number,
): Promise<Addition[]> {
  const { promiseMs } = ctx.settings.search;
  const counted = deliveries.filter(({ id }) => !due.has(id));
  const zonesAt = await readZones(ctx, counted);
  return [
    ...counted.flatMap((delivery) =>
      additionsOfEnd(delivery, { zones: zonesAt(delivery), promiseMs }, refundedOn(delivery)),
    ),
    ...ratings.flatMap(({ rating, counted: before }) => additionsOfRating(rating, before)),
  ];
}

/** The time zones of these deliveries. A delivery that was born without them has those of now. */
async function readZones(
  { vendors }: Pick<Context, 'vendors'>,
  deliveries: readonly Delivery[],
): Promise<(delivery: Delivery) => Zones> {
  const bare = deliveries.filter(({ timeZones }) => timeZones === undefined);
  const [owners, sites] = await Promise.all([
    vendors.findMany([...new Set(bare.map(({ vendorId }) => vendorId))]),
    vendors.findZones([...new Set(bare.flatMap(({ locationId }) => locationId ?? []))]),
  ]);
  const vendorsById = new Map(owners.map((vendor) => [vendor.id, vendor]));
  const sitesById = new Map(sites.map((site) => [site.id, site]));
  return ({ timeZones, vendorId, locationId }) =>
    timeZones ??
    zonesOf(vendorsById.get(vendorId) ?? null, locationId === undefined ? null : (sitesById.get(locationId) ?? null));
}
