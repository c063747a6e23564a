import type { LocationHours } from './hours.ts';
import type { Vendor } from './vendor.ts';

/** The time zones in which the end of a delivery has its dates: those of its vendor and of its vendor location. */
export type Zones = { readonly vendor: string; readonly location: string };

/** The time zone of the platform, of couriers, and of vendors who have chosen none. */
export const UTC = 'UTC';
export const UTC_ZONES: Zones = { vendor: UTC, location: UTC };

type Owner = Pick<Vendor, 'timezone' | 'hours' | 'hoursEdition'>;
type Site = { readonly hours: Pick<LocationHours, 'timezone' | 'edition'> | null };

/** The time zone of a vendor's dates: the one that it chose, or that of the hours of all its locations. */
export function zoneOfVendor({ timezone, hours }: Owner): string {
  return timezone ?? hours?.timezone ?? UTC;
}

/** The time zone of a location's dates: that of its own hours, or else the vendor's. */
export function zoneOfLocation(vendor: Owner, { hours }: Site): string {
  return hours !== null && hours.edition === vendor.hoursEdition ? hours.timezone : zoneOfVendor(vendor);
}

/** The zones of a delivery. Absent vendors and locations have those of UTC and of the vendor. */
export function zonesOf(vendor: Owner | null, location: Site | null): Zones {
  if (vendor === null) return UTC_ZONES;
  const ofVendor = zoneOfVendor(vendor);
  return { vendor: ofVendor, location: location === null ? ofVendor : zoneOfLocation(vendor, location) };
}
