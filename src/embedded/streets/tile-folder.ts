import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { codeOf, EngineError } from '../processes/engine-error.ts';
import { sync } from '../processes/sync.ts';

const TILE = '.gph';
/** The list of the tiles of a folder. */
const LIST = 'tiles.json';

/**
 * Lists the tiles of a folder in it, and writes everything to the disk. So no crash of the machine leaves a complete folder
 * with empty files.
 * @throws EngineError if there are none
 */
export async function settleTiles(dir: string): Promise<void> {
  const names = await readdir(dir, { recursive: true });
  const tiles = names.filter((name) => name.endsWith(TILE));
  if (tiles.length === 0) throw new EngineError('The extract contains no streets. Name another extract.');
  const sizes: [string, number][] = [];
  for (const name of tiles) sizes.push([name, (await stat(join(dir, name))).size]);
  await writeFile(join(dir, LIST), JSON.stringify(sizes), { mode: 0o600 });
  for (const name of [...names, LIST, '.']) await sync(join(dir, name));
}

/** Says whether the folder has every tile of its list. */
export async function hasAllTiles(dir: string): Promise<boolean> {
  try {
    const sizes = JSON.parse(await readFile(join(dir, LIST), 'utf8')) as [string, number][];
    for (const [name, size] of sizes) if ((await stat(join(dir, name))).size !== size) return false;
    return true;
  } catch (error) {
    // Without a folder there is no list. A list that cannot be read is that of a damaged folder.
    if (error instanceof SyntaxError || codeOf(error) === 'ENOENT') return false;
    throw error;
  }
}
