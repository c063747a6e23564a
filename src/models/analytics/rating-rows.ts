import type { Rating } from '../../domain/analytics/rating.ts';
import type { DueRating } from '../../ports/analytics.ts';
import type { RatingRow } from './roll-up-shapes.ts';

/** A stored rating, without the fields of the store. */
export function ratingOf({ _id, state: _state, counted: _counted, ...rating }: RatingRow): Rating {
  return rating;
}

/** A stored rating, and how far it is counted. */
export function dueOf(row: RatingRow): DueRating {
  return { rating: ratingOf(row), counted: row.counted };
}
