import type { Vendor, VendorLocation } from '../../domain/vendor.ts';
import { Refusal } from '../../domain/refusals/refusals.ts';
import type { VendorStore } from '../../ports/vendors.ts';
import type { Mongo } from '../../engines/mongo.ts';
import { LOCATIONS, VENDORS, type LocationRow, type VendorRow } from './vendor-shapes.ts';

/** Stores vendors and their locations. */
export function createVendorStore(mongo: Mongo): VendorStore {
  const vendors = mongo.records(VENDORS);
  const locations = mongo.records(LOCATIONS);
  const find: VendorStore['find'] = async (id) => vendorOf(await vendors.find({ _id: id }));
  return {
    find,
    get: async (id) => {
      const vendor = await find(id);
      if (vendor === null) throw new Refusal('vendor_not_found');
      return vendor;
    },
    add: (vendor) => vendors.insert({ _id: vendor.id, ...vendor }),
    findLocation: async (id) => locationOf(await locations.find({ _id: id })),
    addLocation: (location) => locations.insert({ _id: location.id, ...location }),
  };
}

function vendorOf(row: VendorRow | null): Vendor | null {
  if (row === null) return null;
  const { _id, ...vendor } = row;
  return vendor;
}

function locationOf(row: LocationRow | null): VendorLocation | null {
  if (row === null) return null;
  const { _id, ...location } = row;
  return location;
}
