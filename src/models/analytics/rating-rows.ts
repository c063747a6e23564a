import type { Rating } from '../../domain/analytics/rating.ts';
import { UTC_ZONES } from '../../domain/vendors/time-zone.ts';
import type { DueRating } from '../../ports/analytics.ts';
import type { RatingRow } from './roll-up-shapes.ts';

/** A rating of an earlier release has no time zones. It was counted by UTC. */
type StoredRating = Omit<RatingRow, 'zones'> & Partial<Pick<RatingRow, 'zones'>>;

/** A stored rating, without the fields of the store. */
export function ratingOf({ _id, state: _state, counted: _counted, zones, ...rating }: StoredRating): Rating {
  return { ...rating, zones: zones ?? UTC_ZONES };
}

/** A stored rating, and how far it is counted. */
export function dueOf(row: RatingRow): DueRating {
  return { rating: ratingOf(row), counted: row.counted };
}
