import { z } from 'zod';
import { MOST_COMMENT, RATERS, type Opinion, type Rating } from '../../../domain/analytics/rating.ts';
import { idSchema } from '../../../domain/ids.ts';
import { isoTime } from '../../../domain/time.ts';
import { proseOf } from '../../../domain/text.ts';

/** The opinion of a recipient or a vendor. */
export const RatingBody = z
  .strictObject({
    rating: z.number().int().min(1).max(5).describe('One to five stars; five is best'),
    comment: proseOf(MOST_COMMENT)
      .exactOptional()
      .describe('A comment, at most 500 characters. The courier does not see it'),
  })
  .transform(({ rating, comment = '' }): Opinion => ({ stars: rating, comment: comment === '' ? null : comment }));

export const RatingView = z.strictObject({
  object: z.literal('rating').describe('The kind of object'),
  delivery_id: idSchema('del').describe('The delivery'),
  courier_id: idSchema('cou').describe('The courier'),
  by: z.enum(RATERS).describe('Whose rating it is'),
  rating: z.number().int().min(1).max(5).describe('One to five stars'),
  comment: z.string().nullable().describe('The words of the rater; null if there are none'),
  created_at: z.iso.datetime().describe('When it was first given'),
  updated_at: z.iso.datetime().describe('When it was last changed'),
});

export function presentRating(rating: Rating): z.output<typeof RatingView> {
  return {
    object: 'rating',
    delivery_id: rating.deliveryId,
    courier_id: rating.courierId,
    by: rating.by,
    rating: rating.stars,
    comment: rating.comment,
    created_at: isoTime(rating.createdAt),
    updated_at: isoTime(rating.changedAt),
  };
}
