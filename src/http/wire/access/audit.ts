import { z } from 'zod';
import { AUDIT_ACTION_NAMES, AUDITED_ACTORS, type AuditEntry } from '../../../domain/audit.ts';
import { idSchema } from '../../../domain/ids.ts';
import { isoTime } from '../../../domain/time.ts';
import { pageQuery } from '../../lists.ts';
import { DateRange, DATES_BEGIN } from '../date-range.ts';

const WORD = /^[\x21-\x7e]+$/;

export const AuditQuery = z.strictObject({
  ...pageQuery,
  actor: z
    .string()
    .min(1)
    .max(64)
    .regex(WORD, 'must be visible ASCII characters')
    .exactOptional()
    .describe('The id of the actor: a member of staff, an API key, or the name of a service or operator'),
  action: z.enum(AUDIT_ACTION_NAMES).exactOptional().describe('The action'),
  object: z
    .string()
    .min(1)
    .max(64)
    .regex(WORD, 'must be visible ASCII characters')
    .exactOptional()
    .describe('The id of the object'),
  date_range: DateRange.exactOptional().describe(
    `Half-open range of the time of the action, from/to, at most 92 days. ${DATES_BEGIN}`,
  ),
});

const Value = z.union([z.string(), z.number(), z.boolean(), z.array(z.string()), z.null()]);

export const AuditView = z.strictObject({
  id: idSchema('aud').describe('The id of the entry'),
  object: z.literal('audit_entry').describe('The kind of object'),
  at: z.iso.datetime().describe('When it was done, UTC'),
  actor: z
    .strictObject({
      type: z.enum(AUDITED_ACTORS).describe('The kind of actor'),
      id: z
        .string()
        .exactOptional()
        .describe('The account, the API key, the service or the operator. A vendor does not see the ids of staff'),
    })
    .describe('The person or program that did it'),
  action: z.enum(AUDIT_ACTION_NAMES).describe('The action'),
  object_id: z.string().describe('The id of the object'),
  vendor_id: idSchema('ven').nullable().describe('The vendor that it concerns; null for none'),
  live_mode: z.boolean().nullable().describe('The mode that it concerns; null for both'),
  changes: z
    .record(z.string(), z.strictObject({ from: Value, to: Value }))
    .describe('The changed fields with their values before and after. It never contains a secret'),
  request_id: z.string().nullable().describe('The request; null for a socket or the command line'),
  network: z
    .string()
    .nullable()
    .describe('The network of the request: an IPv4 address, or the first 64 bits of IPv6. Vendors see only their own'),
});

/** The entry as admins see it. */
export function presentAudit(entry: AuditEntry): z.output<typeof AuditView> {
  const { actor } = entry;
  return {
    id: entry.id,
    object: 'audit_entry',
    at: isoTime(entry.at),
    actor: actor.id === null ? { type: actor.type } : { type: actor.type, id: actor.id },
    action: entry.action,
    object_id: entry.objectId,
    vendor_id: entry.vendorId,
    live_mode: entry.liveMode,
    changes: Object.fromEntries(
      Object.entries(entry.changes).map(([name, { from, to }]) => [name, { from: shown(from), to: shown(to) }]),
    ),
    request_id: entry.requestId,
    network: entry.network,
  };
}

/** The entry as its vendor sees it: without the ids and networks of others. */
export function presentToVendor(entry: AuditEntry): z.output<typeof AuditView> {
  const view = presentAudit(entry);
  const { type } = entry.actor;
  return type === 'vendor' ? view : { ...view, actor: { type }, request_id: null, network: null };
}

function shown(value: AuditEntry['changes'][string]['from']): z.output<typeof Value> {
  return typeof value === 'object' && value !== null ? [...value] : value;
}
