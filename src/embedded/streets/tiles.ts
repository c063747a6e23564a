import { createHash } from 'node:crypto';
import { mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { availableParallelism, constants, setPriority } from 'node:os';
import { join } from 'node:path';
import { diskFull, EngineError, plainly, ranOutOfSpace } from '../processes/engine-error.ts';
import type { Environment } from '../processes/run.ts';
import { reasonOf, spawnEngine, tailOf, type EngineProcess } from '../processes/spawn-engine.ts';
import { sync } from '../processes/sync.ts';
import { nowMs } from '../processes/wait.ts';
import type { FoundValhalla } from '../programs/find-valhalla.ts';
import { hasAllTiles, settleTiles } from './tile-folder.ts';
import { buildConfig } from './valhalla-config.ts';

/** Characters of the hash in the name of a folder. */
const HASH_LETTERS = 32;
const FINISHED = 'tiles-';
const UNFINISHED = 'building-';

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
 * Builds the tiles of an extract, once for each content of the file, configuration and version of Valhalla. It builds them
 * in a folder that gets its name when it is complete, and then removes other tiles.
 * @returns the folder of the tiles
 * @throws EngineError with one sentence if the tiles cannot be built
 */
export async function ensureTiles(wanted: TilesWanted): Promise<string> {
  const { hash, home, valhalla } = wanted;
  const cause = createHash('sha256')
    .update(hash)
    .update(JSON.stringify(buildConfig('')));
  const name = `${FINISHED}${cause.digest('hex').slice(0, HASH_LETTERS)}-${valhalla.version}`;
  try {
    await removeOthers(home, UNFINISHED, null);
    if (!(await hasAllTiles(join(home, name)))) await buildInto(join(home, name), wanted);
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
    await settleTiles(scratch);
    // A folder without all of its tiles is in the way.
    await rm(dir, { recursive: true, force: true });
    await rename(scratch, dir);
    await sync(home);
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

function whyNotBuilt(builder: EngineProcess, file: string, home: string): EngineError {
  const log = tailOf(builder.logFile);
  if (ranOutOfSpace(log, home)) return new EngineError(diskFull(home));
  return new EngineError(`The tiles of ${file} could not be built (${reasonOf(builder)}). See ${builder.logFile}.`);
}
