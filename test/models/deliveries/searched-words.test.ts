import { expect, test } from 'vitest';
import { newId, type VendorId } from '../../../src/domain/ids.ts';
import { aStop } from '../../builders.ts';
import { openHouse, storeDelivery } from '../../engines/mongo-house.ts';

const house = await openHouse('searched-words');

async function search(vendorId: VendorId, text: string): Promise<string[]> {
  const { items } = await house.deliveries.list({ vendorId, search: text }, { limit: 10, after: null });
  return items.map(({ id }) => id);
}

test('[D168] a search finds whole words of the recipients’ names and addresses, without case and accents', async () => {
  const vendorId = newId('ven');
  const address = { street: '7 Große Gasse', city: 'Köln', postal_code: '50667', country: 'DE' };
  const stops = [aStop(1, { contact: { name: 'José Núñez', phone: '+4915112345678' }, address: '12 Elm Street' })];
  const one = await storeDelivery(house, { vendorId, dropOffs: stops });
  const second = aStop(1, { contact: { name: 'José Elm', phone: '+4915112345678' }, address });
  const two = await storeDelivery(house, { vendorId, dropOffs: [second] });
  expect(await search(vendorId, 'nunez')).toEqual([one.id]);
  expect(await search(vendorId, 'GASSE köln')).toEqual([two.id]);
  expect(await search(vendorId, '50667')).toEqual([two.id]);
  expect(await search(vendorId, 'Elm, 12')).toEqual([one.id]);
  expect((await search(vendorId, 'jose ELM')).toSorted()).toEqual([one.id, two.id].toSorted());
  for (const none of ['nune', 'jose gasse 12', 'Market', 'Desk'])
    expect([none, await search(vendorId, none)]).toEqual([none, []]);
  expect(await search(newId('ven'), 'nunez')).toEqual([]);
});

test('[D216] a search finds words with ß, ø or ł also by the letters that everybody can type', async () => {
  const vendorId = newId('ven');
  const contact = { name: 'Łukasz Sørensen', phone: '+4915112345678' };
  const { id } = await storeDelivery(house, { vendorId, dropOffs: [aStop(1, { contact, address: 'Große STRAẞE 9' })] });
  for (const typed of ['strasse', 'Straße', 'GROSSE straße', 'lukasz', 'Łukasz Sorensen'])
    expect([typed, await search(vendorId, typed)]).toEqual([typed, [id]]);
});
