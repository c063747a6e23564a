import type { mongo } from 'mongoose';
import { lastVisitOf, type Delivery, type TrackingLink } from '../../domain/deliveries/delivery.ts';
import { duesOf, type DueRules, type Duty } from '../../domain/deliveries/due.ts';
import { termsOf } from './delivery-terms.ts';

/**
 * A delivery as a document, with what only the database needs beside it: the words by which it is searched for, and when
 * each duty must look at it while it is open.
 */
export type DeliveryRow = Delivery & {
  readonly _id: string;
  readonly terms: readonly string[];
  readonly dues: { readonly [D in Duty]?: number };
};

type Rows = mongo.Collection<DeliveryRow>;
type Filter = mongo.Filter<DeliveryRow>;

/** The deliveries that fit, however they were stored. */
export function findDeliveries(rows: Rows, filter: Filter): mongo.FindCursor<Delivery> {
  return rows.find<StoredDelivery>(filter, AS_DELIVERY).map(toDelivery);
}

/** One of them, or null. */
export async function findDelivery(
  rows: Rows,
  filter: Filter,
  options: mongo.FindOptions = {},
): Promise<Delivery | null> {
  const stored = await rows.findOne<StoredDelivery>(filter, { ...AS_DELIVERY, ...options });
  return stored === null ? null : toDelivery(stored);
}

/**
 * As it may be stored by an older version of the server: with one link, that of the last visit, in place of one for each
 * drop-off, and without the limit of its search.
 */
export type StoredDelivery = Omit<Delivery, 'links' | 'searchLimitMs'> & Partial<Old>;
type Old = { readonly link: Omit<TrackingLink, 'stop'> } & Pick<Delivery, 'links' | 'searchLimitMs'>;

/** The delivery of a document that was read without what is stored beside it. */
export function toDelivery({ link, ...stored }: StoredDelivery): Delivery {
  const { links, searchLimitMs } = stored;
  return {
    ...stored,
    links: links ?? (link === undefined ? [] : [{ ...link, stop: lastVisitOf(stored).index }]),
    searchLimitMs: searchLimitMs ?? stored.searchUntilAt - stored.searchCountsFromAt,
  };
}

/** What is stored beside the delivery is not read with it; `phoneTails` is what an older version had for `terms`. */
const AS_DELIVERY = { projection: { _id: 0, terms: 0, dues: 0, phoneTails: 0 } } as const;

/** Makes the document of a delivery: the one place that derives what is stored beside it. */
export function deliveryRow(delivery: Delivery, rules: DueRules): DeliveryRow {
  const { search, late } = duesOf(delivery, rules);
  return {
    _id: delivery.id,
    ...delivery,
    terms: termsOf(delivery),
    dues: { ...(search === null ? {} : { search }), ...(late === null ? {} : { late }) },
  };
}
