import { dateIn } from '../../domain/analytics/local-date.ts';
import { lastDates, shiftDate, type DateSpan } from '../../domain/analytics/range.ts';
import { scopeOf, type Subject } from '../../domain/analytics/roll-up.ts';
import type { LocationId, VendorId } from '../../domain/ids.ts';
import { Refusal } from '../../domain/refusals/refusals.ts';
import { UTC, zoneOfLocation, zoneOfVendor } from '../../domain/vendors/time-zone.ts';
import type { RollUpRange } from '../../ports/analytics.ts';
import type { Context } from '../../ports/context.ts';

/** Whose deliveries a request is about: all of a mode, those of a vendor, or those from one of its locations. */
export type Owner = {
  readonly liveMode: boolean;
  readonly vendorId: VendorId | null;
  readonly locationId: LocationId | null;
};
/** The deliveries that a request is about. Its dates are those of the time zone. */
export type Reach = Owner & { readonly zone: string; readonly dates: DateSpan };

/**
 * The reach of a request, by default over the last 30 dates. Refuses a location that is absent or belongs to another
 * vendor, and a vendor that does not exist.
 */
export async function openReach(
  ctx: Pick<Context, 'clock' | 'vendors'>,
  owner: Owner,
  dates: DateSpan | undefined,
): Promise<Reach> {
  const zone = await findZone(ctx, owner);
  return { ...owner, zone, dates: dates ?? lastDates(dateIn(zone, ctx.clock.now())) };
}

/** The rows of a subject for this reach. */
export function rangeOf({ liveMode, vendorId, locationId, dates }: Reach, subject: Subject): RollUpRange {
  const { from, to } = dates;
  return { subject, scope: scopeOf(liveMode, locationId ?? vendorId), from, to: shiftDate(to, -1) };
}

async function findZone({ vendors }: Pick<Context, 'vendors'>, { vendorId, locationId }: Owner): Promise<string> {
  const vendor = vendorId === null ? null : await vendors.get(vendorId);
  if (locationId === null) return vendor === null ? UTC : zoneOfVendor(vendor);
  const location = await vendors.findLocation(locationId);
  if (location === null || location.vendorId !== (vendorId ?? location.vendorId)) {
    const message = '`/location_id` must be the id of a location of this vendor.';
    const errors = [{ pointer: '/location_id', code: 'location_not_found', message }];
    throw new Refusal('location_not_found', { detail: message, errors });
  }
  return zoneOfLocation(vendor ?? (await vendors.get(location.vendorId)), location);
}
