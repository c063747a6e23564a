import { typeidUnboxed, fromString } from 'typeid-js';
import { z } from 'zod';

/** The prefixes of every id that the server hands out. An id is `prefix_` and 26 characters of a UUIDv7. */
export const PREFIXES = [
  'del',
  'qte',
  'cou',
  'ven',
  'loc',
  'zon',
  'off',
  'trk',
  'evt',
  'whk',
  'att',
  'key',
  'req',
  'ses',
  'stf',
  'alm',
  'run',
  'dev',
  'aud',
  'fil',
  'prf',
  'doc',
  'txn',
  'prl',
  'pay',
  'top',
  'tur',
  'sus',
  'adj',
  'inv',
  'stl',
  'rfd',
  'dsp',
  'sub',
] as const;

export type Prefix = (typeof PREFIXES)[number];
export type Id<P extends Prefix> = `${P}_${string}`;

export type DeliveryId = Id<'del'>;
export type QuoteId = Id<'qte'>;
export type CourierId = Id<'cou'>;
export type VendorId = Id<'ven'>;
export type LocationId = Id<'loc'>;
export type ZoneId = Id<'zon'>;
export type OfferId = Id<'off'>;
export type LinkId = Id<'trk'>;
export type EventId = Id<'evt'>;
export type RegistrationId = Id<'whk'>;
export type AttemptId = Id<'att'>;
export type KeyId = Id<'key'>;
export type SessionId = Id<'ses'>;
export type StaffId = Id<'stf'>;
export type AlarmId = Id<'alm'>;
export type DeviceId = Id<'dev'>;
export type RunId = Id<'run'>;
export type AuditId = Id<'aud'>;
export type FileId = Id<'fil'>;
export type ProofId = Id<'prf'>;
export type DocumentId = Id<'doc'>;
export type SettlementId = Id<'stl'>;
export type PayoutId = Id<'pay'>;
export type TransactionId = Id<'txn'>;
export type InvoiceId = Id<'inv'>;
export type RefundId = Id<'rfd'>;
export type DisputeId = Id<'dsp'>;
export type TopUpId = Id<'top'>;
export type TopUpRefundId = Id<'tur'>;
export type SuspenseId = Id<'sus'>;
export type AdjustmentId = Id<'adj'>;
export type SubsidyId = Id<'sub'>;

/** Makes a new id. Ids made by one process sort in the order they were made. */
export function newId<P extends Prefix>(prefix: P): Id<P> {
  return typeidUnboxed(prefix) as string as Id<P>;
}

/** Says whether the text is a well-formed id of this prefix. */
export function isId<P extends Prefix>(prefix: P, text: unknown): text is Id<P> {
  if (typeof text !== 'string' || !text.startsWith(`${prefix}_`)) return false;
  try {
    fromString(text, prefix);
    return true;
  } catch {
    // The library throws for a malformed id. Here that is an answer and not a fault.
    return false;
  }
}

/** The schema of an id of this prefix, for wire bodies. */
export function idSchema<P extends Prefix>(prefix: P): z.ZodCustom<Id<P>, Id<P>> {
  return z
    .custom<Id<P>>((value) => isId(prefix, value), {
      message: `must be an id that starts with \`${prefix}_\``,
      params: { stated: true },
    })
    .meta({ type: 'string', pattern: `^${prefix}_[0-7][0-9a-hjkmnp-tv-z]{25}$` });
}
