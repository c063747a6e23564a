import type { LocationId, VendorId } from './ids.ts';
import type { Address, Contact } from './deliveries/stop.ts';
import type { Coordinates } from './geo/geo.ts';

/** The business that orders deliveries. Limits are service time in ms and metres. */
export type Vendor = {
  readonly id: VendorId;
  readonly name: string;
  readonly currency: string;
  readonly accent: string;
  readonly searchLimitMs: number;
  readonly maxDistanceM: number;
  readonly createdAt: number;
};

/** A vendor's storefront or warehouse. */
export type VendorLocation = {
  readonly id: LocationId;
  readonly vendorId: VendorId;
  readonly name: string;
  readonly place: Coordinates;
  readonly address: Address;
  readonly contact: Contact;
  readonly isReady: boolean;
};
