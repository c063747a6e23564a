import { expect, test } from 'vitest';
import { newId } from '../../../src/domain/ids.ts';
import type { Change } from '../../../src/ports/changes.ts';
import { anOffer, aStop, NOON } from '../../builders.ts';
import {
  aBirth,
  aChange,
  anAssignment,
  claiming,
  fingerprint,
  offerToFree,
  openHouse,
  storeCourier,
  storeDelivery,
  withdrawing,
} from '../../engines/mongo-house.ts';
import { withEffects } from '../../../src/dispatch/change-delivery.ts';
import { standingIn } from '../../../src/domain/couriers/courier.ts';
import { anEntry } from '../audit/an-entry.ts';

const house = await openHouse('commit');

test('[S1] a change is stored completely: delivery, events, claims, courier, offers and the return it opens', async () => {
  const fact = `external:${newId('ven')}:1`;
  const birth = aBirth({ externalId: '1', dropOffs: [aStop(1), aStop(2)] }, [{ fact, holder: 'x' }]);
  expect(await house.commit(birth)).toEqual({ ok: true, withdrawn: [] });
  expect(await house.deliveries.get(birth.after.id)).toStrictEqual(birth.after);
  expect(await house.eventLog.list(birth.after.id, 0, 10)).toStrictEqual(birth.events);
  expect(await house.claims.find(fact)).toStrictEqual({ fact, holder: 'x' });
  expect(await house.claims.find('nobody')).toBeNull();

  const courier = await storeCourier(house);
  const offer = anOffer({ deliveryId: birth.after.id, courierId: courier.id });
  expect(await house.offers.open(offer)).toBe(true);
  const assignment = anAssignment(birth.after, courier, offer);
  expect(await house.commit(assignment)).toEqual({ ok: true, withdrawn: [] });
  expect(await house.couriers.get(courier.id)).toStrictEqual({ ...courier, version: 2, active: [birth.after.id] });
  expect(await house.offers.find(offer.id)).toMatchObject({ state: 'accepted', closedAt: NOON + 1000 });

  const back = aBirth({ kind: 'return', state: 'in_transit', courierId: courier.id });
  const failed: Change = {
    ...aChange(assignment.after, { state: 'failed', related: [back.after.id] }, 'delivery.failed'),
    effects: [
      { kind: 'keep_courier', courierId: courier.id, frees: birth.after.id, takes: back.after.id },
      { kind: 'open_delivery', change: back },
    ],
  };
  expect(await house.commit(failed)).toMatchObject({ ok: true });
  expect(await house.couriers.get(courier.id)).toMatchObject({
    version: 3,
    active: [back.after.id],
    idleSinceAt: NOON,
  });
  expect(await house.deliveries.get(back.after.id)).toStrictEqual(back.after);
  expect(await house.eventLog.list(birth.after.id, 0, 10)).toStrictEqual([
    ...birth.events,
    ...assignment.events,
    ...failed.events,
  ]);
  expect(await house.eventLog.list(back.after.id, 0, 10)).toStrictEqual(back.events);
});

test('[S1] free data of the caller is stored unchanged, whatever its keys are', async () => {
  const custom = JSON.parse('{"$where": "1", "a.b": 2, "__proto__": "x", "": true, "$set": 1}') as Record<
    string,
    string
  >;
  const birth = aBirth({ custom });
  expect(await house.commit(birth)).toMatchObject({ ok: true });
  const read = await house.deliveries.get(birth.after.id);
  expect(Object.entries(read.custom)).toEqual(Object.entries(custom));
  const changed = aChange(read, { custom });
  expect(await house.commit(changed)).toMatchObject({ ok: true });
  expect(Object.entries((await house.deliveries.get(read.id)).custom)).toEqual(Object.entries(custom));
});

test('[S2] a change is stale and leaves no trace if its delivery, courier, offer or return has changed', async () => {
  const delivery = await storeDelivery(house);
  const other = await storeDelivery(house);
  const courier = await storeCourier(house);
  const full = await storeCourier(house, { active: [newId('del')] });
  const suspended = await storeCourier(house, { state: 'suspended' });
  const offer = anOffer({ deliveryId: delivery.id, courierId: courier.id });
  expect(await house.offers.open(offer)).toBe(true);
  const sound = anAssignment(delivery, courier, offer);
  const back = aBirth({ kind: 'return', state: 'in_transit' });
  const claim = claiming({ fact: `external:${newId('ven')}:1`, holder: delivery.id });
  const ofCourier = { courierId: courier.id, deliveryId: delivery.id };
  const taking = { kind: 'take_courier', ...ofCourier, version: 1 } as const;
  const keeping = { kind: 'keep_courier', courierId: courier.id, frees: delivery.id, takes: newId('del') } as const;
  const opening = (change: Change) => ({ kind: 'open_delivery', change }) as const;

  const stale: Record<string, Change> = {
    'another version': { ...sound, before: { ...delivery, version: 2 } },
    'another state': { ...sound, before: { ...delivery, state: 'assigned' } },
    'an unknown delivery': { ...sound, before: { ...delivery, id: newId('del') } },
    'born twice': { ...aBirth({ id: delivery.id }), effects: [claim] },
    'another version of the courier': { ...sound, effects: [{ ...taking, version: 7 }] },
    'a courier without room': withEffects(anAssignment(delivery, full), [claim]),
    'a suspended courier': anAssignment(delivery, suspended),
    'an unknown courier': { ...sound, effects: [{ ...taking, courierId: newId('cou') }] },
    'a courier who gives back what they do not have': {
      ...sound,
      effects: [{ kind: 'free_courier', ...ofCourier, at: NOON }],
    },
    'a courier who brings back what they do not have': { ...sound, effects: [keeping] },
    'an offer that is not open': { ...sound, effects: [{ ...withdrawing(delivery), accepted: newId('off') }] },
    'an offer of another delivery': { ...anAssignment(other, courier, offer) },
    'a return that was born already': withEffects(sound, [opening(aBirth({ id: other.id }))]),
    'a return that opens nothing new': withEffects(sound, [claim, opening({ ...back, before: back.after })]),
  };
  const stored = await fingerprint(house);
  for (const [why, change] of Object.entries(stale)) {
    const result = await house.commit(change);
    expect({ why, result, stored: await fingerprint(house) }).toEqual({
      why,
      result: { ok: false, why: 'stale' },
      stored,
    });
  }
  expect(await house.commit(sound)).toMatchObject({ ok: true });
});

test('[S3] if a fact is already claimed, its owner is reported and nothing is written', async () => {
  const vendor = newId('ven');
  const first = { fact: `external:${vendor}:a`, holder: newId('del') };
  const quote = { fact: `quote:${newId('qte')}`, holder: newId('del') };
  expect(await house.commit(aBirth({}, [first, quote]))).toMatchObject({ ok: true });
  const delivery = await storeDelivery(house);
  const stored = await fingerprint(house);

  const free = { fact: `external:${vendor}:b`, holder: newId('del') };
  const mine = (claim: typeof free) => ({ ...claim, holder: newId('del') });
  expect(await house.commit(aBirth({}, [mine(first)]))).toEqual({ ok: false, why: 'claimed', claim: first });
  expect(await house.commit(aBirth({}, [free, mine(quote)]))).toEqual({ ok: false, why: 'claimed', claim: quote });
  expect(await house.commit(aBirth({}, [mine(first), mine(quote)]))).toEqual({
    ok: false,
    why: 'claimed',
    claim: first,
  });
  const change = aBirth({}, [mine(quote)]);
  const nested = { ...aChange(delivery, { fee: 1 }), effects: [{ kind: 'open_delivery', change } as const] };
  expect(await house.commit(nested)).toEqual({ ok: false, why: 'claimed', claim: quote });
  expect(await fingerprint(house)).toEqual(stored);
});

test('[S4] the accepted offer closes as accepted, and the delivery’s other offers are withdrawn and returned', async () => {
  const delivery = await storeDelivery(house);
  const couriers = await Promise.all([storeCourier(house), storeCourier(house), storeCourier(house)]);
  const offers = couriers.map(({ id }) => anOffer({ deliveryId: delivery.id, courierId: id, isExclusive: false }));
  const elsewhere = await offerToFree(house, { deliveryId: (await storeDelivery(house)).id });
  for (const offer of [...offers, elsewhere]) expect(await house.offers.open(offer)).toBe(true);
  const [winner, ...losers] = couriers;
  const [accepted, ...others] = offers;
  if (winner === undefined || accepted === undefined) throw new Error('there are three of each');

  const result = await house.commit(anAssignment(delivery, winner, accepted));
  const withdrawn = others.map((offer) => ({ ...offer, state: 'withdrawn', reason: 'taken', closedAt: NOON + 1000 }));
  expect(result.ok && result.withdrawn.toSorted((a, b) => (a.id < b.id ? -1 : 1))).toStrictEqual(withdrawn);
  expect(await house.offers.find(accepted.id)).toStrictEqual({ ...accepted, state: 'accepted', closedAt: NOON + 1000 });
  expect(await house.offers.listOpen([delivery.id, elsewhere.deliveryId])).toEqual([elsewhere]);
  for (const { id } of losers) expect(await house.offers.findOpenOf(id)).toBeNull();
});

test('[S5] the end of a delivery frees its courier, who is idle from then on; a return needs neither room nor approval', async () => {
  const courier = await storeCourier(house);
  const delivery = await storeDelivery(house);
  const assigned = anAssignment(delivery, courier);
  expect(await house.commit(assigned)).toMatchObject({ ok: true });
  expect(
    await house.couriers.setStanding({ ...courier, version: 2 }, standingIn(courier, 'suspended'), anEntry()),
  ).toMatchObject({ version: 3 });

  const back = aBirth({ kind: 'return', state: 'in_transit', courierId: courier.id });
  const { id: courierId } = courier;
  const swap = { kind: 'keep_courier', courierId, frees: delivery.id, takes: back.after.id } as const;
  const ended = aChange(assigned.after, { state: 'canceled' }, 'canceled');
  expect(await house.commit({ ...ended, effects: [swap, { kind: 'open_delivery', change: back }] })).toMatchObject({
    ok: true,
  });
  expect(await house.couriers.get(courier.id)).toMatchObject({ active: [back.after.id], idleSinceAt: NOON });

  const home = { kind: 'free_courier', courierId, deliveryId: back.after.id, at: NOON + 9000 } as const;
  const done = aChange(back.after, { state: 'delivered' }, 'delivered');
  expect(await house.commit({ ...done, effects: [home] })).toMatchObject({ ok: true });
  expect(await house.couriers.get(courier.id)).toMatchObject({ active: [], version: 5, idleSinceAt: NOON + 9000 });
});
