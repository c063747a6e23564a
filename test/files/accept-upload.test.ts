import { createHash } from 'node:crypto';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { newId } from '../../src/domain/ids.ts';
import { linkTo, openToken } from '../../src/files/links.ts';
import { removeFiles } from '../../src/dispatch/due/remove-files.ts';
import { CLOCK } from '../engines/mongo-house.ts';
import { openFiles } from './house.ts';
import { aJpeg, aPdf, aPhotoWithPlace, aPng, aWebp } from './samples.ts';

const house = await openFiles('files');
const { upload, contentOf, ctx } = house;

test('[F1] an image is stored again without its metadata, upright and in the same format', async () => {
  const photo = await aPhotoWithPlace();
  expect((await sharp(photo).metadata()).exif?.includes('SecretPhone')).toBe(true);
  for (const [content, type] of [
    [photo, 'image/jpeg'],
    [await aPng(), 'image/png'],
    [await aWebp(), 'image/webp'],
  ] as const) {
    const file = await upload(content, type, 'photo');
    const stored = await contentOf(file.id);
    if (stored === null) throw new Error('the content is stored');
    const { format, width, height, exif, xmp, iptc } = await sharp(stored).metadata();
    expect({ type: `image/${format}`, width, height, exif, xmp, iptc }).toEqual({ type, width: 32, height: 24 });
    expect(stored.includes('SecretPhone')).toBe(false);
    expect(file).toMatchObject({ type, bytes: stored.length });
    expect(file.sha256).toBe(createHash('sha256').update(stored).digest('hex'));
  }
});

test('[F1] a photo that was taken sideways stays upright', async () => {
  const sideways = await sharp(await aJpeg())
    .withMetadata({ orientation: 6 })
    .toBuffer();
  const file = await upload(sideways, 'image/jpeg', 'photo');
  const { width, height, orientation } = await sharp((await contentOf(file.id)) ?? undefined).metadata();
  expect({ width, height, orientation }).toEqual({ width: 24, height: 32, orientation: undefined });
});

test('[F2] a PDF is stored byte by byte', async () => {
  const pdf = aPdf();
  const file = await upload(pdf, 'application/pdf');
  expect(await contentOf(file.id)).toEqual(pdf);
});

test('[F5] a file that nothing uses is removed with its content, and a kept one is removed at its own time', async () => {
  const [orphan, kept, forever] = [
    await upload(await aJpeg(), 'image/jpeg'),
    await upload(await aJpeg(), 'image/jpeg'),
    await upload(await aJpeg(), 'image/jpeg'),
  ];
  expect(orphan.endsAt).toBe(orphan.createdAt + ctx.settings.files.orphanMs);
  await house.files.keep([kept.id], orphan.createdAt + 10 * ctx.settings.files.orphanMs);
  await house.files.keep([forever.id], null);
  const chunksOf = (id: string): Promise<number> =>
    house.mongo.db.collection('uploads.chunks').countDocuments({ files_id: id });
  const lookAt = async (now: number): Promise<(boolean | number)[]> => {
    await removeFiles({ files: house.files, clock: { ...CLOCK, now: () => now } })(() => true);
    const found = [orphan, kept, forever].map(async ({ id }) => (await house.files.find(id)) !== null);
    return [...(await Promise.all(found)), await chunksOf(orphan.id)];
  };
  expect(await lookAt(orphan.endsAt ?? 0)).toEqual([true, true, true, 1]);
  expect(await lookAt((orphan.endsAt ?? 0) + 60_000)).toEqual([false, true, true, 0]);
  expect(await contentOf(orphan.id)).toBeNull();
  expect(await lookAt(orphan.createdAt + 20 * ctx.settings.files.orphanMs)).toEqual([false, false, true, 0]);
});

test('[H421] a file whose end is set later while it is about to be removed stays', async () => {
  const file = await upload(await aJpeg(), 'image/jpeg');
  const later = (file.endsAt ?? 0) + 60_000;
  const listEnded: typeof house.files.listEnded = async (before, limit) => {
    const ended = await house.files.listEnded(before, limit);
    expect(await house.files.keep([file.id], later + 60_000)).toBe(true);
    return ended;
  };
  await removeFiles({ files: { ...house.files, listEnded }, clock: { ...CLOCK, now: () => later } })(() => true);
  expect((await house.files.find(file.id))?.endsAt).toBe(later + 60_000);
  expect(await contentOf(file.id)).not.toBeNull();
});

test('[H421] a removal that was cut short ends, and nothing can keep its file', async () => {
  const file = await upload(await aJpeg(), 'image/jpeg');
  const rows = house.mongo.db.collection<{ _id: string }>('files');
  await rows.updateOne({ _id: file.id }, { $set: { endsAt: 1 } });
  expect(await house.files.keep([file.id], null)).toBe(false);
  expect(await house.files.findMany([file.id])).toEqual([]);
  await removeFiles(ctx)(() => true);
  expect([await rows.countDocuments({ _id: file.id }), await contentOf(file.id)]).toEqual([0, null]);
  await house.files.remove(file.id, Infinity);
});

test('[F5] content whose row was written before a crash is removed too', async () => {
  const id = newId('fil');
  const file = await upload(await aJpeg(), 'image/jpeg');
  await house.mongo.db
    .collection<{ _id: string }>('files')
    .insertOne({ ...file, _id: id, id, endsAt: 1 } as { _id: string });
  await removeFiles(ctx)(() => true);
  expect(await house.mongo.db.collection<{ _id: string }>('files').countDocuments({ _id: id })).toBe(0);
  expect(await house.files.find(file.id)).not.toBeNull();
});

test('[F6] a link opens its file until it expires, and no changed link opens anything', () => {
  const id = newId('fil');
  const { url, expires_at: expiresAt } = linkTo(ctx, id);
  const token = url.slice(url.lastIndexOf('/') + 1);
  expect(openToken(ctx, token)).toBe(id);
  expect(Date.parse(expiresAt) - CLOCK.real.now()).toBeGreaterThan(ctx.settings.files.linkRealMs - 5000);
  const later = { ...ctx, clock: { ...CLOCK, real: { ...CLOCK.real, now: () => Date.parse(expiresAt) } } };
  expect(() => openToken(later, token)).toThrow(expect.objectContaining({ code: 'file_link_expired' }));
  const [, time = '', mac = ''] = token.split('.');
  const forged = [
    `${newId('fil')}.${time}.${mac}`,
    `${id}.${time}0.${mac}`,
    `${id}.${time}.${mac.slice(1)}`,
    `${id}.${time}`,
    `${token}.x`,
    id,
    '',
    '..',
  ];
  for (const text of forged) {
    expect(() => openToken(ctx, text), text).toThrow(expect.objectContaining({ code: 'file_not_found' }));
  }
});
