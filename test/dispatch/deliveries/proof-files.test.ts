import { expect, test } from 'vitest';
import { recordProof, type ProofNeeds } from '../../../src/dispatch/record-proof.ts';
import type { Delivery } from '../../../src/domain/deliveries/delivery.ts';
import type { FileId } from '../../../src/domain/ids.ts';
import type { GivenProof } from '../../../src/domain/proof/verification.ts';
import { aStop } from '../../builders.ts';
import { unassignCourier } from '../../../src/dispatch/offers/unassign-courier.ts';
import { asCourier, asStaff } from '../../callers.ts';
import { aFile } from '../../models/files/a-file.ts';
import { openWorld, refusalOf, storeHeld } from '../world.ts';

const world = await openWorld('proof-files');
const { clock, files, settings } = world;
/** How long a file that nothing uses is kept here. */
const ORPHAN_MS = 1000;

const endOf = async (id: FileId) => (await files.find(id))?.endsAt;
const proofEnd = () => clock.now() + settings.files.proofMs;
const soon = () => clock.now() + 2 * settings.files.linkRealMs;

/** A delivery on its way to two drop-offs, and a function that gives proof at one of them. */
async function underway() {
  const { delivery, courier } = await storeHeld(world, 'in_transit', { dropOffs: [aStop(1), aStop(2)] });
  const give = (given: GivenProof, stop = 1, ctx: ProofNeeds = world) => {
    const places = { pointer: '/proof', filesPointer: '/proof/files' };
    return recordProof(ctx, { deliveryId: delivery.id, stop, given, ...places }, asCourier(courier));
  };
  return { delivery, give };
}

async function signature({ id }: Delivery): Promise<FileId> {
  const file = aFile({ subject: id, kind: 'signature', endsAt: clock.now() + ORPHAN_MS });
  await files.add(file, Buffer.from('content'));
  return file.id;
}

const signatureOf = ({ dropOffs: [stop] }: Delivery) => stop?.proof?.signature;

test('[D130] a replaced signature ends soon, and the one that replaces it is kept', async () => {
  const { delivery, give } = await underway();
  const [first, second] = [await signature(delivery), await signature(delivery)];
  await give({ files: [first] });
  expect(await endOf(first)).toBe(proofEnd());
  expect(signatureOf(await give({ files: [second] }))).toBe(second);
  expect([await endOf(first), await endOf(second)]).toEqual([soon(), proofEnd()]);
});

test('[D213] an unassignment ends the files of the proof at the pickup soon, and no others', async () => {
  const { delivery, courier } = await storeHeld(world, 'assigned');
  const give = (files: FileId[]) => {
    const places = { pointer: '/proof', filesPointer: '/proof/files' };
    return recordProof(world, { deliveryId: delivery.id, stop: 0, given: { files }, ...places }, asCourier(courier));
  };
  const [used, never] = [await signature(delivery), await signature(delivery)];
  await give([used]);
  expect(await endOf(used)).toBe(proofEnd());
  const free = await unassignCourier(world, { deliveryId: delivery.id, reason: 'flat tyre' }, asStaff());
  expect(free.pickup.proof).toBeUndefined();
  expect([await endOf(used), await endOf(never)]).toEqual([soon(), clock.now() + ORPHAN_MS]);
});

test('[D130] a signature that is sent again with another part stays', async () => {
  const { delivery, give } = await underway();
  const only = await signature(delivery);
  await give({ files: [only] });
  expect(signatureOf(await give({ files: [only, only], signatureName: 'Ada' }))).toBe(only);
  expect(await endOf(only)).toBe(proofEnd());
});

test('[D130] a replaced signature that is in the proof of another stop stays', async () => {
  const { delivery, give } = await underway();
  const [both, next] = [await signature(delivery), await signature(delivery)];
  await give({ files: [both] }, 1);
  await give({ files: [both] }, 2);
  await give({ files: [next] }, 1);
  expect(await endOf(both)).toBe(proofEnd());
  await give({ files: [next] }, 2);
  expect([await endOf(both), await endOf(next)]).toEqual([soon(), proofEnd()]);
});

test('[D130] of two signatures that arrive at once, the one in the proof is kept and the other ends soon', async () => {
  const { delivery, give } = await underway();
  const old = await signature(delivery);
  await give({ files: [old] });
  const [one, other] = [await signature(delivery), await signature(delivery)];
  await Promise.all([give({ files: [one] }), give({ files: [other] }, 1, { ...world, ...world.elsewhere })]);
  const kept = signatureOf(await world.deliveries.get(delivery.id));
  expect([one, other]).toContain(kept);
  for (const id of [old, one, other]) expect(await endOf(id)).toBe(id === kept ? proofEnd() : soon());
});

test('[D130] a replaced signature whose file is gone can be replaced', async () => {
  const { delivery, give } = await underway();
  const [first, second] = [await signature(delivery), await signature(delivery)];
  await give({ files: [first] });
  await files.remove(first, Infinity);
  expect(signatureOf(await give({ files: [second] }))).toBe(second);
});

test('[D130] a file that the proof does not take keeps its end, also if the change is not made', async () => {
  const { delivery, give } = await underway();
  const [first, second] = [await signature(delivery), await signature(delivery)];
  const orphanEnd = clock.now() + ORPHAN_MS;
  const failing = { ...world, commit: () => Promise.reject(new Error('the process ends here')) };
  await expect(give({ files: [first] }, 1, failing)).rejects.toThrow('the process ends here');
  expect(await endOf(first)).toBe(orphanEnd);
  await give({ files: [first, second] });
  expect([await endOf(first), await endOf(second)]).toEqual([proofEnd(), orphanEnd]);
});

test('[D130] a file that is removed before the change is written is refused as unknown', async () => {
  const { delivery, give } = await underway();
  const file = await signature(delivery);
  const findMany: typeof files.findMany = async (ids) => {
    const found = await files.findMany(ids);
    await files.remove(file, Infinity);
    return found;
  };
  const refusal = await refusalOf(give({ files: [file] }, 1, { ...world, files: { ...files, findMany } }));
  expect(refusal).toMatchObject({ told: { errors: [{ pointer: '/proof/files/0', code: 'unknown_file' }] } });
  expect(await world.deliveries.get(delivery.id)).toEqual(delivery);
});
