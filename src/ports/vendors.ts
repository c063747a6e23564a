/** Vendors and their locations, as stored. */
import type { LocationId, VendorId } from '../domain/ids.ts';
import type { Vendor, VendorLocation } from '../domain/vendor.ts';

export type VendorStore = {
  get(id: VendorId): Promise<Vendor>;
  find(id: VendorId): Promise<Vendor | null>;
  add(vendor: Vendor): Promise<void>;
  findLocation(id: LocationId): Promise<VendorLocation | null>;
  addLocation(location: VendorLocation): Promise<void>;
};

/** Members of the context that this file describes. */
export type VendorPorts = {
  readonly vendors: VendorStore;
};
