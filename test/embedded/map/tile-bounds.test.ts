import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { boundsOfTiles } from '../../../src/embedded/map/tile-bounds.ts';
import { temporaryDir } from '../house.ts';

function folderOf(...tiles: string[]): string {
  const dir = temporaryDir();
  for (const tile of tiles) {
    mkdirSync(join(dir, tile, '..'), { recursive: true });
    writeFileSync(join(dir, tile), '');
  }
  return dir;
}

test('[E35] the bounds of tiles are those of the highest zoom', async () => {
  // The quarter of the world in the north-east is 1/1/0, and north of the equator it ends at 85.05 degrees.
  const [west = NaN, south = NaN, east = NaN, north = NaN] =
    (await boundsOfTiles(folderOf('metadata.json', '0/0/0.pbf', '1/1/0.pbf'))) ?? [];
  expect([west, south, east]).toEqual([0, 0, 180]);
  expect(north).toBeCloseTo(85.051129, 6);
  // Rows are counted from the north. Vaduz (47.14, 9.52) is in 10/539/359, the corner in the south-west of these tiles.
  const box = (await boundsOfTiles(folderOf('9/269/179.pbf', '10/539/358.pbf', '10/541/359.pbf'))) ?? [];
  expect(box.map((degrees) => degrees.toFixed(3))).toEqual(['9.492', '47.040', '10.547', '47.517']);
  expect(await boundsOfTiles(folderOf('metadata.json'))).toBeNull();
});
