import type { Vendor, VendorLocation } from '../../domain/vendor.ts';
import { Refusal } from '../../domain/refusals/refusals.ts';
import type { VendorStore } from '../../ports/vendors.ts';
import type { Mongo } from '../../engines/mongo.ts';

const AS_STORED = { projection: { _id: 0 } } as const;

/** Vendors and their locations. */
export function createVendorStore(mongo: Mongo): VendorStore {
  const vendors = mongo.collection<Vendor & { readonly _id: string }>('vendors');
  const locations = mongo.collection<VendorLocation & { readonly _id: string }>('locations');
  const find: VendorStore['find'] = (id) => vendors.findOne<Vendor>({ _id: id }, AS_STORED);
  return {
    find,
    get: async (id) => {
      const vendor = await find(id);
      if (vendor === null) throw new Refusal('vendor_not_found');
      return vendor;
    },
    add: async (vendor) => void (await vendors.insertOne({ _id: vendor.id, ...vendor })),
    findLocation: (id) => locations.findOne<VendorLocation>({ _id: id }, AS_STORED),
    addLocation: async (location) => void (await locations.insertOne({ _id: location.id, ...location })),
  };
}
