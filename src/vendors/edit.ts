import type { Caller } from '../domain/access.ts';
import { changesOf, type AuditAction, type Audited, type AuditEntry } from '../domain/audit.ts';
import type { FileEnd } from '../domain/files/file.ts';
import type { LocationId, VendorId } from '../domain/ids.ts';
import { Refusal } from '../domain/refusals/refusals.ts';
import { refuseStale } from '../domain/refusals/refuse-stale.ts';
import type { Vendor, VendorLocation } from '../domain/vendors/vendor.ts';
import { untilWritten } from '../domain/until-written.ts';
import type { Context } from '../ports/context.ts';

export type Needs = Pick<Context, 'vendors' | 'clock' | 'audit'>;

/** A caller with an account of their own, or one who reaches every account. */
export type Asking = Extract<Caller, { type: 'vendor' | 'staff' | 'internal' }>;
/** What every stored object has that people edit. */
type Editable = { readonly version: number; readonly updatedAt: number };

type Fields = Parameters<typeof changesOf>[0];
/** What the audit log says of an edit: the action, and the fields before and after. */
type Told = readonly [action: AuditAction, before: Fields, after: Fields];
type Tell<T> = (before: T, after: T) => Told;

/**
 * Changes a vendor and returns it as it is then. An edit that gives the same object changes nothing and is not audited.
 * @param ifVersion the version that the caller has seen, or null. Refuses `stale_version` for another one, if the edit changes
 *   anything
 * @param endsOf the ends of files that the edit sets, stored in the same transaction
 */
export function editVendor(
  ctx: Needs,
  id: VendorId,
  ifVersion: number | null,
  edit: (vendor: Vendor) => Vendor,
  tell: Tell<Vendor>,
  endsOf: (before: Vendor, after: Vendor) => readonly FileEnd[] = () => [],
): Promise<Vendor> {
  const { vendors } = ctx;
  return editStored(
    ctx,
    ifVersion,
    edit,
    () => vendors.get(id),
    (next, before) =>
      vendors.replace(next, before.version, editOf(ctx, next, tell(before, next)), endsOf(before, next)),
  );
}

/** Changes a location that the caller reaches. Otherwise the same as `editVendor`. */
export function editLocation(
  ctx: Needs,
  caller: Asking,
  id: LocationId,
  ifVersion: number | null,
  edit: (location: VendorLocation) => VendorLocation,
  tell: Tell<VendorLocation>,
): Promise<VendorLocation> {
  const { vendors } = ctx;
  return editStored(
    ctx,
    ifVersion,
    edit,
    () => getLocation(ctx, caller, id),
    (next, before) => vendors.replaceLocation(next, before.version, editOf(ctx, next, tell(before, next))),
  );
}

/** A location that the caller reaches. Refuses `location_not_found`, also if it belongs to another vendor. */
export async function getLocation(
  { vendors }: Pick<Needs, 'vendors'>,
  caller: Asking,
  id: LocationId,
): Promise<VendorLocation> {
  const location = await vendors.findLocation(id);
  const isReached = caller.type !== 'vendor' || location?.vendorId === caller.vendorId;
  if (location === null || !isReached) throw new Refusal('location_not_found');
  return location;
}

/** The entry of the audit log for a new vendor or location. It is stored with the object. */
export function entryOf({ audit }: Pick<Needs, 'audit'>, added: Vendor | VendorLocation, told: Told): AuditEntry {
  return audit.draft(auditedOf(added, told));
}

/** The entry of the audit log for an edit. It is stored with the edit. */
function editOf({ audit }: Pick<Needs, 'audit'>, edited: Vendor | VendorLocation, told: Told): AuditEntry {
  return audit.draftEdit(auditedOf(edited, told));
}

function auditedOf(object: Vendor | VendorLocation, [action, before, after]: Told): Audited {
  const vendorId = 'vendorId' in object ? object.vendorId : object.id;
  return { action, objectId: object.id, vendorId, liveMode: null, changes: changesOf(before, after) };
}

/** The object with the fields that an edit names. It stays the same object if the edit names none. */
export function withFields<T extends object>(before: T, changes: NoInfer<Partial<T>>): T {
  return Object.keys(changes).length === 0 ? before : { ...before, ...changes };
}

async function editStored<T extends Editable>(
  { audit, clock }: Pick<Needs, 'audit' | 'clock'>,
  ifVersion: number | null,
  edit: (stored: T) => T,
  read: () => Promise<T>,
  replace: (next: T, before: T) => Promise<boolean>,
): Promise<T> {
  return untilWritten(async () => {
    const before = await read();
    if (await audit.isEdited()) return read();
    const edited = edit(before);
    // Nothing is left to do, as for the repeat of an edit whose answer was lost, so the version does not matter.
    if (edited === before) return before;
    refuseStale(before, ifVersion);
    const next = { ...edited, version: before.version + 1, updatedAt: clock.now() };
    return (await replace(next, before)) ? next : null;
  });
}
