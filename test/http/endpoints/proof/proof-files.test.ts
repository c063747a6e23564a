import { expect, test } from 'vitest';
import { removeFiles } from '../../../../src/dispatch/due/remove-files.ts';
import { assignCourier } from '../../../../src/dispatch/offers/assign-courier.ts';
import { unassignCourier } from '../../../../src/dispatch/offers/unassign-courier.ts';
import { newId } from '../../../../src/domain/ids.ts';
import { FILES } from '../../../../src/models/files/file-shapes.ts';
import { asInternal, asStaff } from '../../../callers.ts';
import { aJpeg } from '../../../files/samples.ts';
import { addCourier } from '../../house.ts';
import { crashAfterEffect } from '../../idempotency/crash-after-effect.ts';
import { openHandovers } from './handovers.ts';

const { house, assigned, underway, prove } = await openHandovers('http-proof-files');
const { ctx, mongo } = house;

/** So many different pictures, the first of them this wide. */
const pictures = (count: number, from: number) =>
  Promise.all(Array.from({ length: count }, (_, index) => aJpeg({ width: from + index })));
const countFiles = () => mongo.collection(FILES).countDocuments();
/** Removes the files whose time is over. */
const sweep = () => {
  const clock = { ...ctx.clock, now: () => ctx.clock.now() + 1 };
  return removeFiles({ files: ctx.files, clock })(() => true);
};

/** A stop with eight photos and a signature, and a function that sends it further files. */
async function nearlyFull() {
  const carrier = await addCourier(house);
  const id = await underway({}, carrier);
  const send = async (parts: Parameters<typeof prove>[1]) => {
    const { status, body } = await prove(id, parts, { token: carrier.token });
    const errors = (body['errors'] ?? []) as { pointer: string; code: string }[];
    return [status, (body['pictures'] as unknown[] | undefined)?.length ?? errors.map(({ code }) => code)];
  };
  await send({ photo: await pictures(4, 100) });
  const [signature = Buffer.of()] = await pictures(1, 200);
  expect(await send({ photo: await pictures(4, 104), signature })).toEqual([201, 8]);
  return { id, send };
}

test('[H480] a form that would leave more than ten files at the stop is refused, and none of its files stays', async () => {
  const { send } = await nearlyFull();
  const before = await countFiles();
  expect(await send({ photo: await pictures(2, 108) })).toEqual([422, ['too_many']]);
  await sweep();
  expect(await countFiles()).toBe(before);
  expect(await send({ photo: await pictures(1, 108) })).toEqual([201, 9]);
  expect(await send({ photo: await pictures(1, 109) })).toEqual([422, ['too_many']]);
  expect(await countFiles()).toBe(before + 1);
});

test('[H480] at a full stop, pictures that it has already and another signature are accepted', async () => {
  const { send } = await nearlyFull();
  await send({ photo: await pictures(1, 108) });
  const before = await countFiles();
  expect(await send({ photo: await pictures(4, 100), signature_name: 'Ada' })).toEqual([201, 9]);
  expect(await countFiles()).toBe(before);
  const [signature = Buffer.of()] = await pictures(1, 201);
  expect(await send({ photo: await pictures(4, 105), signature })).toEqual([201, 9]);
  expect(await countFiles()).toBe(before + 1);
});

test('[H480] ten photos leave no room for a signature', async () => {
  const carrier = await addCourier(house);
  const id = await underway({}, carrier);
  const send = (parts: Parameters<typeof prove>[1]) => prove(id, parts, { token: carrier.token });
  for (const from of [100, 104]) await send({ photo: await pictures(4, from) });
  const [signature = Buffer.of()] = await pictures(1, 200);
  const before = await countFiles();
  expect(await send({ photo: await pictures(2, 108), signature })).toMatchObject({
    status: 422,
    body: {
      errors: [{ pointer: '/photo', code: 'too_many', message: '`/photo` must leave at most 10 files at the stop.' }],
    },
  });
  expect((await send({ photo: await pictures(2, 108) })).status).toBe(201);
  expect((await send({ signature })).status).toBe(422);
  await sweep();
  expect(await countFiles()).toBe(before + 2);
});

test('[H480] if a later picture of a form is refused, those before it end at once', async () => {
  const carrier = await addCourier(house);
  const id = await underway({}, carrier);
  const before = await countFiles();
  const [photo = Buffer.of()] = await pictures(1, 100);
  const answer = await prove(id, { photo: [photo, photo.subarray(0, photo.length / 2)] }, { token: carrier.token });
  expect([answer.status, answer.body['code']]).toEqual([422, 'file_not_accepted']);
  await sweep();
  expect(await countFiles()).toBe(before);
});

test('[H480] a form with a strange barcode, or with a PIN at a locked stop, stores no file', async () => {
  const carrier = await addCourier(house);
  const id = await underway({ pin: { type: 'merchant_provided', value: '0420' } }, carrier);
  const send = async (parts: Parameters<typeof prove>[1]) => {
    const { status, body } = await prove(id, parts, { token: carrier.token });
    return [status, body['code']];
  };
  const before = await countFiles();
  const photo = await pictures(1, 100);
  expect(await send({ photo, barcodes: 'BOX-1' })).toEqual([422, 'impossible_value']);
  for (const pin of ['1111', '2222', '3333', '4444', '5555']) await send({ pin });
  expect(await send({ photo, pin: '0420' })).toEqual([409, 'pin_locked']);
  expect(await countFiles()).toBe(before);
  expect(await send({ photo })).toEqual([201, undefined]);
});

test('[T70] a form that names an assignment that has ended counts for no later one, and stores no file', async () => {
  const carrier = await addCourier(house);
  const { id, times } = await assigned({}, carrier);
  const send = async (ms: number) => {
    const parts = { photo: await pictures(1, 100), assigned_at: new Date(ms).toISOString() };
    return prove(id, parts, { token: carrier.token, stop: '0' });
  };
  const before = await countFiles();
  const present = times.assignedAt ?? 0;
  const late = await send(present - 1000);
  expect([late.status, late.body['code']]).toEqual([409, 'stop_not_open']);
  expect(await countFiles()).toBe(before);
  expect(await send(present)).toMatchObject({ status: 201, body: { pictures: [{}] } });
});

test('[T70] a form that is repeated after a crash counts for no later assignment either', async () => {
  const carrier = await addCourier(house);
  const first = await assigned({}, carrier);
  const named = { photo: await pictures(1, 100), assigned_at: new Date(first.times.assignedAt ?? 0).toISOString() };
  const headers = { 'idempotency-key': newId('req') };
  const send = () => prove(first.id, named, { token: carrier.token, stop: '0', headers });
  expect((await send()).status).toBe(201);
  const to = { deliveryId: first.id, courierId: carrier.id };
  await unassignCourier(ctx, { ...to, reason: 'test' }, asStaff());
  // Times of the same second name the same assignment.
  const clock = { ...ctx.clock, now: () => ctx.clock.now() + 1000 };
  await assignCourier({ ...ctx, clock }, { ...to, offerId: null, overrideReason: 'test' }, asInternal());
  await crashAfterEffect(house);
  const before = await countFiles();
  expect(await send()).toMatchObject({ status: 409, body: { code: 'stop_not_open' } });
  expect(await countFiles()).toBe(before);
});
