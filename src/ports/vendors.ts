/** Vendors and their locations, as stored. */
import type { AuditEntry } from '../domain/audit.ts';
import type { FileEnd } from '../domain/files/file.ts';
import type { LocationId, VendorId } from '../domain/ids.ts';
import type { RuleBook, RuleOwner } from '../domain/pricing/rule-book.ts';
import type { LocationHours } from '../domain/vendors/hours.ts';
import type { Vendor, VendorLocation } from '../domain/vendors/vendor.ts';
import type { Page, PageRequest } from './pages.ts';

/** The facts from which the time zone of a location follows. */
export type LocationZone = Pick<VendorLocation, 'id'> & {
  readonly hours: Pick<LocationHours, 'timezone' | 'edition'> | null;
};

/** `entry` goes into the audit log in the same transaction, if the write took effect. */
export type VendorStore = {
  get(id: VendorId): Promise<Vendor>;
  find(id: VendorId): Promise<Vendor | null>;
  findMany(ids: readonly VendorId[]): Promise<readonly Vendor[]>;
  /** Adds the vendor, unless it is stored already. Returns it as it is stored then. */
  add(vendor: Vendor, entry?: AuditEntry): Promise<Vendor>;
  /**
   * Stores the vendor in place of the given version, and the ends of files with it. False if the stored one has another
   * version. Refuses `update_not_allowed` if the currency changes while a wallet of the vendor is in use.
   */
  replace(vendor: Vendor, version: number, entry?: AuditEntry, ends?: readonly FileEnd[]): Promise<boolean>;
  list(page: PageRequest): Promise<Page<Vendor>>;
  findLocation(id: LocationId): Promise<VendorLocation | null>;
  /** The hours of these locations, without their periods. */
  findZones(ids: readonly LocationId[]): Promise<readonly LocationZone[]>;
  /** Adds the location, unless it is stored already. Returns it as it is stored then. */
  addLocation(location: VendorLocation, entry?: AuditEntry): Promise<VendorLocation>;
  /** Stores the location in place of the given version. False if the stored one has another version. */
  replaceLocation(location: VendorLocation, version: number, entry?: AuditEntry): Promise<boolean>;
  listLocations(vendorId: VendorId, page: PageRequest): Promise<Page<VendorLocation>>;
};

/** The pricing rules of each owner. */
export type RuleBookStore = {
  /** The book of an owner; an empty one if they never had a rule. */
  find(owner: RuleOwner): Promise<RuleBook>;
  /**
   * Stores the book and the entry in place of the given version; 0 if there was no book. False if the stored one has
   * another version.
   */
  replace(book: RuleBook, version: number, entry: AuditEntry): Promise<boolean>;
};

/** Members of the context that this file describes. */
export type VendorPorts = {
  readonly vendors: VendorStore;
  readonly ruleBooks: RuleBookStore;
};
