import type { Caller } from './access.ts';
import type { VendorId } from './ids.ts';

/** A vendor's account in one mode. Each keeps its rows apart from those of all others. */
export type Tenant = { readonly vendorId: VendorId; readonly liveMode: boolean };

type Others = Exclude<Caller['type'], 'vendor'> | 'anyone' | 'system';

/** The callers and the work that may read and write rows of several tenants, with the reason. Vendors are not among them. */
// One row per line: this is a table.
// oxfmt-ignore
const ACROSS_TENANTS = {
  courier:        'A courier carries deliveries of many vendors. They see a delivery only while they carry it or if they ended it.',
  staff:          'Staff look after all vendors. Their role decides what they may do, and the audit log names them.',
  internal:       'An internal service acts for the vendors that it names.',
  recipient:      'A tracking link names one delivery, and the server finds it by the hash of the link.',
  anyone:         'Before a login nobody is known. These routes show pages and documents, or the delivery of a link.',
  system:         'Loops serve all vendors: they lead regions, send webhooks, count, remind and clean up.',
  own_edit:       'The edit of a request has an entry in the audit log with an id of the request. It may be about both modes.',
} as const satisfies Record<Others, string> & Record<string, string>;

export type AcrossTenants = keyof typeof ACROSS_TENANTS;

/** The tenant to which the requests of this caller are confined; null if they may work across tenants. */
export function tenantOf(caller: Caller | null): Tenant | null {
  return caller?.type === 'vendor' ? { vendorId: caller.vendorId, liveMode: caller.liveMode } : null;
}
