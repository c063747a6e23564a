import { spawn } from 'node:child_process';
import { closeSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { deflateSync, inflateSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { runSource } from '../../e2e/commands.ts';
import { ENVIRONMENT } from '../../environment.ts';
import { openTileFile } from '../../../src/process/map/tile-file.ts';
import { until } from '../../until.ts';
import { fakeProgram, temporaryDir } from '../house.ts';
import { EXTRACT } from '../streets/streets-house.ts';
import { SHIPPED_TILES, tilesIn } from './shipped-tiles.ts';

/** With time for a first download of the program that packs. The promise is for 2 cores that do nothing else. */
const PROMISED_MS = 60_000;
/** Ways of the shipped extract lead out of its box, and without one nothing cuts them. */
const WAY_OUT_DEG = 0.3;
/** The first byte of compressed content. */
const ZLIB = 0x78;
const extract = readFileSync(EXTRACT);

/** A folder with an extract of this content. */
function folderWith(content: Buffer): { readonly dir: string; readonly file: string; readonly out: string } {
  const dir = temporaryDir();
  const file = join(dir, 'city.osm.pbf');
  writeFileSync(file, content);
  return { dir, file, out: join(dir, 'city.pmtiles') };
}

test('[E30] an extract becomes a map within a minute, with progress, and the server can use it', async () => {
  const { dir, file, out } = folderWith(extract);
  writeFileSync(out, 'an older map');
  const startedAt = performance.now();
  const told = await runSource('streets', [file]);
  expect([told.code, told.err]).toEqual([0, '']);
  expect(performance.now() - startedAt).toBeLessThan(PROMISED_MS);
  expect(told.out).toMatch(/^reading \d+ %$/mu);
  expect(told.out).toMatch(/^writing 100 %$/mu);
  expect(told.out).toContain(`set MAP_TILES=${out}`);
  expect((await openTileFile(out)).bytes).toBeGreaterThan(500_000);
  expect(readdirSync(dir).toSorted()).toEqual(['city.osm.pbf', 'city.pmtiles']);
});

test('[E35] the map of an extract that does not name its bounds covers what lies in it', async () => {
  const { file, out } = folderWith(withoutBox());
  expect((await runSource('streets', [file])).err).toBe('');
  const { fd } = await openTileFile(out);
  closeSync(fd);
  const [shipped, map] = await Promise.all([tilesIn(SHIPPED_TILES).getHeader(), tilesIn(out).getHeader()]);
  for (const side of ['minLon', 'minLat', 'maxLon', 'maxLat'] as const) {
    expect([side, Math.abs(map[side] - shipped[side]) < WAY_OUT_DEG]).toEqual([side, true]);
  }
  expect(map.minLon <= shipped.minLon && map.maxLat >= shipped.maxLat).toBe(true);
});

/** The shipped extract without the first field of its header, the box. */
function withoutBox(): Buffer {
  const at = 4 + extract.readUInt32BE();
  const content = extract.subarray(at, at + contentBytes());
  const header = inflateSync(content.subarray(content.indexOf(ZLIB)));
  const rest = header.subarray(2 + (header[1] ?? 0));
  const packed = deflateSync(rest);
  const blob = Buffer.from([0x10, rest.length, 0x1a, packed.length, ...packed]);
  const name = Buffer.from('OSMHeader');
  const start = Buffer.from([0x0a, name.length, ...name, 0x18, blob.length]);
  return Buffer.concat([Buffer.from([0, 0, 0, start.length]), start, blob, extract.subarray(at + content.length)]);
}

test('[E31] a wrong extract is refused in one sentence, and the older map stays', async () => {
  const damaged = Buffer.from(extract).fill(0x5a, 600_000, 600_200);
  for (const [content, reason] of [
    [Buffer.alloc(0), 'is not an OpenStreetMap extract'],
    [Buffer.from('<?xml version="1.0"?><osm/>'), 'is not an OpenStreetMap extract'],
    [extract.subarray(0, 700_000), 'is cut off'],
    [damaged, 'could not make tiles of'],
    // The header alone: an extract without anything in it.
    [extract.subarray(0, 4 + extract.readUInt32BE() + contentBytes()), 'contains nothing that can be drawn'],
  ] as const) {
    const { dir, file, out } = folderWith(content);
    writeFileSync(out, 'an older map');
    const { code, err } = await runSource('streets', [file, '--out', out]);
    expect(err).toContain(reason);
    expect(err).toContain(file);
    expect([code, err.trimEnd().split('\n').length]).toEqual([2, 1]);
    expect(readFileSync(out, 'utf8')).toBe('an older map');
    expect(readdirSync(dir).toSorted()).toEqual(['city.osm.pbf', 'city.pmtiles']);
  }
});

/** The size of the first content, which the last field of its header names. */
function contentBytes(): number {
  const header = extract.subarray(4, 4 + extract.readUInt32BE());
  const digits = [...header.subarray(header.lastIndexOf(0x18) + 1)];
  return digits.reduce((sum, digit, index) => sum + (digit & 0x7f) * 0x80 ** index, 0);
}

test('[E31] if a program or a folder is missing, one sentence says which, and nothing is written', async () => {
  const { dir, file, out } = folderWith(extract);
  const bin = join(dir, 'bin');
  const bare = { PATH: bin, HOME: dir };
  mkdirSync(bin);
  const none = await runSource('streets', [file], bare);
  expect(none.err).toMatch(/^No tilemaker was found on PATH\..*\n$/u);
  fakeProgram(bin, 'tilemaker', 'exit 0');
  expect((await runSource('streets', [file], bare)).err).toMatch(/^Fetching pmtiles from PyPI needs Python.*\n$/u);
  expect((await runSource('streets', [file, '--out', join(dir, 'none', 'x.pmtiles')])).err).toContain(
    'none does not exist',
  );
  expect((await runSource('streets', [file, '--out', join(dir, 'x.zip')])).err).toContain(
    '--out must name a file that ends in',
  );
  expect((await runSource('streets', [])).err).toContain('Name one OpenStreetMap extract.');
  expect(existsSync(out)).toBe(false);
});

test('[E31] a command that is stopped leaves nothing behind', async () => {
  const { dir, file } = folderWith(extract);
  const source = resolve(import.meta.dirname, '..', '..', '..', 'src', 'streets.ts');
  const child = spawn(process.execPath, [source, file], {
    env: { PATH: ENVIRONMENT['PATH'], HOME: ENVIRONMENT['HOME'] },
  });
  const ended = new Promise<number | null>((settle) => child.once('close', settle));
  await until(() => readdirSync(dir).length > 1);
  child.kill('SIGINT');
  expect(await ended).toBe(2);
  expect(readdirSync(dir)).toEqual(['city.osm.pbf']);
});
