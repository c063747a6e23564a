import type { VendorId } from '../domain/ids.ts';
import { DEFAULT_ACCENT, vendorWith, type Business, type Vendor } from '../domain/vendors/vendor.ts';
import { editVendor, recordEdit, type Needs } from './edit.ts';

type Account = Pick<Vendor, 'name' | 'currency' | 'searchLimitMs' | 'maxDistanceM'>;
/** The changes of an account. Each detail of the business may change alone. */
export type VendorChanges = Partial<Account & Pick<Vendor, 'status' | 'accent'>> & {
  readonly business?: Partial<Business>;
};

/**
 * Adds an active vendor. It has neither locations nor API keys yet.
 * @param id the id of the vendor, the same for each try of a request
 */
export async function addVendor(ctx: Needs, account: Account, id: VendorId): Promise<Vendor> {
  const vendor = vendorWith({ id, ...account, accent: DEFAULT_ACCENT, createdAt: ctx.clock.now() });
  await ctx.vendors.add(vendor);
  await recordEdit(ctx, 'vendor.add', vendor, null, toldOf(vendor));
  return vendor;
}

/** Changes the account or the profile of a vendor. Deliveries that exist already go on. */
export async function changeVendor(
  ctx: Needs,
  id: VendorId,
  ifVersion: number | null,
  { business = {}, ...changes }: VendorChanges,
): Promise<Vendor> {
  let before: Vendor | null = null;
  const vendor = await editVendor(ctx, id, ifVersion, (stored) => {
    before = stored;
    return { ...stored, ...changes, business: { ...stored.business, ...business } };
  });
  await recordEdit(ctx, 'vendor.update', vendor, before === null ? null : toldOf(before), toldOf(vendor));
  return vendor;
}

function toldOf({ name, currency, accent, searchLimitMs, maxDistanceM, status, business }: Vendor) {
  const { legalName, taxId, website, contact } = business;
  return {
    name,
    currency,
    accent,
    search_limit_min: searchLimitMs / 60_000,
    max_distance_m: maxDistanceM,
    status,
    legal_name: legalName,
    tax_id: taxId,
    website,
    contact: contact === null ? null : `${contact.name}, ${contact.phone}`,
  };
}
