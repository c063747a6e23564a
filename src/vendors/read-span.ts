import { startOfDate } from '../domain/analytics/local-date.ts';
import { isDate, type AskedSpan } from '../domain/analytics/range.ts';
import type { VendorId } from '../domain/ids.ts';
import { UTC, zoneOfVendor } from '../domain/vendors/time-zone.ts';
import type { Context } from '../ports/context.ts';

/** A half-open span of service time in epoch ms. */
export type Span = { readonly from: number; readonly to: number };

/**
 * The span of time that a caller asks for. Dates begin in the time zone of the vendor, or of UTC if the request is about
 * no single vendor.
 */
export async function readSpan(
  { vendors }: Pick<Context, 'vendors'>,
  vendorId: VendorId | undefined,
  { from, to }: AskedSpan,
): Promise<Span> {
  const isLocal = vendorId !== undefined && (isDate(from) || isDate(to));
  const vendor = isLocal ? await vendors.find(vendorId) : null;
  const zone = vendor === null ? UTC : zoneOfVendor(vendor);
  const instantOf = (text: string): number => (isDate(text) ? startOfDate(zone, text) : Date.parse(text));
  return { from: instantOf(from), to: instantOf(to) };
}
