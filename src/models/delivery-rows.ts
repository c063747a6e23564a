import type { Delivery } from '../domain/delivery.ts';
import { duesOf, type DueRules, type Duty } from '../domain/due.ts';

/**
 * A delivery as a document, with what only the database needs beside it. `phoneTails` holds the recipients' phone digits
 * backwards, so that an index finds last digits. `dues` holds when each duty must look at an open delivery.
 */
export type DeliveryRow = Delivery & {
  readonly _id: string;
  readonly phoneTails: readonly string[];
  readonly dues: { readonly [D in Duty]?: number };
};

/** What is stored beside the delivery is not read with it. */
export const AS_DELIVERY = { projection: { _id: 0, phoneTails: 0, dues: 0 } } as const;

/** Makes the document of a delivery: the one place that derives what is stored beside it. */
export function deliveryRow(delivery: Delivery, rules: DueRules): DeliveryRow {
  const phones = delivery.dropOffs.flatMap(({ contact }) => (contact === null ? [] : [contact.phone]));
  const { search, late } = duesOf(delivery, rules);
  return {
    _id: delivery.id,
    ...delivery,
    phoneTails: [...new Set(phones.map(backwards))],
    dues: { ...(search === null ? {} : { search }), ...(late === null ? {} : { late }) },
  };
}

/** The digits of a phone number, last one first. */
export function backwards(phone: string): string {
  return phone.replaceAll(/\D/g, '').split('').toReversed().join('');
}
