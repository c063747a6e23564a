import type { VendorId } from '../domain/ids.ts';
import { hoursOf, type Hours } from '../domain/vendors/hours.ts';
import type { Vendor, VendorLocation } from '../domain/vendors/vendor.ts';
import { editLocation, editVendor, type Asking, type Needs } from './edit.ts';

type SetHours = {
  readonly vendorId: VendorId;
  /** Null sets the hours of all locations, also of those that have hours of their own. */
  readonly locationId: VendorLocation['id'] | null;
  readonly hours: Hours;
  readonly ifVersion: number | null;
};

/** The hours that count, for a location or for all of them, and the version of the object that has them. */
export type HoursOf = {
  readonly vendorId: VendorId;
  readonly locationId: VendorLocation['id'] | null;
  readonly hours: Hours | null;
  readonly version: number;
};

/** Sets the hours of one location, or of all at once. Deliveries that exist already go on. */
export async function setHours(ctx: Needs, caller: Asking, command: SetHours): Promise<HoursOf> {
  const { vendorId, locationId, hours, ifVersion } = command;
  if (locationId === null) {
    // The hours that locations had of their own belong to an older edition, and count no more.
    const edit = (before: Vendor): Vendor => ({ ...before, hours, hoursEdition: before.hoursEdition + 1 });
    const vendor = await editVendor(ctx, vendorId, ifVersion, edit, (old, set) => [
      'vendor.hours',
      told(old.hours),
      told(set.hours),
    ]);
    return { vendorId, locationId, hours: vendor.hours, version: vendor.version };
  }
  const vendor = await ctx.vendors.get(vendorId);
  const edition = vendor.hoursEdition;
  const edit = (before: VendorLocation): VendorLocation => ({ ...before, hours: { ...hours, edition } });
  const location = await editLocation(ctx, caller, locationId, ifVersion, edit, (old, set) => [
    'location.hours',
    told(hoursOf(vendor, old)),
    told(set.hours),
  ]);
  return { vendorId, locationId, hours: location.hours, version: location.version };
}

function told(hours: Hours | null) {
  if (hours === null) return null;
  const { timezone, weekly, exceptions } = hours;
  return { timezone, weekly: JSON.stringify(weekly), exceptions: JSON.stringify(exceptions) };
}

/** The hours that count at a location. */
export function hoursAt(vendor: Vendor, location: VendorLocation): HoursOf {
  const { id: locationId, version } = location;
  return { vendorId: vendor.id, locationId, hours: hoursOf(vendor, location), version };
}
