import type { Delivery } from '../domain/delivery.ts';
import { duesOf, type DueRules, type Duty } from '../domain/due.ts';
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

/** What is stored beside the delivery is not read with it. */
export const AS_DELIVERY = { projection: { _id: 0, terms: 0, dues: 0 } } as const;

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
