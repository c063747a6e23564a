import type { LocationId, VendorId } from '../../domain/ids.ts';
import { Refusal, refuseField } from '../../domain/refusals/refusals.ts';
import type { Vendor, VendorLocation } from '../../domain/vendor.ts';
import type { Context } from '../../ports/context.ts';

/** The named vendor location, or null if none is named. Another vendor's location is as absent as an unknown one. */
export async function findVendorLocation(
  ctx: Pick<Context, 'vendors'>,
  { locationId, vendorId }: { readonly locationId: LocationId | null; readonly vendorId: VendorId },
): Promise<VendorLocation | null> {
  if (locationId === null) return null;
  const location = await ctx.vendors.findLocation(locationId);
  if (location?.vendorId !== vendorId) throw new Refusal('location_not_found');
  return location;
}

/** The longest route of a delivery for this vendor, metres. */
export function longestRouteM(vendor: Vendor, { search }: Context['settings']): number {
  return Math.min(vendor.maxDistanceM, search.maxDistanceM);
}

/** The refusal of a pickup with neither coordinates nor a location. */
export function noPlace(): Refusal {
  return refuseField('/pickup/coordinates', 'required', 'must be given, because no vendor location gives them');
}
