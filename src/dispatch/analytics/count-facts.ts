import {
  additionsOfEnd,
  additionsOfEvent,
  additionsOfOffer,
  additionsOfRating,
  type Addition,
} from '../../domain/analytics/roll-up.ts';
import { isTerminal } from '../../domain/deliveries/lifecycle.ts';
import type { DueFacts, DueRating, EndedDeliveries } from '../../ports/analytics.ts';
import type { Context } from '../../ports/context.ts';

export type CountNeeds = Pick<Context, 'deliveries' | 'settings'>;

/** The time zone of the dates of all vendors. Neither vendors nor their locations have one of their own yet. */
const ZONE = 'UTC';

/** Returns the sums that the due facts add to the roll-ups. */
export async function countDue(ctx: CountNeeds, { events, offers, ratings }: DueFacts): Promise<Addition[]> {
  const found = await ctx.deliveries.findMany([...new Set(events.map(({ delivery_id: id }) => id))]);
  const deliveries = new Map(found.map((delivery) => [delivery.id, delivery]));
  const ended = events.flatMap(({ data, delivery_id: id }) => (isTerminal(data.to) ? (deliveries.get(id) ?? []) : []));
  return [
    ...countEnded(ctx, { deliveries: ended, due: new Set(), ratings }),
    ...events.flatMap(additionsOfEvent),
    ...offers.flatMap(additionsOfOffer),
  ];
}

/** Returns the sums that a rebuild adds for these deliveries and for the counted part of these ratings. */
export function countAgain(ctx: Pick<Context, 'settings'>, { ratings, ...ended }: EndedDeliveries): Addition[] {
  const counted = ratings.flatMap(({ rating, counted: opinion }): DueRating[] =>
    opinion === null ? [] : [{ rating: { ...rating, ...opinion }, counted: null }],
  );
  return countEnded(ctx, { ...ended, ratings: counted });
}

function countEnded(
  { settings }: Pick<Context, 'settings'>,
  { deliveries, due, ratings }: EndedDeliveries,
): Addition[] {
  const { promiseMs } = settings.search;
  return [
    ...deliveries
      .filter(({ id }) => !due.has(id))
      .flatMap((delivery) => additionsOfEnd(delivery, { zone: ZONE, promiseMs })),
    ...ratings.flatMap(({ rating, counted }) => additionsOfRating(rating, ZONE, counted)),
  ];
}
