import { RATERS, type Opinion, type Rater, type Rating } from '../../domain/analytics/rating.ts';
import { SUBJECTS, type RollUpKey, type Subject } from '../../domain/analytics/roll-up.ts';
import type { Sums } from '../../domain/analytics/sums.ts';
import { flag, id, map, maybe, number, oneOf, part, text } from '../../engines/shapes/fields.ts';
import { shape } from '../../engines/shapes/shape.ts';
import { OWNED, timeZones } from '../common-fields.ts';

export type RollUpRow = RollUpKey & {
  readonly _id: string;
  /** The rebuild that made the row. */
  readonly generation: number;
  readonly sums: Sums;
};

export const ROLL_UPS = shape<RollUpRow>({
  name: 'roll_ups',
  holds: 'The sums of one date or week, from which analytics and courier metrics are answered.',
  kept: 'Always: their number grows with the days, the vendors and the couriers who work for them, and at most with the deliveries.',
  shardKey: { _id: 'hashed' },
  indexes: [{ key: { generation: 1, subject: 1, scope: 1, date: 1 } }],
  fields: {
    _id: text('Generation, subject, scope, date and part.'),
    generation: number('The rebuild that made the row. A rebuild writes new rows beside the old ones.'),
    subject: oneOf<Subject>(SUBJECTS, 'The things that the row counts.'),
    scope: text('Mode and vendor, mode and location, the platform in a mode, or a courier.'),
    date: text(
      'The date on which the deliveries ended, in the time zone of the scope, or their week, such as 2026-01-05/P1W.',
    ),
    part: text('Category or location with the currency, or a courier; empty if the date is not divided.'),
    sums: map(number('One sum.'), 'Counts, amounts, milliseconds and classes of spans, by name.'),
  },
});

/** The ratings of the indexes of comments. */
const WITH_COMMENT = { comment: { $type: 'string' } } as const;

/** A rating, and how far the roll-ups have counted it. */
export type RatingRow = Rating & {
  readonly _id: string;
  readonly state: 'due' | 'done';
  readonly counted: Opinion | null;
};

export const RATINGS = shape<RatingRow>({
  name: 'ratings',
  holds: 'The opinion of a recipient or of a vendor on the courier of one delivery.',
  kept: 'Always, like the delivery.',
  shardKey: { _id: 'hashed' },
  before: { lacks: ['zones'] },
  tenant: OWNED,
  indexes: [
    { key: { deliveryId: 1 } },
    { key: { state: 1, changedAt: 1, _id: 1 }, partialFilterExpression: { state: 'due' } },
    { key: { vendorId: 1, liveMode: 1, createdAt: -1, _id: -1 }, partialFilterExpression: WITH_COMMENT },
    { key: { vendorId: 1, liveMode: 1, courierId: 1, createdAt: -1, _id: -1 }, partialFilterExpression: WITH_COMMENT },
    { key: { liveMode: 1, createdAt: -1, _id: -1 }, partialFilterExpression: WITH_COMMENT },
    { key: { liveMode: 1, courierId: 1, createdAt: -1, _id: -1 }, partialFilterExpression: WITH_COMMENT },
  ],
  fields: {
    _id: text('The delivery, and the drop-off or `vendor`.'),
    id: text('The delivery, and the drop-off or `vendor`.'),
    deliveryId: id('del', 'The delivery.'),
    by: oneOf<Rater>(RATERS, 'Whose opinion it is.'),
    vendorId: id('ven', 'The vendor of the delivery.'),
    liveMode: flag('False for a delivery of test mode.'),
    courierId: id('cou', 'The courier.'),
    locationId: maybe(id('loc', 'The vendor location of the pickup.')),
    zones: timeZones('The time zones of the dates on which the rating counts.'),
    endedAt: number('When the drop-off or the delivery had ended, service time in ms.'),
    stars: number('One to five.'),
    comment: maybe(text('The words of the rater.')),
    changes: number('How often it was changed.'),
    createdAt: number('When it was first given, service time in ms.'),
    changedAt: number('When it was last changed.'),
    state: oneOf(['due', 'done'], 'Whether the roll-ups have counted this opinion.'),
    counted: maybe(
      part<Opinion>(
        { stars: number('The counted stars.'), comment: maybe(text('The counted comment.')) },
        'The opinion that the roll-ups contain; null if they contain none.',
      ),
    ),
  },
});
