import { expect, test } from 'vitest';
import { aLocation, aVendor } from '../../builders.ts';
import { fingerprint, openHouse } from '../../engines/mongo-house.ts';
import { anEntry } from '../audit/an-entry.ts';

const house = await openHouse('vendor-store');
const { vendors, mongo } = house;

const entriesOf = () => mongo.connection.db?.collection('audit').countDocuments();

test('[H193] an edit and its entry of the audit log are stored together, or neither is', async () => {
  const vendor = aVendor();
  const location = aLocation({ vendorId: vendor.id });
  const entry = anEntry();
  await vendors.add(vendor, entry);
  await vendors.addLocation(location, anEntry());
  expect(await entriesOf()).toBe(2);
  const stored = await fingerprint(house);
  // The id of this entry is taken, so the database refuses it, and the edit must go with it.
  const name = 'Renamed';
  await expect(vendors.replace({ ...vendor, name, version: 2 }, 1, entry)).rejects.toThrow('E11000');
  await expect(vendors.replaceLocation({ ...location, name, version: 2 }, 1, entry)).rejects.toThrow('E11000');
  await expect(vendors.add(aVendor(), entry)).rejects.toThrow('E11000');
  await expect(vendors.addLocation(aLocation(), entry)).rejects.toThrow('E11000');
  expect(await fingerprint(house)).toEqual(stored);
});

test('[H193] an edit that changes nothing leaves no entry', async () => {
  const vendor = aVendor();
  const location = aLocation({ vendorId: vendor.id });
  await vendors.add(vendor);
  await vendors.addLocation(location);
  const before = await entriesOf();
  await vendors.add(vendor, anEntry());
  await vendors.addLocation(location, anEntry());
  expect(await vendors.replace(vendor, 7, anEntry())).toBe(false);
  expect(await vendors.replaceLocation(location, 7, anEntry())).toBe(false);
  expect(await entriesOf()).toBe(before);
});
