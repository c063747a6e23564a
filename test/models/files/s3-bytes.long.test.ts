import { buffer } from 'node:stream/consumers';
import { afterAll, expect, test } from 'vitest';
import { readConfig } from '../../../src/config.ts';
import { openCore } from '../../../src/core.ts';
import { newId } from '../../../src/domain/ids.ts';
import { linkTo } from '../../../src/files/links.ts';
import { createFileStore } from '../../../src/models/files/file-store.ts';
import { createS3Bytes, type S3Bucket } from '../../../src/models/files/s3-bytes.ts';
import { QUIET } from '../../engines/mongo-house.ts';
import { openHouse } from '../../http/house.ts';
import { aFile } from './a-file.ts';
import { startMoto } from './moto.ts';

const moto = await startMoto(false);
const strict = await startMoto(true);
afterAll(async () => {
  await moto.stop();
  await strict.stop();
});
const CONTENT = Buffer.from('the content of a file');

test('[H370] a file in the bucket is stored, sent by a signed link and removed', async () => {
  const bytes = createS3Bytes(moto.bucket);
  expect(await bytes.check()).toEqual({ is: 'ready' });
  const house = await openHouse('s3 files');
  const { ctx } = house;
  const files = createFileStore(house.mongo, house.ctx.clock, bytes);
  Object.assign(ctx, { files });
  const file = aFile({ bytes: CONTENT.length });
  await files.add(file, CONTENT);
  const { url } = linkTo(ctx, file.id);
  const answer = await fetch(url);
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'image/jpeg']);
  expect(Buffer.from(await answer.arrayBuffer())).toEqual(CONTENT);
  await files.remove(file.id, Infinity);
  await files.remove(file.id, Infinity);
  expect((await fetch(url)).status).toBe(404);
});

test('[H370] an absent object reads as null, and a large one reads back whole', async () => {
  const bytes = createS3Bytes(moto.bucket);
  const [id, large] = [newId('fil'), Buffer.alloc(10 * 1024 * 1024, 'large')];
  expect(await bytes.read(id)).toBeNull();
  await bytes.remove(id);
  await bytes.put(id, large, 'application/pdf');
  const stream = await bytes.read(id);
  expect(stream === null ? null : large.equals(await buffer(stream))).toBe(true);
});

test('[H371] while the service is away, files are refused with 503 and the check says so', async () => {
  const away = await startMoto(false);
  const bytes = createS3Bytes(away.bucket);
  const house = await openHouse('s3 away');
  const files = createFileStore(house.mongo, house.ctx.clock, bytes);
  Object.assign(house.ctx, { files });
  const file = aFile({ bytes: CONTENT.length, endsAt: null });
  await files.add(file, CONTENT);
  await away.stop();
  const answer = await fetch(linkTo(house.ctx, file.id).url);
  expect([answer.status, (await answer.json()) as unknown]).toMatchObject([503, { code: 'busy', retryable: true }]);
  await expect(files.add(aFile(), CONTENT)).rejects.toMatchObject({ code: 'busy' });
  await expect(bytes.remove(file.id)).rejects.toMatchObject({ code: 'busy' });
  expect(await bytes.check()).toMatchObject({ is: 'away' });
});

test('[H372] a wrong credential or an absent bucket stops the start with the code of the service', async () => {
  const start = ({ url, region, accessKeyId, secretAccessKey }: S3Bucket) => {
    const credential = { S3_ACCESS_KEY_ID: accessKeyId, S3_SECRET_ACCESS_KEY: secretAccessKey };
    const config = readConfig({ S3_URL: url, S3_REGION: region, ...credential });
    // The bucket is checked before any engine is opened.
    return openCore(config, { mongoUrl: 'mongodb://127.0.0.1:1', redisUrl: 'redis://127.0.0.1:1' }, QUIET);
  };
  await expect(start(strict.bucket)).rejects.toThrow(/\(403 InvalidAccessKeyId\)\. Check S3_URL with its bucket/);
  const absent = { ...moto.bucket, url: moto.bucket.url.replace('/files', '/absent') };
  await expect(start(absent)).rejects.toThrow(/\(404 NoSuchBucket\)/);
});
