import { scopeOf, type Subject } from '../../domain/analytics/roll-up.ts';
import { shiftDate, type DateSpan } from '../../domain/analytics/range.ts';
import type { LocationId, VendorId } from '../../domain/ids.ts';
import { Refusal } from '../../domain/refusals/refusals.ts';
import type { RollUpRange } from '../../ports/analytics.ts';
import type { Context } from '../../ports/context.ts';

/** The deliveries that a request is about: all of a mode, those of a vendor, or those from one of its locations. */
export type Reach = {
  readonly liveMode: boolean;
  readonly vendorId: VendorId | null;
  readonly locationId: LocationId | null;
  readonly dates: DateSpan;
};

/** The rows of a subject for this reach. */
export function rangeOf({ liveMode, vendorId, locationId, dates }: Reach, subject: Subject): RollUpRange {
  const { from, to } = dates;
  return { subject, scope: scopeOf(liveMode, locationId ?? vendorId), from, to: shiftDate(to, -1) };
}

/** Refuses a location that is absent or belongs to another vendor, and a vendor that does not exist. */
export async function refuseForeign(ctx: Pick<Context, 'vendors'>, { vendorId, locationId }: Reach): Promise<void> {
  if (vendorId !== null) await ctx.vendors.get(vendorId);
  if (locationId === null) return;
  const location = await ctx.vendors.findLocation(locationId);
  if (location === null || location.vendorId !== (vendorId ?? location.vendorId)) {
    const message = '`/location_id` must be the id of a location of this vendor.';
    const errors = [{ pointer: '/location_id', code: 'location_not_found', message }];
    throw new Refusal('location_not_found', { detail: message, errors });
  }
}
