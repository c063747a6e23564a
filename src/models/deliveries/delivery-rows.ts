import type { mongo } from 'mongoose';
import { lastVisitOf, type Delivery, type TrackingLink } from '../../domain/deliveries/delivery.ts';
import { duesOf, type DueRules } from '../../domain/deliveries/due.ts';
import type { DeliveryId, VendorId } from '../../domain/ids.ts';
import { termsOf } from './delivery-terms.ts';
import type { Mongo } from '../../engines/mongo.ts';
import { ENDING } from '../../engines/retention.ts';
import { date, flag, id, list, text } from '../../engines/shapes/fields.ts';
import { shape } from '../../engines/shapes/shape.ts';
import { OWNED } from '../common-fields.ts';
import { DELIVERIES, type DeliveryRow } from './delivery-shape.ts';

type Rows = mongo.Collection<DeliveryRow>;
type Filter = mongo.Filter<DeliveryRow>;

/** The bare collection of deliveries. */
export function deliveriesIn(mongo: Mongo): Rows {
  return mongo.collection(DELIVERIES);
}

/** Finds deliveries, whatever version of the server stored them. */
export function findDeliveries(
  rows: Rows,
  filter: Filter,
  options: mongo.FindOptions = {},
): mongo.FindCursor<Delivery> {
  return rows.find<StoredDelivery>(filter, { ...AS_DELIVERY, ...options }).map(toDelivery);
}

/** Finds one delivery, or null. */
export async function findDelivery(
  rows: Rows,
  filter: Filter,
  options: mongo.FindOptions = {},
): Promise<Delivery | null> {
  const stored = await rows.findOne<StoredDelivery>(filter, { ...AS_DELIVERY, ...options });
  return stored === null ? null : toDelivery(stored);
}

/**
 * A delivery as older versions of the server may have stored it. It may have one link for the last visit instead of one
 * for each drop-off, and may lack the limit of its search.
 */
export type StoredDelivery = Omit<Delivery, 'links' | 'searchLimitMs'> & Partial<Old>;
type Old = { readonly link: Omit<TrackingLink, 'stop'> } & Pick<Delivery, 'links' | 'searchLimitMs'>;

/** Makes the delivery from a document that was read without its extra fields. */
export function toDelivery({ link, ...stored }: StoredDelivery): Delivery {
  const { links, searchLimitMs } = stored;
  return {
    ...stored,
    links: links ?? (link === undefined ? [] : [{ ...link, stop: lastVisitOf(stored).index }]),
    searchLimitMs: searchLimitMs ?? stored.searchUntilAt - stored.searchCountsFromAt,
  };
}

/** Leaves out the extra fields of a document. `phoneTails` was the name of `terms` in an older version. */
const AS_DELIVERY = { projection: { _id: 0, terms: 0, dues: 0, phoneTails: 0 } } as const;

/** Makes the document of a delivery. Only this function derives the extra fields. */
export function deliveryRow(delivery: Delivery, rules: DueRules): DeliveryRow {
  const { search, late, expire } = duesOf(delivery, rules);
  return {
    _id: delivery.id,
    ...delivery,
    terms: termsOf(delivery),
    dues: {
      ...(search === null ? {} : { search }),
      ...(late === null ? {} : { late }),
      ...(expire === null ? {} : { expire }),
    },
  };
}

type PolylineRow = {
  readonly _id: DeliveryId;
  readonly vendorId: VendorId;
  readonly liveMode: boolean;
  readonly polylines: readonly string[];
  readonly endsOn: Date;
};

export const POLYLINES = shape<PolylineRow>({
  name: 'polylines',
  holds: 'The way of one delivery along streets, as pages draw it. A delivery with an estimate has none.',
  kept: '`RETENTION_POLYLINES_MS` after the create.',
  shardKey: { _id: 'hashed' },
  tenant: OWNED,
  indexes: [ENDING],
  fields: {
    _id: id('del', 'The delivery.'),
    vendorId: id('ven', 'The vendor of the delivery.'),
    liveMode: flag('False for a delivery of test mode.'),
    polylines: list(
      text('One encoded line.'),
      'The line of each leg, in the order of visits; 2,048 characters at most.',
    ),
    endsOn: date('When the database may delete the lines.'),
  },
});
