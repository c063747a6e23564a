import { expect, test } from 'vitest';
import { deliverStop, failStop, pickUp } from '../../../src/dispatch/deliveries/advance-delivery.ts';
import { cancelDelivery } from '../../../src/dispatch/deliveries/cancel-delivery.ts';
import { assignCourier } from '../../../src/dispatch/offers/assign-courier.ts';
import { unassignCourier } from '../../../src/dispatch/offers/unassign-courier.ts';
import { recordProof } from '../../../src/dispatch/record-proof.ts';
import type { Delivery } from '../../../src/domain/deliveries/delivery.ts';
import type { Stop } from '../../../src/domain/deliveries/stops/stop.ts';
import { newId } from '../../../src/domain/ids.ts';
import type { GivenProof, Verification } from '../../../src/domain/proof/verification.ts';
import { aStop } from '../../builders.ts';
import type { Doer } from '../../../src/dispatch/commands.ts';
import { asCourier, asStaff, asVendor } from '../../callers.ts';
import { aFile } from '../../models/files/a-file.ts';
import { openWorld, refusalOf, storeCourier, storeHeld } from '../world.ts';

const world = await openWorld('record-proof');
const NONE: Verification = { picture: false, signature: null, pin: null, barcodes: [], minAge: null };
const PIN = { type: 'random', sealed: world.vault.seal('0420') } as const;

const requiring = (wanted: Partial<Verification>, over: Partial<Stop> = {}) => ({
  dropOffs: [aStop(1, { verification: { ...NONE, ...wanted }, ...over })],
});
const at = (delivery: Delivery, stop = 1) => ({ deliveryId: delivery.id, stop, overrideReason: 'no satellites' });
const giving = (delivery: Delivery, given: GivenProof, stop = 1) => ({
  deliveryId: delivery.id,
  stop,
  given,
  pointer: '/proof',
  filesPointer: '/proof/files',
});

/** An uploaded photo or signature of the delivery. */
async function uploaded({ id }: Delivery, kind: 'photo' | 'signature' = 'photo') {
  const file = aFile({ subject: id, kind, endsAt: world.clock.now() + 1000 });
  await world.files.add(file, Buffer.from('content'));
  return file.id;
}

test('[D122] goods are handed over only once each part of the proof was given', async () => {
  const wanted = {
    picture: true,
    signature: { collectName: true, collectRelationship: false },
    barcodes: [{ value: 'BOX-1', type: 'QR' as const }],
    minAge: 18,
  };
  const { delivery, courier } = await storeHeld(world, 'in_transit', requiring(wanted));
  const doer = asCourier(courier);
  const deliver = () => deliverStop(world, at(delivery), doer);
  expect(await refusalOf(deliver())).toMatchObject({ code: 'proof_required' });
  const parts: GivenProof[] = [
    { files: [await uploaded(delivery)] },
    { files: [await uploaded(delivery, 'signature')], signatureName: 'Ada' },
    { barcodes: ['BOX-1'] },
  ];
  for (const given of parts) {
    await recordProof(world, giving(delivery, given), doer);
    expect(await refusalOf(deliver())).toMatchObject({ code: 'proof_required' });
  }
  await recordProof(world, giving(delivery, { ageVerified: true }), doer);
  const after = await deliver();
  expect(after).toMatchObject({ state: 'delivered', sequence: delivery.sequence + 1 });
  const proof = after.dropOffs[0]?.proof;
  expect(proof).toMatchObject({ signer: { name: 'Ada' }, barcodes: [{ value: 'BOX-1' }] });
  const kept = await world.files.findMany([...(proof?.photos ?? []), ...(proof?.signature ? [proof.signature] : [])]);
  expect(kept.map(({ endsAt }) => endsAt)).toEqual([0, 0].map(() => expect.any(Number) as number));
  for (const { endsAt } of kept)
    expect(endsAt).toBeGreaterThan(world.clock.now() + world.settings.files.proofMs - 1000);
});

test('[D122] goods are collected only once the proof of the pickup was given', async () => {
  const pickup = aStop(0, { verification: { ...NONE, picture: true } });
  const { delivery, courier } = await storeHeld(world, 'assigned', { pickup });
  const doer = asCourier(courier);
  expect(await refusalOf(pickUp(world, at(delivery, 0), doer))).toMatchObject({
    code: 'proof_required',
    told: { metadata: { stop: 0, missing: ['picture'] } },
  });
  await recordProof(world, giving(delivery, { files: [await uploaded(delivery)] }, 0), doer);
  expect(await pickUp(world, at(delivery, 0), doer)).toMatchObject({ state: 'picked_up' });
});

test('[D122] the proof of a courier who lost the delivery does not count for the next one', async () => {
  const pickup = aStop(0, { verification: { ...NONE, picture: true } });
  const { delivery, courier } = await storeHeld(world, 'assigned', { pickup });
  await recordProof(world, giving(delivery, { files: [await uploaded(delivery)] }, 0), asCourier(courier));
  await unassignCourier(world, { deliveryId: delivery.id, reason: 'flat tyre' }, asCourier(courier));
  const next = await storeCourier(world);
  const taken = { deliveryId: delivery.id, courierId: next.id, offerId: null, overrideReason: null };
  await assignCourier(world, taken, asStaff());
  const { code } = await refusalOf(pickUp(world, at(delivery, 0), asCourier(next)));
  expect(code).toBe('proof_required');
});

test('[D123] a proof without any part records nothing, and the vendor may still cancel', async () => {
  const { delivery, courier } = await storeHeld(world, 'in_transit', requiring({ picture: true }));
  for (const given of [{}, { ageVerified: false }]) {
    expect(await recordProof(world, giving(delivery, given), asCourier(courier))).toEqual(delivery);
  }
  expect(await cancelDelivery(world, { deliveryId: delivery.id, reason: null }, asVendor(delivery))).toMatchObject({
    state: 'canceled',
  });
});

test('[A90] proof that staff give is audited with its parts, and not with what is in them', async () => {
  const { delivery, courier } = await storeHeld(world, 'in_transit', requiring({ pin: PIN }));
  await recordProof(world, giving(delivery, { signatureName: 'Ada' }), asCourier(courier));
  await recordProof(world, giving(delivery, { pin: '0000', ageVerified: true }), asStaff()).catch(() => undefined);
  const { items } = await world.audit.list({ objectId: delivery.id }, { limit: 5, after: null });
  expect(items).toMatchObject([
    { action: 'delivery.prove', changes: { stop: { to: 1 }, proof: { to: ['wrong_pin'] } } },
  ]);
});

test('[D123] the same part again changes nothing', async () => {
  const { delivery, courier } = await storeHeld(world, 'in_transit', requiring({ picture: true, pin: PIN }));
  const given = { files: [await uploaded(delivery)], pin: '0420', signatureName: 'Ada', ageVerified: true };
  const first = await recordProof(world, giving(delivery, given), asCourier(courier));
  const again = await recordProof(world, giving(delivery, given), asCourier(courier));
  expect(again).toEqual(first);
  expect(first).toMatchObject({ version: delivery.version + 1, sequence: delivery.sequence, state: 'in_transit' });
});

test('[D124] five wrong PINs lock the stop, also if they arrive at once; staff can end it with a reason', async () => {
  const { delivery, courier } = await storeHeld(world, 'in_transit', requiring({ pin: PIN }));
  const doer = asCourier(courier);
  const enter = (pin: string) => recordProof(world, giving(delivery, { pin }), doer);
  expect(await refusalOf(enter('0000'))).toMatchObject({
    code: 'pin_incorrect',
    told: { metadata: { stop: 1, tries_left: 4 }, errors: [{ pointer: '/proof/pin' }] },
  });
  await Promise.allSettled(Array.from({ length: 8 }, (_, index) => enter(`111${index}`)));
  expect((await world.deliveries.get(delivery.id)).dropOffs[0]?.proof?.pin).toMatchObject({
    verifiedAt: null,
    wrongTries: 5,
  });
  expect(await refusalOf(enter('0420'))).toMatchObject({ code: 'pin_locked' });
  expect(await refusalOf(deliverStop(world, at(delivery), doer))).toMatchObject({ code: 'pin_locked' });
  const staff = asStaff();
  expect(await refusalOf(deliverStop(world, { ...at(delivery), overrideReason: null }, staff))).toMatchObject({
    code: 'pin_locked',
  });
  expect(await deliverStop(world, at(delivery), staff)).toMatchObject({ state: 'delivered' });
});

test('[D124] a wrong PIN that is sent again gets the same answer and counts once, until another one is entered', async () => {
  const { delivery, courier } = await storeHeld(world, 'in_transit', requiring({ pin: PIN }));
  const leftAfter = async (pin: string, doer: Doer = asCourier(courier)) => {
    const refusal = await refusalOf(recordProof(world, giving(delivery, { pin }), doer));
    return refusal?.told.metadata?.['tries_left'];
  };
  const left: unknown[] = [];
  for (const pin of ['0000', '0000', '0000', '1111', '1111', '0000']) left.push(await leftAfter(pin));
  expect(left).toEqual([4, 4, 4, 3, 3, 2]);
  expect(await leftAfter('0000', asStaff())).toBe(1);
  expect(JSON.stringify(await world.deliveries.get(delivery.id))).not.toMatch(/"(0000|1111)"/);
});

test('[D124] nothing that comes with a wrong PIN is added, so that a repeat with the right one has room', async () => {
  const { delivery, courier } = await storeHeld(world, 'in_transit', requiring({ picture: true, pin: PIN }));
  const doer = asCourier(courier);
  const photo = await uploaded(delivery);
  const enter = (pin: string) =>
    recordProof(world, giving(delivery, { files: [photo], pin, signatureName: 'Ada' }), doer);
  expect(await refusalOf(enter('0000'))).toMatchObject({ code: 'pin_incorrect' });
  const [stop] = (await world.deliveries.get(delivery.id)).dropOffs;
  expect(stop?.proof).toMatchObject({ photos: [], signer: { name: null }, pin: { wrongTries: 1 } });
  expect((await world.files.findMany([photo]))[0]?.endsAt).toBe(world.clock.now() + 1000);
  expect((await enter('0420')).dropOffs[0]?.proof).toMatchObject({ photos: [photo], signer: { name: 'Ada' } });
});

test('[D124] the right PIN opens the stop after wrong ones, and a corrected phone changes its PIN', async () => {
  const contact = { name: 'Ada', phone: '+49306540042' };
  const wanted = requiring({ pin: { type: 'phone_last4', sealed: null } }, { contact });
  const { delivery, courier } = await storeHeld(world, 'in_transit', wanted);
  expect(await refusalOf(recordProof(world, giving(delivery, { pin: '4200' }), asCourier(courier)))).toMatchObject({
    code: 'pin_incorrect',
  });
  const after = await recordProof(world, giving(delivery, { pin: '0042' }), asCourier(courier));
  expect(after.dropOffs[0]?.proof?.pin).toMatchObject({ wrongTries: 1, verifiedAt: world.clock.now() });
});

test('[D125] a vendor cannot cancel once the proof at the last stop has begun', async () => {
  const { delivery, courier } = await storeHeld(world, 'in_transit', {
    dropOffs: [aStop(1), aStop(2, { verification: { ...NONE, picture: true } })],
  });
  const cancel = () => cancelDelivery(world, { deliveryId: delivery.id, reason: null } as never, asVendor(delivery));
  const doer = asCourier(courier);
  await recordProof(world, giving(delivery, { files: [await uploaded(delivery)] }, 2), doer);
  expect(await refusalOf(cancel())).toMatchObject({
    code: 'invalid_state_transition',
    told: { reason: 'proof_begun' },
  });
  const other = await storeHeld(world, 'in_transit', { dropOffs: [aStop(1), aStop(2)] });
  await recordProof(world, giving(other.delivery, { signatureName: 'Ada' }, 1), asCourier(other.courier));
  const vendor = asVendor(other.delivery);
  const canceled = cancelDelivery(world, { deliveryId: other.delivery.id, reason: null } as never, vendor);
  expect(await canceled).toMatchObject({ state: 'canceled' });
});

test('[D126] proof is refused at other stops, too early, from strangers and with strange files or barcodes', async () => {
  const { delivery, courier } = await storeHeld(world, 'assigned');
  const doer = asCourier(courier);
  const add = (given: GivenProof, stop = 0, by: Parameters<typeof recordProof>[2] = doer) =>
    refusalOf(recordProof(world, giving(delivery, given, stop), by));
  expect(await add({ signatureName: 'Ada' }, 1)).toMatchObject({ code: 'invalid_state_transition' });
  expect(await add({ signatureName: 'Ada' }, 7)).toMatchObject({ code: 'stop_not_found' });
  const stranger = asCourier({ ...courier, id: newId('cou') });
  expect(await add({ signatureName: 'Ada' }, 0, stranger)).toMatchObject({ code: 'delivery_not_found' });
  expect(await add({ signatureName: 'Ada' }, 0, asVendor(delivery))).toMatchObject({ code: 'forbidden' });
  const foreign = aFile();
  await world.files.add(foreign, Buffer.from('content'));
  for (const id of [foreign.id, newId('fil')]) {
    expect(await add({ files: [id] })).toMatchObject({ told: { errors: [{ pointer: '/proof/files/0' }] } });
  }
  expect(await add({ barcodes: ['?'] })).toMatchObject({ told: { errors: [{ pointer: '/proof/barcodes/0' }] } });
  const most = await Promise.all(Array.from({ length: 11 }, () => uploaded(delivery)));
  expect(await add({ files: most })).toMatchObject({ told: { errors: [{ pointer: '/proof/files' }] } });
  const done = await pickUp(world, at(delivery, 0), doer);
  expect(await add({ signatureName: 'Ada' })).toMatchObject({ code: 'stop_not_open' });
  expect(done.state).toBe('picked_up');
});

test('[D127] a return requires at the pickup what the pickup required, and nothing of it counts as given', async () => {
  const pickup = aStop(0, {
    state: 'delivered',
    verification: { ...NONE, picture: true },
    proof: {
      id: newId('prf'),
      photos: [newId('fil')],
      signature: null,
      signer: { name: null, relationship: null },
      pin: { verifiedAt: null, wrongTries: 0 },
      barcodes: [],
      ageVerifiedAt: null,
      at: 1,
      place: null,
    },
  });
  const { delivery } = await storeHeld(world, 'in_transit', { pickup, ...requiring({ pin: PIN }) });
  const failing = { ...at(delivery), reason: 'customer_refused' as const, contactTries: [] };
  const [returnId = newId('del')] = (await failStop(world, failing, asStaff())).related;
  const back = await world.deliveries.get(returnId);
  expect(back.dropOffs[0]).toMatchObject({ verification: pickup.verification });
  expect([back.dropOffs[0]?.proof, back.pickup.verification, back.pickup.proof]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
});
