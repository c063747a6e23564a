import type { mongo } from 'mongoose';
import type { Mongo } from '../../engines/mongo.ts';
import { LAST_CREATED_FIRST, markOfCreated, pageOf, rowsAfter } from '../../engines/pages.ts';
import type { CommentFilter, RatingStore } from '../../ports/analytics.ts';
import { ratingOf } from './rating-rows.ts';
import { RATINGS, type RatingRow } from './roll-up-shapes.ts';

/** Stores the ratings. The roll-ups count them later, and remember in the row what they have counted. */
export function createRatingStore(mongo: Mongo): RatingStore {
  const rows = mongo.collection(RATINGS);
  return {
    find: async (id) => {
      const row = await rows.findOne({ _id: id });
      return row === null ? null : ratingOf(row);
    },
    put: async ({ createdAt, zones, ...rating }) => {
      const update = { $set: { ...rating, state: 'due' as const }, $setOnInsert: { createdAt, zones, counted: null } };
      await rows.updateOne({ _id: rating.id }, update, { upsert: true });
    },
    listComments: async (filter, { limit, after }) => {
      const found = await rows
        .find({ ...commentsOf(filter), ...rowsAfter(after, LAST_CREATED_FIRST) })
        .sort(LAST_CREATED_FIRST)
        .limit(limit + 1)
        .toArray();
      return pageOf(found.map(ratingOf), limit, markOfCreated);
    },
  };
}

function commentsOf({ vendorId, liveMode, courierId }: CommentFilter): mongo.Filter<RatingRow> {
  return {
    liveMode,
    comment: { $type: 'string' },
    ...(vendorId === undefined ? {} : { vendorId }),
    ...(courierId === undefined ? {} : { courierId }),
  };
}
