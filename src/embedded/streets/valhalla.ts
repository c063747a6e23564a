import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { EngineError, plainly } from '../processes/engine-error.ts';
import type { Environment } from '../processes/run.ts';
import { freePort, listensOn } from '../processes/ports.ts';
import { reasonOf, spawnEngine, type EngineProcess } from '../processes/spawn-engine.ts';
import { waitFor } from '../processes/wait.ts';
import { serviceConfig } from './valhalla-config.ts';

const START_MS = 30_000;
const ASK_MS = 1_000;
/** Threads for each step of a request. With two, a quote does not wait for a large table. */
const THREADS = 2;

export type ValhallaOptions = {
  readonly bin: string;
  readonly tilesDir: string;
  readonly home: string;
  readonly socketDir: string;
  /** The longest way that is looked for, metres. */
  readonly longestM: number;
  readonly env: Environment;
  /** Receives the process first, so that it is guarded from its start. */
  readonly onSpawn: (engine: EngineProcess) => void;
};

export type RunningValhalla = { readonly engine: EngineProcess; readonly url: string };

/**
 * Starts Valhalla on a free port of the loopback interface. Resolves when it answers.
 * @throws EngineError that says what to do if it does not start
 */
export async function startValhalla(options: ValhallaOptions): Promise<RunningValhalla> {
  const { bin, tilesDir, home, socketDir, longestM, env } = options;
  const port = await freePort();
  const config = join(home, 'service.json');
  try {
    const text = JSON.stringify(serviceConfig({ tilesDir, port, socketDir, longestM }));
    await writeFile(config, text, { mode: 0o600 });
  } catch (error) {
    throw plainly(error, home);
  }
  const engine = await spawnEngine({
    name: 'Valhalla',
    bin,
    args: [config, String(THREADS)],
    cwd: home,
    logFile: join(home, 'valhalla.log'),
    env,
    isChatty: true,
  });
  options.onSpawn(engine);
  const url = `http://127.0.0.1:${port}`;
  // Whatever else answers on this port is not asked for prices.
  const isUp = async (): Promise<boolean> => listensOn(engine.ref.pid, port) && (await answers(url));
  const inTime = await waitFor(async () => engine.ended() !== null || (await isUp()), START_MS);
  if (engine.ended() !== null) throw whyValhallaEnded(engine);
  if (!inTime)
    throw new EngineError(`Valhalla did not answer within ${START_MS / 1_000} s. See its log ${engine.logFile}.`);
  return { engine, url };
}

/** Says whether a Valhalla answers at this address. */
export async function answers(url: string): Promise<boolean> {
  try {
    const { ok, body } = await fetch(`${url}/status`, { redirect: 'error', signal: AbortSignal.timeout(ASK_MS) });
    await body?.cancel();
    return ok;
  } catch {
    // It does not listen yet, or it is busy.
    return false;
  }
}

/** Finds the reason why Valhalla ended in its log, as one sentence. */
export function whyValhallaEnded(engine: EngineProcess): EngineError {
  return new EngineError(`Valhalla ended (${reasonOf(engine)}). See its log ${engine.logFile}.`);
}
