import { expect, test } from 'vitest';
import { forgetRecipients } from '../../../src/dispatch/deliveries/forget-recipients.ts';
import { startDue } from '../../../src/dispatch/due/run-due.ts';
import { withoutRecipients } from '../../../src/domain/deliveries/stops/recipients.ts';
import type { Delivery } from '../../../src/domain/deliveries/delivery.ts';
import { emptyProof } from '../../../src/domain/proof/verification.ts';
import { newId } from '../../../src/domain/ids.ts';
import { EVENTS_LOG } from '../../../src/models/deliveries/events/event-rows.ts';
import { aDelivery, aStop } from '../../builders.ts';
import { keptCarried } from '../../kept-ports.ts';
import { leaseDesk, passUntil, running } from '../region-world.ts';
import { historyOf, openWorld, storeDelivery } from '../world.ts';

const world = await openWorld('forget-recipients');
const keptMs = world.settings.retention.eventsMs;

const proof = {
  ...emptyProof(newId('prf'), 0),
  signer: { name: 'Ada Lovelace', relationship: 'wife' },
  place: { lat: 52.51234, lng: 13.41234 },
};
const place = { lat: 52.51234, lng: 13.41234 };
const home = aStop(1, { place, firstPlace: place, instructions: 'Ring at Lovelace', externalId: 'A-7', proof });
const nobody = { address: null, contact: null, instructions: null, place: { lat: 52.51, lng: 13.41 } };

/** A delivery that ends now. */
function storeEnded(over: Parameters<typeof storeDelivery>[1] = {}): Promise<Delivery> {
  return storeDelivery(world, {
    state: 'delivered',
    times: { createdAt: world.clock.now(), deliveredAt: world.clock.now() },
    ...over,
  });
}

const wordsFind = async (delivery: Delivery) => {
  const filter = { vendorId: delivery.vendorId, liveMode: delivery.liveMode, search: 'Lovelace' };
  return (await world.deliveries.list(filter, { limit: 10, after: null })).items.length;
};

test('[S107] the recipients of a delivery and the sender of a return are forgotten, and nothing else is', () => {
  const { pickup, ...there } = aDelivery({ dropOffs: [home], custom: { table: 7 } });
  expect(withoutRecipients({ ...there, pickup })).toStrictEqual({
    ...there,
    pickup,
    dropOffs: [
      {
        ...aStop(1, { externalId: 'A-7', ...nobody }),
        proof: { ...proof, signer: emptyProof(proof.id, 0).signer, place: null },
      },
    ],
  });
  const back = { ...aDelivery({ pickup: { ...home, index: 0 } }), kind: 'return' as const };
  const { pickup: start, ...rest } = withoutRecipients(back);
  expect(start).toMatchObject({ ...nobody, externalId: 'A-7' });
  expect({ ...rest, pickup: back.pickup }).toStrictEqual(back);
});

test('[S107] the server forgets them as long after the end as it keeps the events, and the search finds them no more', async () => {
  const ended = await storeEnded({ dropOffs: [home] });
  const open = await storeDelivery(world, { dropOffs: [home] });
  expect(await wordsFind(ended)).toBe(1);
  await world.clock.advance(keptMs - 1000);
  expect(await world.deliveries.listDue('forget', 10)).toEqual([]);
  expect(await forgetRecipients(world, ended)).toBe(ended.times.deliveredAt! + keptMs);
  running(startDue({ ...world, carried: keptCarried(), leases: leaseDesk(world.clock).of('one') }));
  await passUntil(world, async () => (await world.deliveries.get(ended.id)).dropOffs[0]?.contact === null);
  expect(await world.deliveries.get(ended.id)).toMatchObject({ dropOffs: [nobody], state: 'delivered' });
  expect(await wordsFind(ended)).toBe(0);
  expect(await world.deliveries.get(open.id)).toMatchObject({ dropOffs: [{ contact: home.contact }] });
  expect(await world.deliveries.listDue('forget', 10)).toEqual([]);
});

test('[S108] forgetting has no event and does not keep the events of the delivery for longer', async () => {
  const { id, sequence, times } = await storeEnded();
  const endsOf = () =>
    world.mongo
      .collection(EVENTS_LOG)
      .find({ delivery_id: id })
      .map(({ endsOn }) => endsOn)
      .toArray();
  const before = await endsOf();
  await world.clock.advance(keptMs);
  const [first, second] = await Promise.all(
    [1, 2].map(async () => forgetRecipients(world, await world.deliveries.get(id))),
  );
  expect([first, second]).toEqual([Infinity, Infinity]);
  expect(await world.deliveries.get(id)).toMatchObject({ sequence, version: 2, times, dropOffs: [{ contact: null }] });
  expect(await historyOf(world, id)).toEqual(['delivery.created']);
  expect(await endsOf()).toEqual(before);
});

test('[S108] ended deliveries of an older version get their due time at the first look', async () => {
  const { id, times } = await storeEnded();
  const rows = world.mongo.db.collection<{ _id: string; dues: { forget?: number } }>('deliveries');
  await rows.updateOne({ _id: id }, { $unset: { 'dues.forget': 1 } });
  running(startDue({ ...world, carried: keptCarried(), leases: leaseDesk(world.clock).of('one') }));
  await passUntil(world, async () => (await rows.findOne({ _id: id }))?.dues.forget !== undefined);
  expect((await rows.findOne({ _id: id }))?.dues.forget).toBe(times.deliveredAt! + keptMs);
  expect((await world.deliveries.get(id)).dropOffs[0]?.contact).not.toBeNull();
});
