import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { ConfigError, readConfig } from '../../../src/config.ts';
import { openMap } from '../../../src/process/map/open-map.ts';
import { SHIPPED_TILES } from '../../embedded/map/shipped-tiles.ts';
import { temporaryDir } from '../../embedded/house.ts';

const shipped = readFileSync(SHIPPED_TILES);
/** Where the header of a PMTiles file has the place and length of its description, the kind of its tiles, and its bounds. */
const [ABOUT_AT, ABOUT_LENGTH_AT, KIND_AT, WEST_AT, EAST_AT] = [24, 32, 99, 102, 110];

async function sentenceOf(path: string): Promise<string> {
  const error: unknown = await openMap({ MAP_TILES: path }).catch((thrown: unknown) => thrown);
  return error instanceof Error ? `${error.name}: ${error.message}` : 'it was opened';
}

function changed(change: (bytes: Buffer) => Buffer): string {
  const file = join(temporaryDir(), 'city.pmtiles');
  writeFileSync(file, change(Buffer.from(shipped)));
  return file;
}

/** The same tiles with a description of a schema that nobody knows. */
function withOtherLayers(bytes: Buffer): Buffer {
  const at = Number(bytes.readBigUInt64LE(ABOUT_AT));
  const about = gunzipSync(bytes.subarray(at, at + Number(bytes.readBigUInt64LE(ABOUT_LENGTH_AT)))).toString();
  const other = gzipSync(about.replaceAll('roads', 'lanes'));
  bytes.writeBigUInt64LE(BigInt(bytes.length), ABOUT_AT);
  bytes.writeBigUInt64LE(BigInt(other.length), ABOUT_LENGTH_AT);
  return Buffer.concat([bytes, other]);
}

test('[E33] the start refuses a file that the pages cannot draw, in one sentence that names it', async () => {
  const folder = temporaryDir();
  const files = new Map([
    [join(folder, 'none.pmtiles'), 'does not exist'],
    [folder, 'is not a file'],
    [changed(() => Buffer.alloc(0)), 'is not a PMTiles file'],
    [changed(() => Buffer.from('PK\u0003\u0004'.padEnd(20_000, 'x'))), 'is not a PMTiles file'],
    [changed((bytes) => bytes.fill(2, 7, 8)), 'is not a PMTiles file'],
    [changed((bytes) => bytes.fill(2, KIND_AT, KIND_AT + 1)), 'has no vector tiles'],
    [changed((bytes) => bytes.subarray(0, -1)), 'is cut off'],
    [changed((bytes) => (bytes.copy(bytes, EAST_AT, WEST_AT, WEST_AT + 4), bytes)), 'covers no place'],
    [changed((bytes) => bytes.fill(0, 605, 700)), 'is damaged'],
    [changed(withOtherLayers), 'has neither the layers'],
  ]);
  for (const [file, reason] of files) {
    const sentence = await sentenceOf(file);
    expect(sentence).toContain(`${file} ${reason}`);
    expect(sentence).not.toContain('\n');
    expect(sentence).toMatch(/^Error: .*\.$/u);
  }
});

test('[E33] a map is named by its content', async () => {
  const [one, same, other] = await Promise.all(
    [SHIPPED_TILES, changed((bytes) => bytes), changed((bytes) => Buffer.concat([bytes, Buffer.from('x')]))].map(
      (file) => openMap({ MAP_TILES: file }),
    ),
  );
  expect(one?.file?.name).toBe(same?.file?.name);
  expect(one?.file?.name).not.toBe(other?.file?.name);
});

test.each([
  ['https://', 'must be an http or https URL'],
  ['HTTPS://', 'must be an http or https URL'],
  ['ftp://maps.example/city.pmtiles', 'must be an http or https URL'],
  ['https://user:secret@maps.example/city.pmtiles', 'must not contain a user name'],
  ['https://*/city.pmtiles', 'must name one host'],
  ['https://*.maps.example/city.pmtiles', 'must name one host'],
  ["https://maps.example;script-src'/city.pmtiles", 'must name one host'],
  ['https://[::1]/city.pmtiles', 'must name one host'],
])('[E36] the start refuses the URL %s of a map, because it %s', (url, reason) => {
  for (const name of ['MAP_TILES', 'MAP_STYLE_URL']) {
    const error = mistakeOf({ [name]: url });
    expect(error).toMatch(new RegExp(`^${name}: ${reason}.*$`, 'u'));
    expect(error).not.toContain('secret');
  }
});

test('[E36] a URL of tiles may have any case, and anything else is a path', async () => {
  const url = 'HTTPS://Tiles.Example/City.pmtiles';
  const { MAP_TILES: tiles = '' } = readConfig({ MAP_TILES: url }).around;
  expect(await openMap({ MAP_TILES: tiles })).toMatchObject({
    source: { tiles: url },
    origin: 'https://tiles.example',
  });
  expect(readConfig({ MAP_TILES: 'maps/city.pmtiles' }).around.MAP_TILES).toBe('maps/city.pmtiles');
});

test('[E36] production refuses a map that browsers would not load into a page of https', () => {
  for (const name of ['MAP_TILES', 'MAP_STYLE_URL']) {
    const mistakes = (url: string): string[] =>
      mistakeOf({ NODE_ENV: 'production', [name]: url })
        .split('\n')
        .filter((line) => line.startsWith(name));
    expect(mistakes('http://maps.example/city')).toEqual([expect.stringContaining('must start with https:')]);
    expect(mistakes('https://maps.example/city')).toEqual([]);
    expect(mistakes('http://localhost:8080/city')).toEqual([]);
  }
});

/** All mistakes, one a line. */
function mistakeOf(env: Record<string, string>): string {
  try {
    readConfig(env);
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
    throw error;
  }
  return '';
}

test('[E34] a map is one file, one URL of tiles, or one style', () => {
  const style = 'https://maps.example/style.json?key=abc';
  expect(readConfig({ MAP_STYLE_URL: style }).around).toMatchObject({ MAP_STYLE_URL: style });
  expect(() => readConfig({ MAP_STYLE_URL: style, MAP_TILES: 'city.pmtiles' })).toThrow(
    'MAP_TILES, MAP_STYLE_URL: set one',
  );
  expect(() => readConfig({ MAP_STYLE_URL: 'ftp://maps.example/style.json' })).toThrow(
    'MAP_STYLE_URL: must be an http',
  );
});
