import type { LocationId, VendorId } from '../../domain/ids.ts';
import { refuseField, type Refusal } from '../../domain/refusals/refusals.ts';
import { refuseSuspendedVendor, unknownLocation, unknownVendor } from '../../domain/vendors/accept.ts';
import type { Vendor, VendorLocation } from '../../domain/vendors/vendor.ts';
import type { Context } from '../../ports/context.ts';

/** A vendor order names its location at the top of the body. */
type Named = {
  readonly locationId: LocationId | null;
  readonly vendorId: VendorId;
  readonly orderId?: string | null;
};

/** The vendor of a quote or a new delivery. Refuses `vendor_not_found`, and `vendor_suspended`. */
export async function getOrderingVendor({ vendors }: Pick<Context, 'vendors'>, id: VendorId): Promise<Vendor> {
  const vendor = await vendors.find(id);
  if (vendor === null) throw unknownVendor();
  refuseSuspendedVendor(vendor);
  return vendor;
}

/** The named vendor location, or null if none is named. Another vendor's location is as absent as an unknown one. */
export async function findVendorLocation(
  ctx: Pick<Context, 'vendors'>,
  { locationId, vendorId, orderId = null }: Named,
): Promise<VendorLocation | null> {
  if (locationId === null) return null;
  const location = await ctx.vendors.findLocation(locationId);
  if (location?.vendorId !== vendorId) throw unknownLocation(orderId === null ? '/pickup/location_id' : '/location_id');
  return location;
}

/** The refusal of a pickup with neither coordinates nor a location. */
export function noPlace(): Refusal {
  return refuseField('/pickup/coordinates', 'required', 'must be given, because no vendor location gives them');
}
