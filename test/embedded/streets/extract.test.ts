import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { checkExtract, hashOfExtract } from '../../../src/embedded/streets/extract.ts';
import { temporaryDir } from '../house.ts';
import { EXTRACT } from './streets-house.ts';

const halt = new AbortController().signal;

/** The verdict on a file with these bytes, without its path. */
async function verdictOn(bytes: Uint8Array): Promise<string> {
  const path = join(temporaryDir(), 'city.osm.pbf');
  writeFileSync(path, bytes);
  return sentence(path);
}

async function sentence(path: string): Promise<string> {
  const error: unknown = await checkExtract(path, halt).catch((thrown: unknown) => thrown);
  return error instanceof Error && error.name === 'EngineError'
    ? error.message.replaceAll(path, 'FILE')
    : String(error);
}

const OTHER = 'FILE is not an OpenStreetMap extract. Name a file that ends in .osm.pbf.';
const CUT = 'FILE is cut off: it ends within a block. Download the extract again.';

describe('an extract', () => {
  const whole = readFileSync(EXTRACT);

  test('[E14] that is whole has the SHA-256 of its content', async () => {
    expect(await checkExtract(EXTRACT, halt)).toBe(createHash('sha256').update(whole).digest('hex'));
  });

  test('[E14] that nothing has changed since its check is not read again', async () => {
    const home = temporaryDir();
    const path = join(home, 'city.osm.pbf');
    writeFileSync(path, whole);
    const hash = await hashOfExtract(path, home, halt);
    expect(hash).toBe(await checkExtract(path, halt));
    // A halted check rejects as soon as it reads the file.
    expect(await hashOfExtract(path, home, AbortSignal.abort())).toBe(hash);
    writeFileSync(path, '<html>');
    await expect(hashOfExtract(path, home, halt)).rejects.toThrow('is not an OpenStreetMap extract');
    writeFileSync(path, whole);
    writeFileSync(join(home, 'extract.json'), '{"stamp":');
    expect(await hashOfExtract(path, home, halt)).toBe(hash);
  });

  test.each([10, 100, 139, 150, 700_000, whole.length - 1])(
    '[E15] of which only %i bytes came is refused',
    async (n) => {
      expect(await verdictOn(whole.subarray(0, n))).toBe(n < 100 ? OTHER : CUT);
    },
  );

  test.each([
    ['empty', ''],
    ['a text', 'a text that is long enough to be read as a header'],
    ['XML', '<?xml version="1.0"?><osm version="0.6"></osm>'],
    ['a page of an error', '<!doctype html><title>404 Not Found</title>'],
  ])('[E15] that is %s is refused', async (_what, text) => {
    expect(await verdictOn(Buffer.from(text))).toBe(OTHER);
  });

  test('[E15] without its first block, or with noise after its last one, is refused', async () => {
    const first = 4 + whole.readUInt32BE() + 121;
    expect(await verdictOn(whole.subarray(first))).toBe(OTHER);
    expect(await verdictOn(Buffer.concat([whole, Buffer.alloc(64, 0xff)]))).toBe(OTHER);
  });

  test('[E15] that is missing, or a folder, is refused', async () => {
    const dir = temporaryDir();
    const hint = 'Name an OpenStreetMap extract, a file that ends in .osm.pbf.';
    expect(await sentence(join(dir, 'none'))).toBe(`FILE does not exist. ${hint}`);
    expect(await sentence(dir)).toBe(OTHER);
  });
});
