// The Valhalla of a run, started by the code of the server.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { createStreetEngine, type StreetEngine } from '../../src/embedded/streets/street-engine.ts';
import { LONGEST_WAY_M } from '../../src/settings.ts';

/** It may have to be downloaded first. */
const START_MS = 600_000;
const LOOK_MS = 100;

/**
 * Does the work while a Valhalla finds routes, and stops it afterwards.
 * @param file an OpenStreetMap extract
 * @param work receives the address of the Valhalla
 * @throws Error with a sentence for the user if there are no routes
 */
export async function withStreets<T>(
  file: string,
  say: (line: string) => void,
  work: (url: string) => Promise<T>,
): Promise<T> {
  const dataDir = await mkdtemp(join(tmpdir(), 'streets-'));
  let failure: string | null = null;
  const warn = (line: string): void => void (failure ??= line);
  const valhallaBin = process.env['VALHALLA_BIN'];
  const where = { file: resolve(file), dataDir, longestM: LONGEST_WAY_M };
  const engine = createStreetEngine({ ...where, env: process.env, say, warn, valhallaBin });
  try {
    engine.start();
    return await work(await whenUp(engine, () => failure));
  } finally {
    await engine.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}

async function whenUp(engine: StreetEngine, failure: () => string | null): Promise<string> {
  const deadline = performance.now() + START_MS;
  while (performance.now() < deadline) {
    const [url, why] = [engine.url(), failure()];
    if (url !== null) return url;
    if (why !== null) throw new Error(why);
    await pause(LOOK_MS);
  }
  throw new Error(`Valhalla did not find routes within ${START_MS / 60_000} minutes`);
}
