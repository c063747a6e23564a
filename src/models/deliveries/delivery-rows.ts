import type { mongo } from 'mongoose';
import { lastVisitOf, type Delivery, type TrackingLink } from '../../domain/deliveries/delivery.ts';
import { duesOf, type DueRules } from '../../domain/deliveries/due.ts';
import { termsOf } from './delivery-terms.ts';
import type { Mongo } from '../../engines/mongo.ts';
import { DELIVERIES, type DeliveryRow } from './delivery-shape.ts';
import { POLYLINES, type PolylineRow } from './polyline-shape.ts';

type Rows = mongo.Collection<DeliveryRow>;
type Polylines = mongo.Collection<PolylineRow>;
type Filter = mongo.Filter<DeliveryRow>;

/** The bare collection of deliveries. */
export function deliveriesIn(mongo: Mongo): Rows {
  return mongo.collection(DELIVERIES);
}

/** The bare collection of the lines of their ways. */
export function polylinesIn(mongo: Mongo): Polylines {
  return mongo.collection(POLYLINES);
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
  const { search, late, expire, forget } = duesOf(delivery, rules);
  return {
    _id: delivery.id,
    ...delivery,
    terms: termsOf(delivery),
    dues: {
      ...(search === null ? {} : { search }),
      ...(late === null ? {} : { late }),
      ...(expire === null ? {} : { expire }),
      ...(forget === null ? {} : { forget }),
    },
  };
}
