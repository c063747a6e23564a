import { z } from 'zod';
import { idSchema, type Id } from '../domain/ids.ts';
import type { PlainCode } from '../domain/refusals/refusals.ts';
import { ExternalIdBody, StopNumber } from './wire/place.ts';

/** The ids that a path may contain, as the endpoints get them. */
export type Ids = {
  delivery: Id<'del'>;
  courier: Id<'cou'>;
  key: Id<'key'>;
  session: Id<'ses'>;
  staff: Id<'stf'>;
  webhook: Id<'whk'>;
  event: Id<'evt'>;
  location: Id<'loc'>;
  zone: Id<'zon'>;
  vendor: Id<'ven'>;
  link: string;
  order: string;
  offer: Id<'off'>;
  stop: number;
  device: Id<'dev'>;
  document: Id<'doc'>;
  ownDocument: Id<'doc'>;
  pricingRule: Id<'prl'>;
  payout: Id<'pay'>;
  topUp: Id<'top'>;
  topUpRefund: Id<'tur'>;
  suspense: Id<'sus'>;
  adjustment: Id<'adj'>;
  transaction: Id<'txn'>;
  invoice: string;
  settlement: Id<'stl'>;
  dispute: Id<'dsp'>;
};
/** An invoice, a delivery, or a month. */
const InvoiceName = z.string().regex(/^((inv|del)_[0-7][0-9a-hjkmnp-tv-z]{25}|[12][0-9]{3}-(0[1-9]|1[0-2]))$/);

export type IdKind = keyof Ids;

type PathId<T> = { readonly name: string; readonly schema: z.ZodType<T>; readonly absent: PlainCode };

/** The ids that a path may contain. A malformed id is answered like an unknown one. */
export const PATH_IDS: { readonly [K in IdKind]: PathId<Ids[K]> } = {
  delivery: { name: 'id', schema: idSchema('del'), absent: 'delivery_not_found' },
  courier: { name: 'id', schema: idSchema('cou'), absent: 'courier_not_found' },
  location: { name: 'id', schema: idSchema('loc'), absent: 'location_not_found' },
  zone: { name: 'zone_id', schema: idSchema('zon'), absent: 'zone_not_found' },
  vendor: { name: 'id', schema: idSchema('ven'), absent: 'vendor_not_found' },
  order: { name: 'order_id', schema: ExternalIdBody, absent: 'order_not_found' },
  key: { name: 'id', schema: idSchema('key'), absent: 'api_key_not_found' },
  session: { name: 'id', schema: idSchema('ses'), absent: 'session_not_found' },
  staff: { name: 'id', schema: idSchema('stf'), absent: 'staff_not_found' },
  webhook: { name: 'id', schema: idSchema('whk'), absent: 'webhook_not_found' },
  event: { name: 'id', schema: idSchema('evt'), absent: 'event_not_found' },
  link: { name: 'token', schema: z.string().max(128), absent: 'tracking_link_not_found' },
  offer: { name: 'offer_id', schema: idSchema('off'), absent: 'offer_not_found' },
  stop: { name: 'stop', schema: StopNumber, absent: 'stop_not_found' },
  device: { name: 'device_id', schema: idSchema('dev'), absent: 'device_not_found' },
  document: { name: 'id', schema: idSchema('doc'), absent: 'document_not_found' },
  pricingRule: { name: 'id', schema: idSchema('prl'), absent: 'pricing_rule_not_found' },
  topUp: { name: 'id', schema: idSchema('top'), absent: 'top_up_not_found' },
  topUpRefund: { name: 'id', schema: idSchema('tur'), absent: 'top_up_refund_not_found' },
  suspense: { name: 'id', schema: idSchema('sus'), absent: 'suspense_not_found' },
  adjustment: { name: 'id', schema: idSchema('adj'), absent: 'adjustment_not_found' },
  invoice: { name: 'id', schema: InvoiceName, absent: 'invoice_not_found' },
  transaction: { name: 'id', schema: idSchema('txn'), absent: 'transaction_not_found' },
  settlement: { name: 'id', schema: idSchema('stl'), absent: 'settlement_not_found' },
  dispute: { name: 'id', schema: idSchema('dsp'), absent: 'dispute_not_found' },
  payout: { name: 'id', schema: idSchema('pay'), absent: 'payout_not_found' },
  ownDocument: { name: 'document_id', schema: idSchema('doc'), absent: 'document_not_found' },
};
