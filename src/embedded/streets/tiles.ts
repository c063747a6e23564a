import { existsSync } from 'node:fs';
import { mkdtemp, open, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { availableParallelism, constants, setPriority } from 'node:os';
import { join } from 'node:path';
import { diskFull, EngineError, isFull, plainly } from '../processes/engine-error.ts';
import type { Environment } from '../processes/run.ts';
import { spawnEngine, tailOf, type EngineProcess } from '../processes/spawn-engine.ts';
import { nowMs } from '../processes/wait.ts';
import type { FoundValhalla } from '../programs/find-valhalla.ts';
import { buildConfig } from './valhalla-config.ts';

/** Characters of the file's hash in the name of its folder. */
const HASH_LETTERS = 32;
const FINISHED = 'tiles-';
const UNFINISHED = 'building-';
const TILE = '.gph';

export type TilesWanted = {
  /** The OpenStreetMap extract, which was checked, and its SHA-256. */
  readonly file: string;
  readonly hash: string;
  /** The folder of this server for tiles. Only the process that has its lock builds there. */
  readonly home: string;
  readonly valhalla: FoundValhalla;
  readonly env: Environment;
  readonly say: (line: string) => void;
  /** Receives the program that builds, so that it is guarded from its start. */
  readonly onSpawn: (builder: EngineProcess) => void;
  readonly halt: AbortSignal;
};

/**
 * Builds the tiles of an extract, once for each content of the file. It builds them in a folder that gets its name when it
 * is complete, and then removes the tiles of other files.
 * @returns the folder of the tiles
 * @throws EngineError with one sentence if the tiles cannot be built
 */
export async function ensureTiles(wanted: TilesWanted): Promise<string> {
  const { hash, home, valhalla } = wanted;
  const name = `${FINISHED}${hash.slice(0, HASH_LETTERS)}-${valhalla.version}`;
  try {
    await removeOthers(home, UNFINISHED, null);
    if (!existsSync(join(home, name))) await buildInto(join(home, name), wanted);
    await removeOthers(home, FINISHED, name);
  } catch (error) {
    throw plainly(error, home);
  }
  return join(home, name);
}

async function removeOthers(home: string, prefix: string, kept: string | null): Promise<void> {
  for (const name of await readdir(home)) {
    if (name.startsWith(prefix) && name !== kept) await rm(join(home, name), { recursive: true, force: true });
  }
}

async function buildInto(dir: string, wanted: TilesWanted): Promise<void> {
  const { file, home, say } = wanted;
  const startedAt = nowMs();
  say(`Streets: building tiles of ${file}. This happens once for each file.`);
  const scratch = await mkdtemp(join(home, UNFINISHED));
  try {
    await build(scratch, wanted);
    await settle(scratch);
    await rename(scratch, dir);
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
  say(`Streets: built the tiles in ${((nowMs() - startedAt) / 1_000).toFixed(1)} s.`);
}

async function build(scratch: string, { file, home, valhalla, env, onSpawn, halt }: TilesWanted): Promise<void> {
  const config = join(home, 'build.json');
  await writeFile(config, JSON.stringify(buildConfig(scratch)), { mode: 0o600 });
  halt.throwIfAborted();
  // Requests need a core while tiles of a large region are built.
  const threads = Math.max(1, availableParallelism() - 1);
  const builder = await spawnEngine({
    name: 'Valhalla',
    bin: valhalla.builder,
    args: ['--config', config, '--concurrency', String(threads), file],
    cwd: home,
    logFile: join(home, 'build.log'),
    env,
  });
  onSpawn(builder);
  yieldTo(builder);
  await builder.end;
  halt.throwIfAborted();
  if (builder.ended() !== 'exit code 0') throw whyNotBuilt(builder, file, home);
}

/** Lets requests go before the program that builds. */
function yieldTo(builder: EngineProcess): void {
  try {
    setPriority(builder.ref.pid, constants.priority.PRIORITY_LOW);
  } catch {
    // The program has ended already, and the caller reads the reason from its log.
  }
}

/** Writes the tiles to the disk, so that no crash of the machine leaves a complete folder with empty files. */
async function settle(scratch: string): Promise<void> {
  const names = await readdir(scratch, { recursive: true });
  const tiles = names.filter((name) => name.endsWith(TILE));
  if (tiles.length === 0) throw new EngineError('The extract contains no streets. Set STREETS_FILE to another file.');
  for (const tile of tiles) {
    const file = await open(join(scratch, tile));
    try {
      await file.sync();
    } finally {
      await file.close();
    }
  }
}

function whyNotBuilt(builder: EngineProcess, file: string, home: string): EngineError {
  const log = tailOf(builder.logFile);
  if (/No space left on device/.test(log) || isFull(home)) return new EngineError(diskFull(home));
  const reason = /what\(\): +(.+)/.exec(log)?.[1] ?? builder.ended() ?? 'without a reason';
  return new EngineError(`The tiles of ${file} could not be built (${reason}). See ${builder.logFile}.`);
}
