import type { mongo } from 'mongoose';
import type { AuditEntry } from '../../domain/audit.ts';
import type { LocationId, VendorId } from '../../domain/ids.ts';
import { Refusal } from '../../domain/refusals/refusals.ts';
import { locationWith, vendorWith, type Vendor, type VendorLocation } from '../../domain/vendors/vendor.ts';
import type { Mongo } from '../../engines/mongo.ts';
import type { Finds } from '../../engines/together.ts';
import { markOfCreated, pageOf, rowsAfter } from '../../engines/pages.ts';
import type { Page, PageRequest } from '../../ports/pages.ts';
import type { Clock } from '../../ports/process.ts';
import type { LocationZone, VendorStore } from '../../ports/vendors.ts';
import { storeEnds, storeEntries, storeWith, type Within } from '../store-entries.ts';
import { moneyOf, transactAlone } from '../transact-alone.ts';
import { LOCATIONS, VENDORS, type LocationRow, type VendorRow } from './vendor-shapes.ts';

/** Adds a row once. A retry finds the row of its first try and leaves it. */
const KEEPING = { upsert: true } as const;
/** Newest first: an id made later sorts later. */
const BY_ID = { _id: -1 } as const;

type Write = (entry: AuditEntry | undefined, run: (within: Within) => Promise<boolean>) => Promise<boolean>;
/** Refuses a change of the vendor's currency, within a transaction. */
type RefuseCurrency = (vendorId: VendorId, currency: string, within: Within) => Promise<void>;

/**
 * Stores vendors and their locations.
 * @param refuseUsedWallets refuses to leave the currency in which the vendor has had money
 */
export function createVendorStore(
  mongo: Mongo,
  clock: Clock,
  finds: Finds,
  refuseUsedWallets: RefuseCurrency,
): VendorStore {
  const vendors = mongo.collection(VENDORS);
  const locations = mongo.collection(LOCATIONS);
  const write: Write = (entry, run) => storeWith(mongo, clock, entry ?? null, run);
  // Every quote and every create reads both.
  const [readVendor, readLocation] = [finds(vendors), finds(locations)];
  const find: VendorStore['find'] = async (id) => vendorOf(await readVendor(id));
  const findLocation: VendorStore['findLocation'] = async (id) => locationOf(await readLocation(id));
  return {
    find,
    get: async (id) => {
      const vendor = await find(id);
      if (vendor === null) throw new Refusal('vendor_not_found');
      return vendor;
    },
    findMany: async (ids) => (await vendors.find({ _id: { $in: [...ids] } }).toArray()).map((row) => vendorOf(row)),
    add: async (vendor, entry) => {
      const isNew = await write(entry, async (options) => {
        const only = { _id: vendor.id };
        const { upsertedCount } = await vendors.updateOne(only, { $setOnInsert: vendor }, { ...options, ...KEEPING });
        return upsertedCount > 0;
      });
      return (isNew ? null : await find(vendor.id)) ?? vendor;
    },
    replace: createReplace(mongo, clock, refuseUsedWallets),
    list: (page) => listVendors(vendors, page),
    findLocation,
    findZones: (ids) => findZones(locations, ids),
    addLocation: async (location, entry) => {
      const isNew = await write(entry, async (options) => {
        const only = { _id: location.id, vendorId: location.vendorId };
        const { upsertedCount } = await locations.updateOne(
          only,
          { $setOnInsert: location },
          { ...options, ...KEEPING },
        );
        return upsertedCount > 0;
      });
      return (isNew ? null : await findLocation(location.id)) ?? location;
    },
    replaceLocation: (location, version, entry) =>
      write(entry, async (options) => {
        const only = { _id: location.id, vendorId: location.vendorId, ...ofVersion(version) };
        const { matchedCount } = await locations.replaceOne(only, location, options);
        return matchedCount > 0;
      }),
    listLocations: (vendorId, page) => listLocations(locations, vendorId, page),
  };
}

function createReplace(mongo: Mongo, clock: Clock, refuseUsedWallets: RefuseCurrency): VendorStore['replace'] {
  const vendors = mongo.collection(VENDORS);
  return (vendor, version, entry, ends = []) =>
    transactAlone(mongo, clock, moneyOf(vendor.id), async (session) => {
      const before = await vendors.findOne({ _id: vendor.id }, { session, projection: { currency: 1 } });
      const isLeft = before !== null && before.currency !== vendor.currency;
      if (isLeft) await refuseUsedWallets(vendor.id, before.currency, { session });
      const same = { _id: vendor.id, ...ofVersion(version) };
      const { matchedCount } = await vendors.replaceOne(same, vendor, { session });
      if (matchedCount === 0) return false;
      await storeEnds(mongo, ends, { session });
      if (entry !== undefined) await storeEntries(mongo, [entry], { session });
      return true;
    });
}

async function findZones(
  rows: mongo.Collection<LocationRow>,
  ids: readonly LocationId[],
): Promise<readonly LocationZone[]> {
  const projection = { id: 1, 'hours.timezone': 1, 'hours.edition': 1 };
  const found = await rows.find<LocationZone>({ _id: { $in: [...ids] } }, { projection }).toArray();
  return found.map(({ id, hours }) => ({ id, hours: hours ?? null }));
}

/** Rows of an earlier release have no version, which counts as the first. */
function ofVersion(version: number): { version: number } | { $or: object[] } {
  return version === 1 ? { $or: [{ version }, { version: { $exists: false } }] } : { version };
}

async function listVendors(rows: mongo.Collection<VendorRow>, { limit, after }: PageRequest): Promise<Page<Vendor>> {
  const found = await rows
    .find(rowsAfter(after, BY_ID))
    .sort(BY_ID)
    .limit(limit + 1)
    .toArray();
  const vendors = found.map((row) => vendorOf(row));
  return pageOf(vendors, limit, markOfCreated);
}

async function listLocations(
  rows: mongo.Collection<LocationRow>,
  vendorId: VendorId,
  { limit, after }: PageRequest,
): Promise<Page<VendorLocation>> {
  const found = await rows
    .find({ vendorId, ...rowsAfter(after, BY_ID) })
    .sort(BY_ID)
    .limit(limit + 1)
    .toArray();
  const locations = found.map((row) => locationOf(row));
  return pageOf(locations, limit, markOfCreated);
}

function vendorOf<R extends VendorRow | null>(row: R): R extends null ? null : Vendor;
function vendorOf(row: VendorRow | null): Vendor | null {
  if (row === null) return null;
  const { _id, ...vendor } = row;
  return vendorWith(vendor);
}

function locationOf<R extends LocationRow | null>(row: R): R extends null ? null : VendorLocation;
function locationOf(row: LocationRow | null): VendorLocation | null {
  if (row === null) return null;
  const { _id, ...location } = row;
  return locationWith(location);
}
