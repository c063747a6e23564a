import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { EngineError, plainly } from '../processes/engine-error.ts';
import type { Environment } from '../processes/run.ts';
import { spawnEngine, tailOf, type EngineProcess } from '../processes/spawn-engine.ts';
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
  const { bin, tilesDir, home, socketDir, env } = options;
  const port = await freePort();
  const config = join(home, 'service.json');
  try {
    await writeFile(config, JSON.stringify(serviceConfig({ tilesDir, port, socketDir })), { mode: 0o600 });
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
  const inTime = await waitFor(async () => engine.ended() !== null || (await answers(url)), START_MS);
  if (engine.ended() !== null) throw whyValhallaEnded(engine);
  if (!inTime)
    throw new EngineError(`Valhalla did not answer within ${START_MS / 1_000} s. See its log ${engine.logFile}.`);
  return { engine, url };
}

/** Says whether a Valhalla answers at this address. */
export async function answers(url: string): Promise<boolean> {
  try {
    const { ok } = await fetch(`${url}/status`, { redirect: 'error', signal: AbortSignal.timeout(ASK_MS) });
    return ok;
  } catch {
    // It does not listen yet, or it is busy.
    return false;
  }
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(address !== null && typeof address === 'object' ? address.port : 0));
    });
  });
}

/** Finds the reason why Valhalla ended in its log, as one sentence. */
export function whyValhallaEnded(engine: EngineProcess): EngineError {
  const reason = /what\(\): +(.+)/.exec(tailOf(engine.logFile))?.[1] ?? engine.ended() ?? 'without a reason';
  return new EngineError(`Valhalla ended (${reason}). See its log ${engine.logFile}.`);
}
