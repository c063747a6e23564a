import type { Delivery } from '../domain/delivery.ts';

/** A delivery as a document. `phoneTails` holds the recipients' phone digits backwards, so that an index finds last digits. */
export type DeliveryRow = Delivery & { readonly _id: string; readonly phoneTails: readonly string[] };

/** What is stored beside the delivery is not read with it. */
export const AS_DELIVERY = { projection: { _id: 0, phoneTails: 0 } } as const;

export function deliveryRow(delivery: Delivery): DeliveryRow {
  const phones = delivery.dropOffs.flatMap(({ contact }) => (contact === null ? [] : [contact.phone]));
  return { _id: delivery.id, ...delivery, phoneTails: [...new Set(phones.map(backwards))] };
}

/** The digits of a phone number, last one first. */
export function backwards(phone: string): string {
  return phone.replaceAll(/\D/g, '').split('').toReversed().join('');
}
