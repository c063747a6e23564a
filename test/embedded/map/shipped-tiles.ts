import { readFileSync } from 'node:fs';
import path from 'node:path';
import { PMTiles } from 'pmtiles';

/** The tiles of the shipped extract. */
export const SHIPPED_TILES = path.resolve(
  import.meta.dirname,
  '../../../examples/streets/liechtenstein-2015-07-27.pmtiles',
);

/** The tiles of a file, as the pages read them. */
export function tilesIn(file: string): PMTiles {
  const bytes = readFileSync(file);
  return new PMTiles({
    getKey: () => file,
    getBytes: async (offset, length) => ({ data: new Uint8Array(bytes.subarray(offset, offset + length)).buffer }),
  });
}
