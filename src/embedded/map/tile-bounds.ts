import { readdir } from 'node:fs/promises';
import { join } from 'node:path';

const NUMBER = /^\d+/;
const HALF_TURN_DEG = 180;

/**
 * The bounds of a folder of tiles, by the places of those of the highest zoom. An extract does not have to name its bounds, and
 * its objects may reach beyond them.
 * @returns west, south, east and north in degrees; null if there is no tile
 */
export async function boundsOfTiles(dir: string): Promise<readonly [number, number, number, number] | null> {
  const zooms = await numbersIn(dir);
  if (zooms.length === 0) return null;
  const zoom = Math.max(...zooms);
  const columns = await numbersIn(join(dir, String(zoom)));
  let [north, south] = [Infinity, -Infinity];
  for (const column of columns) {
    const rows = await numbersIn(join(dir, String(zoom), String(column)));
    north = Math.min(north, ...rows);
    south = Math.max(south, ...rows);
  }
  return [
    lngOf(Math.min(...columns), zoom),
    latOf(south + 1, zoom),
    lngOf(Math.max(...columns) + 1, zoom),
    latOf(north, zoom),
  ];
}

/** The folders of zooms and columns, and the files of rows, have numbers as names. */
async function numbersIn(dir: string): Promise<number[]> {
  return (await readdir(dir)).filter((name) => NUMBER.test(name)).map((name) => Number.parseInt(name, 10));
}

// https://wiki.openstreetmap.org/wiki/Slippy_map_tilenames: the west and north edges of tiles, in Web Mercator.
function lngOf(column: number, zoom: number): number {
  return (column / 2 ** zoom) * 2 * HALF_TURN_DEG - HALF_TURN_DEG;
}

function latOf(row: number, zoom: number): number {
  return (Math.atan(Math.sinh(Math.PI * (1 - (2 * row) / 2 ** zoom))) * HALF_TURN_DEG) / Math.PI;
}
