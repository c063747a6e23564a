import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { EngineError, diskFull, plainly, ranOutOfSpace } from '../processes/engine-error.ts';
import { lastLine, run, type Environment, type Outcome } from '../processes/run.ts';
import { sync } from '../processes/sync.ts';
import { nowMs } from '../processes/wait.ts';
import { cacheDirOf } from '../programs/cache.ts';
import { findPacker, findTilemaker, type Packer } from '../programs/find-tilemaker.ts';
import { checkExtract } from '../streets/extract.ts';
import { boundsOfTiles } from './tile-bounds.ts';

/** The lines that the program prints while it reads the extract, and while it writes tiles. */
const READING = /Block (\d+)\/(\d+)/g;
const WRITING = /writing tile (\d+) of (\d+)/g;
const UNFINISHED = '.map-';

export type MapWanted = {
  /** The OpenStreetMap extract. */
  readonly file: string;
  /** The file of tiles, which is replaced when the new one is complete. */
  readonly out: string;
  readonly env: Environment;
  /** Prints a step. */
  readonly say: (line: string) => void;
  /** Receives the progress of a step in percent. */
  readonly progress: (step: 'reading' | 'writing', percent: number) => void;
  readonly halt: AbortSignal;
};

/**
 * Makes the tiles of the map from an extract. The file gets its name when it is complete, and nothing else stays, however the
 * work ends.
 * @returns the size of the file in bytes, and the time that it took
 * @throws EngineError with one sentence if the extract is wrong, a program is missing or the disk is full
 */
export async function makeMap(wanted: MapWanted): Promise<{ readonly bytes: number; readonly tookMs: number }> {
  const startedAt = nowMs();
  const { file, env, say, halt } = wanted;
  const out = resolve(wanted.out);
  if (!existsSync(dirname(out))) throw new EngineError(`The folder ${dirname(out)} does not exist.`);
  await checkExtract(file, halt);
  const search = { env, cacheDir: cacheDirOf(env), say, halt };
  const tilemaker = await findTilemaker(search);
  const packer = await findPacker(search);
  try {
    const scratch = await mkdtemp(join(dirname(out), UNFINISHED));
    try {
      // Without a single tile, tilemaker would not create the folder of its description.
      await mkdir(join(scratch, 'tiles'));
      await writeTiles(tilemaker, join(scratch, 'tiles'), wanted);
      const packed = join(scratch, basename(out));
      await pack(packer, join(scratch, 'tiles'), packed, wanted);
      await sync(packed);
      await rename(packed, out);
      await sync(dirname(out));
      return { bytes: (await stat(out)).size, tookMs: nowMs() - startedAt };
    } finally {
      await rm(scratch, { recursive: true, force: true });
    }
  } catch (error) {
    throw plainly(error, dirname(out));
  }
}

async function writeTiles(tilemaker: string, dir: string, wanted: MapWanted): Promise<void> {
  const { file, env, progress, halt } = wanted;
  const config = [
    '--config',
    join(import.meta.dirname, 'tiles.json'),
    '--process',
    join(import.meta.dirname, 'tiles.lua'),
  ];
  const onOutput = (text: string): void => {
    for (const [, done, all] of text.matchAll(READING)) progress('reading', percentOf(done, all));
    for (const [, done, all] of text.matchAll(WRITING)) progress('writing', percentOf(done, all));
  };
  const outcome = await run(tilemaker, ['--input', resolve(file), '--output', dir, ...config], {
    env,
    signal: halt,
    onOutput,
  });
  halt.throwIfAborted();
  if (outcome.code !== 0) throw failed(`tilemaker could not make tiles of ${file}`, outcome, dirname(dir));
}

function percentOf(done: string | undefined, all: string | undefined): number {
  return Math.floor((100 * Number(done)) / Math.max(1, Number(all)));
}

/** Packs the folder of tiles into one file. */
async function pack(packer: Packer, dir: string, packed: string, { file, env, halt }: MapWanted): Promise<void> {
  await writeBounds(dir, file);
  const args = [packer.program, dir, packed, '--format', 'pbf', '--maxzoom', 'auto'];
  const outcome = await run(packer.python, args, { env: { ...env, PYTHONPATH: packer.modules }, signal: halt });
  halt.throwIfAborted();
  if (outcome.code !== 0) throw failed('The tiles could not be packed', outcome, dirname(packed));
}

/** The bounds come from the tiles, and the program that packs them reads bounds as a text. */
async function writeBounds(dir: string, file: string): Promise<void> {
  const about = join(dir, 'metadata.json');
  const bounds = await boundsOfTiles(dir);
  if (bounds === null) throw new EngineError(`${file} contains nothing that can be drawn.`);
  const described = JSON.parse(await readFile(about, 'utf8')) as object;
  await writeFile(about, JSON.stringify({ ...described, bounds: bounds.join(',') }));
}

function failed(what: string, { stderr, signal }: Outcome, dir: string): EngineError {
  if (ranOutOfSpace(stderr, dir)) return new EngineError(diskFull(dir));
  const reason = /what\(\): +(.+)/.exec(stderr)?.[1] ?? (lastLine(stderr) || signal || 'without a reason');
  return new EngineError(`${what} (${reason}).`);
}
