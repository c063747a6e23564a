import { fstat, read } from 'node:fs';
import { promisify } from 'node:util';
import type { Express, Request } from 'express';
import { Refusal } from '../../domain/refusals/refusals.ts';
import { begin } from '../../work/begin.ts';
import type { HttpContext } from '../http-context.ts';
import { sendParts } from '../send-answer.ts';
import { pathOf, type TileFile } from './page-map.ts';

/** The longest range of one answer. Tiles and directories have less than 1 MiB. */
const MOST_BYTES = 4 * 1024 * 1024;

const KEPT = 'public, max-age=31536000, immutable';
const OVERWRITTEN =
  'the file of the map was overwritten, so pages draw the grid: restart the server, and next time replace the file with mv';

/** The memory that a slow reader occupies. */
const CHUNK_BYTES = 64 * 1024;

const statOf = promisify(fstat);
const readBytes = promisify(read);

type Range = { readonly start: number; readonly end: number };

/**
 * Serves ranges of the file of tiles, as the readers of PMTiles in browsers request them. The name in the path stands for the
 * content, so every process that has the same file gives the same answers, and caches may keep them. Chrome and Edge on
 * Windows keep none (ADR 123). Content that was written over it must not get its name.
 */
export function serveMap(app: Express, { map: { file }, log }: Pick<HttpContext, 'map' | 'log'>): void {
  if (file === null) return;
  let isReported = false;
  const report = (): void => {
    if (!isReported) log.error({ map_tiles: file.path }, OVERWRITTEN);
    isReported = true;
  };
  app.get(pathOf(file), async (req, res) => {
    // A cache that kept a refusal would give it to everybody.
    res.set({ 'Cache-Control': 'no-store', 'Accept-Ranges': 'bytes' });
    if (await isOverwritten(file)) {
      report();
      throw new Refusal('map_changed');
    }
    const { start, end } = rangeOf(req, file);
    res.set('ETag', `"${file.name}"`);
    if (req.fresh) return void res.status(304).set('Cache-Control', KEPT).end();
    const parts = await begin(chunksOf(file, { start, end }));
    res
      .status(206)
      .type('application/vnd.pmtiles')
      .set({
        'Cache-Control': KEPT,
        'Content-Range': `bytes ${start}-${end}/${file.bytes}`,
        'Content-Length': String(end - start + 1),
      });
    await sendParts(res, parts);
  });
}

async function isOverwritten({ fd, bytes, changedAtMs }: TileFile): Promise<boolean> {
  const { size, mtimeMs } = await statOf(fd);
  return size !== bytes || mtimeMs !== changedAtMs;
}

/**
 * The range piece by piece, so that a slow reader occupies little memory. A stream of Node would close the file, which all
 * readers share, as soon as one of them goes away.
 */
async function* chunksOf({ fd, path }: TileFile, { start, end }: Range): AsyncGenerator<Buffer> {
  let at = start;
  while (at <= end) {
    const length = Math.min(CHUNK_BYTES, end + 1 - at);
    const { buffer, bytesRead } = await readBytes(fd, Buffer.allocUnsafe(length), 0, length, at);
    if (bytesRead === 0) throw new Error(`${path} ended at byte ${at}: it was cut off while it was being read`);
    yield buffer.subarray(0, bytesRead);
    at += bytesRead;
  }
}

/** @throws Refusal unless the request names one range that is within the file and short enough */
function rangeOf(req: Request, { bytes }: TileFile): Range {
  const ranges = req.range(bytes, { combine: true });
  const range = Array.isArray(ranges) && ranges.type === 'bytes' && ranges.length === 1 ? ranges[0] : undefined;
  if (range !== undefined && range.end - range.start < MOST_BYTES) return range;
  throw new Refusal('invalid_params', {
    detail: `The header \`Range\` must name one range of at most ${MOST_BYTES} bytes, within the ${bytes} bytes of the file.`,
  });
}
