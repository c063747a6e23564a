import type { VendorId } from '../../domain/ids.ts';

/** The most places that the setting allows. */
const MOST_PLACES = 100;

/** The fact of one of the places of a vendor's registrations. */
export function placeFact(vendorId: VendorId, liveMode: boolean, place: number): string {
  return `registration:${vendorId}:${liveMode ? 'live' : 'test'}:${place}`;
}

/** The facts of all places of a vendor's registrations. */
export function listPlaces(vendorId: VendorId, liveMode: boolean, most = MOST_PLACES): string[] {
  return Array.from({ length: most }, (_, place) => placeFact(vendorId, liveMode, place));
}
