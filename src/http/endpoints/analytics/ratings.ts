import { dateIn } from '../../../domain/analytics/local-date.ts';
import { lastDates } from '../../../domain/analytics/range.ts';
import { UTC } from '../../../domain/vendors/time-zone.ts';
import { readCourierMetrics } from '../../../vendors/analytics/read-figures.ts';
import { presentTrackRating } from '../../../dispatch/deliveries/track-state.ts';
import { rateDelivery } from '../../../vendors/rate-delivery.ts';
import { getVisible } from '../../answers.ts';
import { endpoint } from '../../endpoint.ts';
import { MetricsQuery, MetricsView, presentMetrics } from '../../wire/analytics/metrics.ts';
import { presentRating, RatingBody, RatingView } from '../../wire/analytics/ratings.ts';
import { TrackRatingView } from '../../../domain/views/track-view.ts';

const CHANGES = 'The same rater can change a rating for 24 hours. Equal requests change nothing.';

/** Ratings, and the figures of one courier. */
export const RATINGS = [
  endpoint({
    route: 'GET /couriers/{id}/metrics',
    name: 'getCourierMetrics',
    tag: 'Couriers',
    summary: 'Read the figures of a courier',
    description:
      'Returns success, acceptance, completion times, punctuality and ratings by UTC dates. Couriers can read only ' +
      'their own figures.',
    id: 'courier',
    query: MetricsQuery,
    reply: MetricsView,
    status: 200,
    run: async (ctx, { id, query }) => {
      await ctx.couriers.get(id);
      const dates = query.date_range ?? lastDates(dateIn(UTC, ctx.clock.now()));
      return presentMetrics(id, dates, await readCourierMetrics(ctx, id, dates));
    },
  }),
  endpoint({
    route: 'POST /deliveries/{id}/rating',
    name: 'rateDelivery',
    tag: 'Deliveries',
    summary: 'Rate the courier of a delivery',
    description: `Stores the vendor's rating of the courier after the delivery has ended. ${CHANGES}`,
    id: 'delivery',
    body: RatingBody,
    reply: RatingView,
    status: 200,
    run: async (ctx, { caller, id, body }) =>
      presentRating(await rateDelivery(ctx, await getVisible(ctx, caller, id), null, body)),
  }),
  endpoint({
    route: 'POST /t/{token}/rating',
    name: 'rateByLink',
    tag: 'Tracking',
    summary: 'Rate the courier as the recipient',
    description:
      'Stores the rating of the recipient of this link after their drop-off has ended. They can change it until the ' +
      'link ends, which is two hours after the drop-off. Equal requests change nothing.',
    id: 'link',
    body: RatingBody,
    reply: TrackRatingView,
    status: 200,
    run: async (ctx, { id, body }) => {
      const { delivery, caller } = await ctx.links.open(id);
      const rating = await rateDelivery(ctx, delivery, caller.stop, body);
      return presentTrackRating(ctx, delivery, caller.stop, rating);
    },
  }),
];
