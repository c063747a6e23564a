import { type Offer, type OfferState, CLOSED_STATES } from '../../domain/offers/offer.ts';
import { ENDING } from '../../engines/retention.ts';
import { date, flag, id, maybe, number, omissible, oneOf, text, type Fields } from '../../engines/shapes/fields.ts';
import { shape } from '../../engines/shapes/shape.ts';

export type OfferRow = Offer & { readonly _id: string };
/** A closed offer, when it expires, and whether the roll-ups have counted it. */
export type ClosedOfferRow = OfferRow & { readonly endsOn: Date; readonly counted?: 'due' | 'done' };
export type RegionRow = { readonly _id: string; readonly fence: number };

const OFFER: Fields<OfferRow> = {
  _id: text('The offer’s id.'),
  id: id('off', 'The offer’s id.'),
  deliveryId: id('del', 'The delivery that is offered.'),
  deliveryVersion: number('The version of the delivery that its leader read.'),
  courierId: id('cou', 'The courier who gets the offer.'),
  region: text('The H3 cell whose leader made the offer.'),
  fence: number('The fencing number of that leader.'),
  isExclusive: flag('True if no other courier may get an offer at the same time.'),
  state: oneOf<OfferState>(['open', ...CLOSED_STATES], 'Whether the offer is open, or how it ended.'),
  distanceM: maybe(number('The courier’s way to the pickup in metres along streets; null if it was not measured.')),
  createdAt: number('When the offer was made, service time in ms.'),
  expiresAt: number('When the offer expires, service time in ms.'),
  deliveredAt: maybe(number('When the courier’s phone acknowledged the offer.')),
  closedAt: maybe(number('When the offer ended.')),
  reason: maybe(text('Why the offer was declined or withdrawn.')),
};

/** Open offers. The couriers online bound their number. The unique indexes rule out shards. */
export const OFFERS = shape<OfferRow>({
  name: 'offers',
  holds: 'An open offer of a delivery to a courier.',
  kept: 'Until the offer is answered, expires or is withdrawn. Then it moves to `offer_history`.',
  shardKey: null,
  indexes: [
    { key: { courierId: 1 }, unique: true, partialFilterExpression: { state: 'open' } },
    { key: { deliveryId: 1 }, unique: true, partialFilterExpression: { state: 'open', isExclusive: true } },
    { key: { deliveryId: 1, _id: 1 } },
    { key: { region: 1 } },
    { key: { expiresAt: 1 } },
  ],
  before: { lacks: ['deliveryVersion'] },
  fields: OFFER,
});

export const OFFER_HISTORY = shape<ClosedOfferRow>({
  name: 'offer_history',
  holds: 'A closed offer. It never changes.',
  kept: '`RETENTION_OFFERS_MS` after the offer ended.',
  shardKey: { deliveryId: 'hashed' },
  indexes: [
    { key: { deliveryId: 1, closedAt: 1 } },
    { key: { counted: 1, closedAt: 1, _id: 1 }, partialFilterExpression: { counted: 'due' } },
    ENDING,
  ],
  before: { lacks: ['deliveryVersion', 'endsOn'] },
  fields: {
    ...OFFER,
    endsOn: date('When the database may delete the offer.'),
    counted: omissible(oneOf(['due', 'done'], 'Whether the roll-ups have counted the offer.')),
  },
});

export const REGIONS = shape<RegionRow>({
  name: 'regions',
  holds: 'The newest known leader of a region with offers.',
  kept: 'Always.',
  shardKey: null,
  indexes: [],
  fields: {
    _id: text('The H3 cell of the region.'),
    fence: number('The highest fencing number that a leader has shown.'),
  },
});
