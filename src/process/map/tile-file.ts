import { createHash } from 'node:crypto';
import { closeSync, fstatSync, openSync, read } from 'node:fs';
import { promisify } from 'node:util';
import { PMTiles, TileType, type Header, type Source } from 'pmtiles';
import type { TileFile } from '../../http/pages/page-map.ts';
import { StartError } from '../start-error.ts';

/** The layer with the streets, by the name that each schema has for it: Protomaps and OpenMapTiles. */
export const STREET_LAYERS = ['roads', 'transportation'];
/** The header and the first directory of every file are within these bytes. */
const HEAD_BYTES = 16 * 1024;
const NAME_LETTERS = 24;
const OLDEST_SPEC = 3;
const ADVICE = 'Set MAP_TILES to a file that `npm run streets -- city.osm.pbf` has written.';

const readBytes = promisify(read);

/**
 * Opens a file of tiles and checks that the pages can draw it.
 * @throws StartError with one sentence that says what is wrong and what to do
 */
export async function openTileFile(path: string): Promise<TileFile> {
  const fd = openFile(path);
  try {
    const stats = fstatSync(fd);
    if (!stats.isFile()) throw new StartError(`${path} is not a file. ${ADVICE}`);
    const source = sourceOf(fd, path);
    const tiles = new PMTiles(source);
    const header = await readHeader(tiles, path);
    refuseUnfit(header, stats.size, path);
    const layers = await layersOf(tiles, path);
    if (!STREET_LAYERS.some((layer) => layers.includes(layer))) {
      throw new StartError(`${path} has neither the layers of Protomaps nor those of OpenMapTiles. ${ADVICE}`);
    }
    const { data: head } = await source.getBytes(0, HEAD_BYTES);
    return { path, name: nameOf(head, stats.size), bytes: stats.size, changedAtMs: stats.mtimeMs, fd };
  } catch (error) {
    closeSync(fd);
    throw error;
  }
}

function openFile(path: string): number {
  try {
    return openSync(path, 'r');
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? String(error);
    const why = code === 'ENOENT' ? 'does not exist' : `cannot be read (${code})`;
    throw new StartError(`${path} ${why}. ${ADVICE}`);
  }
}

function sourceOf(fd: number, path: string): Source {
  return {
    getKey: () => path,
    getBytes: async (offset, length) => {
      const { buffer, bytesRead } = await readBytes(fd, Buffer.alloc(length), 0, length, offset);
      const bytes = buffer.subarray(0, bytesRead);
      return { data: bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytesRead) };
    },
  };
}

async function readHeader(tiles: PMTiles, path: string): Promise<Header> {
  try {
    const header = await tiles.getHeader();
    if (header.specVersion >= OLDEST_SPEC) return header;
  } catch {
    // The library throws several kinds of errors for a file of another kind.
  }
  throw new StartError(`${path} is not a PMTiles file of version 3. ${ADVICE}`);
}

function refuseUnfit(header: Header, bytes: number, path: string): void {
  const { tileType, tileDataOffset, tileDataLength = 0, minLon, maxLon, minLat, maxLat } = header;
  if (tileType !== TileType.Mvt) throw new StartError(`${path} has no vector tiles, but pictures. ${ADVICE}`);
  if (tileDataOffset + tileDataLength > bytes) throw new StartError(`${path} is cut off. Copy or make it again.`);
  if (minLon >= maxLon || minLat >= maxLat) throw new StartError(`${path} covers no place. ${ADVICE}`);
}

/** The names of the layers, as the file describes them. */
async function layersOf(tiles: PMTiles, path: string): Promise<string[]> {
  try {
    const { vector_layers: layers } = (await tiles.getMetadata()) as { vector_layers?: { id?: unknown }[] };
    return (layers ?? []).map(({ id }) => String(id));
  } catch {
    // A file whose directory or description cannot be unpacked.
    throw new StartError(`${path} is damaged: its description cannot be read. ${ADVICE}`);
  }
}

/** The length of each tile or of each directory of tiles is in these bytes, so another map has another name. */
function nameOf(head: ArrayBuffer, bytes: number): string {
  return createHash('sha256').update(new Uint8Array(head)).update(String(bytes)).digest('hex').slice(0, NAME_LETTERS);
}
