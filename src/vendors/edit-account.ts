import type { VendorId } from '../domain/ids.ts';
import { DEFAULT_ACCENT, vendorWith, type Business, type Vendor } from '../domain/vendors/vendor.ts';
import { editVendor, entryOf, withFields, type Needs } from './edit.ts';
import { addressLine, contactLine } from './told.ts';

type Account = Pick<Vendor, 'name' | 'currency' | 'searchLimitMs' | 'maxDistanceM'>;
/** The changes of an account. Each detail of the business may change alone. */
export type VendorChanges = Partial<Account & Pick<Vendor, 'status' | 'accent' | 'timezone' | 'settlement'>> & {
  readonly business?: Partial<Business>;
  /** Why, for the audit log. It is not stored with the vendor. */
  readonly reason?: string;
};

/**
 * Adds an active vendor. It has neither locations nor API keys yet.
 * @param id the id of the vendor, the same for each try of a request
 */
export async function addVendor(ctx: Needs, account: Account, id: VendorId): Promise<Vendor> {
  const vendor = vendorWith({ id, ...account, accent: DEFAULT_ACCENT, createdAt: ctx.clock.now() });
  return ctx.vendors.add(vendor, entryOf(ctx, vendor, ['vendor.add', null, toldOf(vendor)]));
}

/**
 * Changes the account or the profile of a vendor. Deliveries that exist already go on. Refuses `update_not_allowed` if the
 * currency changes while a wallet of the vendor is in use.
 */
export function changeVendor(
  ctx: Needs,
  id: VendorId,
  ifVersion: number | null,
  { business = {}, reason, ...changes }: VendorChanges,
): Promise<Vendor> {
  return editVendor(
    ctx,
    id,
    ifVersion,
    (before) => {
      const details = withFields(before.business, business);
      const after = withFields(details === before.business ? before : { ...before, business: details }, changes);
      // A reason alone is told as well.
      return after === before && reason !== undefined ? { ...before } : after;
    },
    (before, after) => ['vendor.update', toldOf(before), { ...toldOf(after), reason: reason ?? null }],
  );
}

function toldOf({
  name,
  currency,
  accent,
  searchLimitMs,
  maxDistanceM,
  status,
  business,
  timezone,
  settlement,
}: Vendor) {
  const { legalName, taxId, website, address, contact } = business;
  return {
    name,
    currency,
    accent,
    search_limit_min: searchLimitMs / 60_000,
    max_distance_m: maxDistanceM,
    status,
    timezone,
    settlement: `${settlement.cycle}, ${settlement.cutOff}`,
    legal_name: legalName,
    tax_id: taxId,
    website,
    address: address === null ? null : addressLine(address),
    contact: contact === null ? null : contactLine(contact),
  };
}
