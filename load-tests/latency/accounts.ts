// Vendors with a location, an API key and a full wallet, stored without the API.
import { newId } from '../../src/domain/ids.ts';
import { locationWith, vendorWith } from '../../src/domain/vendors/vendor.ts';
import { fillWallet } from '../servers/fund-vendor.ts';
import type { Site } from '../store/site.ts';
import { withCore } from '../stored/core.ts';

export type Account = { readonly key: string; readonly locationId: string };

const AT_ONCE = 50;

/** The demo's vendor, and this many more. */
export function makeAccounts(site: Site, more: number): Promise<Account[]> {
  const { facts } = site;
  return withCore(site, async ({ parts }) => {
    const { credentials, vendors } = parts;
    const makeOne = async (): Promise<Account> => {
      const [id, locationId] = [newId('ven'), newId('loc')];
      const limits = { searchLimitMs: 900_000, maxDistanceM: 40_000, createdAt: Date.now() };
      const account = { id, name: 'Corner Bakery', currency: 'EUR', accent: '#0b6e4f', ...limits };
      await fillWallet(parts, await vendors.add(vendorWith(account)));
      const location = locationWith({
        id: locationId,
        vendorId: id,
        name: 'Main shop',
        place: facts.center,
        address: 'Market Square 1',
        contact: { name: 'Grace Hopper', phone: '+4930901820' },
        isReady: true,
      });
      await vendors.addLocation(location);
      return { key: (await credentials.addVendorKey(id, false)).key, locationId };
    };
    const all: Account[] = [{ key: facts.vendor.api_key, locationId: facts.vendor.location_id }];
    for (let made = 0; made < more; made += AT_ONCE) {
      const some = Math.min(AT_ONCE, more - made);
      all.push(...(await Promise.all(Array.from({ length: some }, makeOne))));
    }
    return all;
  });
}
