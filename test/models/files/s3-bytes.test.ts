import { buffer } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { newId, type FileId } from '../../../src/domain/ids.ts';
import { createS3Bytes } from '../../../src/models/files/s3-bytes.ts';
import { startOddS3 } from './odd-s3.ts';

/** More than the connections and the streams between the two sides can take. */
const LARGE = Buffer.alloc(10 * 1024 * 1024, 'large');
const SILENCE_MS = 400;
const [large, headless, empty, partly, lost, cut] = Array.from({ length: 6 }, () => newId('fil'));

const bucket = await startOddS3((key, res) => {
  if (key === headless) return;
  res.writeHead(200, { 'content-length': LARGE.length });
  res.flushHeaders();
  if (key === large) res.end(LARGE);
  if (key === partly) res.write('a part');
  if (key === lost) res.destroy();
  if (key === cut) res.write('a part', () => res.destroy());
});
const bytes = createS3Bytes(bucket, SILENCE_MS);

async function readWhole(
  id: FileId | undefined,
  onBegin = async (): Promise<void> => undefined,
): Promise<Buffer | null> {
  const content = id === undefined ? null : await bytes.read(id);
  await onBegin();
  return content === null ? null : buffer(content);
}

test('[H474] a reader who rests for longer than the limit gets the whole file, and a silent service is away', async () => {
  const content = await readWhole(large, async () => {
    // Each of these takes at least as long as the limit.
    for (const id of [headless, empty]) await expect(readWhole(id)).rejects.toMatchObject({ code: 'busy' });
    await expect(readWhole(partly)).rejects.toThrow('terminated');
  });
  expect(content?.equals(LARGE)).toBe(true);
});

test('[H473] a service that is lost before the first byte is away, and later the read fails', async () => {
  await expect(readWhole(lost)).rejects.toMatchObject({ code: 'busy' });
  await expect(readWhole(cut)).rejects.toThrow('terminated');
});
