import { expect, test } from 'vitest';
import type { Delivery } from '../../../src/domain/deliveries/delivery.ts';
import { newId } from '../../../src/domain/ids.ts';
import { createLinks } from '../../../src/models/deliveries/links.ts';
import { aStop, NOON } from '../../builders.ts';
import { handClock } from '../../clock.ts';
import { aChange, openHouse, SETTINGS, storeDelivery } from '../../engines/mongo-house.ts';
import { DELIVERIES } from '../../../src/models/deliveries/delivery-shape.ts';
import { ODD } from '../../odd-rows.ts';

const house = await openHouse('old links');
const links = createLinks({
  linkKey: 'a key that signs links, of some length',
  deliveries: house.deliveries,
  clock: handClock(),
  settings: SETTINGS,
});

/** A delivery with three drop-offs, visited in the order 2, 3, 1, as stored when deliveries had a single link. */
async function storeOld(): Promise<{ id: Delivery['id']; token: string }> {
  const dropOffs = [aStop(1, { visit: 3 }), aStop(2, { visit: 1 }), aStop(3, { visit: 2 })];
  const { id } = await storeDelivery(house, { dropOffs, region: newId('trk') });
  const [link] = links.make(1);
  if (link === undefined) throw new Error('there is no link');
  const rows = house.mongo.collection(DELIVERIES);
  await rows.updateOne(
    { _id: id },
    { $set: { link: { id: link.id, tokenHash: link.tokenHash } }, $unset: { links: '' } },
    ODD,
  );
  return { id, token: links.tokenOf(link.id) };
}

test('[A70] a link from the time of single links leads to the drop-off that is visited last', async () => {
  const { id, token } = await storeOld();
  const { delivery, caller } = await links.open(token);
  expect(delivery.id).toBe(id);
  expect(caller).toMatchObject({ deliveryId: id, stop: 1 });
});

test('[A70] every read returns such a delivery like any other, and it keeps its link when it changes', async () => {
  const { id, token } = await storeOld();
  const old = await house.deliveries.get(id);
  expect(old.links).toMatchObject([{ stop: 1 }]);
  expect(old).not.toHaveProperty('link');
  const found = [
    await house.deliveries.findMany([id]),
    (await house.deliveries.list({ search: id }, { limit: 1, after: null })).items,
    await house.deliveries.listSearching(old.region, 10),
    (await house.deliveries.listChangedSince(NOON, 100)).filter((one) => one.id === id),
    (await house.deliveries.listDue('late', 1000)).flatMap(({ delivery }) => (delivery.id === id ? [delivery] : [])),
  ];
  for (const [one] of found) expect(one).toStrictEqual(old);
  const change = aChange(old, { fee: 1 });
  expect(await house.commit(change)).toMatchObject({ ok: true });
  expect((await links.open(token)).delivery).toStrictEqual(change.after);
  expect(await house.mongo.collection(DELIVERIES).findOne({ _id: id })).not.toHaveProperty('link');
});

test('[A70] each drop-off of a new delivery has its own link, which an index finds', async () => {
  const made = links.make(3);
  const delivery = await storeDelivery(house, { dropOffs: [aStop(1), aStop(2), aStop(3)], links: made });
  for (const { id, stop } of made) {
    expect(await links.open(links.tokenOf(id))).toMatchObject({
      delivery: { id: delivery.id },
      caller: { linkId: id, stop },
    });
  }
  const filter = { $or: [{ 'links.tokenHash': made[1]?.tokenHash }, { 'link.tokenHash': made[1]?.tokenHash }] };
  const { executionStats: stats } = await house.mongo.collection(DELIVERIES).find(filter).explain('executionStats');
  expect(stats).toMatchObject({ nReturned: 1, totalDocsExamined: 1 });
});
