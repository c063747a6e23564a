import type { Address, Contact } from '../deliveries/stops/stop.ts';
import type { Coordinates } from '../geo/geo.ts';
import type { FileId, LocationId, VendorId } from '../ids.ts';
import type { Hours, LocationHours } from './hours.ts';
import type { Zone } from './zone.ts';

export const VENDOR_STATUSES = ['active', 'suspended'] as const;
export type VendorStatus = (typeof VENDOR_STATUSES)[number];

/** The colour of a vendor who has chosen none. */
export const DEFAULT_ACCENT = '#0b6e4f';

export const SETTLEMENT_CYCLES = ['daily', 'weekly'] as const;
export type SettlementCycle = (typeof SETTLEMENT_CYCLES)[number];

/** When the money of a vendor is settled: each day, or each Monday, at this local time, HH:MM. */
export type SettlementTerms = { readonly cycle: SettlementCycle; readonly cutOff: string };

/** The details of the business. Each of them may be missing. */
export type Business = {
  readonly legalName: string | null;
  readonly taxId: string | null;
  readonly website: string | null;
  readonly address: Address | null;
  readonly contact: Contact | null;
};

/** The business that orders deliveries. Limits are service time in ms and metres. */
export type Vendor = {
  readonly id: VendorId;
  /** The name that recipients see. */
  readonly name: string;
  readonly currency: string;
  readonly accent: string;
  /** The picture beside the name on tracking pages; null for none. */
  readonly logo: FileId | null;
  readonly searchLimitMs: number;
  readonly maxDistanceM: number;
  readonly createdAt: number;
  /** A suspended vendor gets no quotes and no new deliveries. */
  readonly status: VendorStatus;
  readonly business: Business;
  /** The IANA time zone of its dates in analytics and lists; null: that of its hours. */
  readonly timezone: string | null;
  /** The hours of every location that was not given its own since they were set. Null: always open. */
  readonly hours: Hours | null;
  /** Rises by one each time the hours of all locations are set. */
  readonly hoursEdition: number;
  readonly settlement: SettlementTerms;
  /** Rises by one with each change. */
  readonly version: number;
  readonly updatedAt: number;
};

export const LOCATION_KINDS = ['storefront', 'warehouse'] as const;

/** Why a location is ready or not: who said so, when, and until when. */
export type Readiness = {
  readonly by: { readonly type: string; readonly id: string | null };
  readonly at: number;
  /** When a location that is not ready becomes ready by itself; null: when somebody says so. */
  readonly until: number | null;
};

/** A vendor's storefront or warehouse. */
export type VendorLocation = {
  readonly id: LocationId;
  readonly vendorId: VendorId;
  readonly name: string;
  readonly place: Coordinates;
  readonly address: Address;
  readonly contact: Contact;
  /** Use `isReadyAt`, which knows when a location becomes ready by itself. */
  readonly isReady: boolean;
  /** Null until somebody reports it. */
  readonly readiness: Readiness | null;
  readonly kind: (typeof LOCATION_KINDS)[number];
  /** For the courier at each pickup; null if there are none. */
  readonly instructions: string | null;
  /** The longest way from here, metres; null: the vendor's. */
  readonly maxDistanceM: number | null;
  readonly hours: LocationHours | null;
  /** Where drop-offs may be. An empty list allows every place. */
  readonly zones: readonly Zone[];
  readonly createdAt: number;
  /** Rises by one with each change. */
  readonly version: number;
  readonly updatedAt: number;
};

const NO_BUSINESS: Business = { legalName: null, taxId: null, website: null, address: null, contact: null };

type Facts<T, Optional extends keyof T> = Omit<T, Optional> & Partial<T>;
type GrownVendor =
  | 'status'
  | 'business'
  | 'timezone'
  | 'hours'
  | 'hoursEdition'
  | 'version'
  | 'updatedAt'
  | 'logo'
  | 'settlement';
type GrownLocation =
  | 'readiness'
  | 'kind'
  | 'instructions'
  | 'maxDistanceM'
  | 'hours'
  | 'zones'
  | 'createdAt'
  | 'version'
  | 'updatedAt';

/** Paths that vendors of an earlier release lack. */
export const GROWN_VENDOR: readonly GrownVendor[] = [
  'status',
  'business',
  'timezone',
  'hours',
  'hoursEdition',
  'version',
  'updatedAt',
  'logo',
  'settlement',
];
/** Paths that locations of an earlier release lack. */
export const GROWN_LOCATION: readonly GrownLocation[] = [
  'readiness',
  'kind',
  'instructions',
  'maxDistanceM',
  'hours',
  'zones',
  'createdAt',
  'version',
  'updatedAt',
];

/** A vendor with these facts; the others are those of a new vendor. */
export function vendorWith(facts: Facts<Vendor, GrownVendor>): Vendor {
  return {
    status: 'active',
    business: NO_BUSINESS,
    timezone: null,
    hours: null,
    hoursEdition: 0,
    version: 1,
    updatedAt: facts.createdAt,
    logo: null,
    settlement: { cycle: 'daily', cutOff: '00:00' },
    ...facts,
  };
}

/** A location with these facts; the others are those of a new location. */
export function locationWith(facts: Facts<VendorLocation, GrownLocation>): VendorLocation {
  const createdAt = facts.createdAt ?? 0;
  return {
    readiness: null,
    kind: 'storefront',
    instructions: null,
    maxDistanceM: null,
    hours: null,
    zones: [],
    createdAt,
    version: 1,
    updatedAt: createdAt,
    ...facts,
  };
}

/** Says whether immediate deliveries may be collected at this time. */
export function isReadyAt({ isReady, readiness }: Pick<VendorLocation, 'isReady' | 'readiness'>, at: number): boolean {
  const until = readiness?.until ?? null;
  return isReady || (until !== null && at >= until);
}
