import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { inject } from 'vitest';
import type { TestEngines } from '../engines.ts';
import { ENVIRONMENT } from '../environment.ts';
import { until } from '../until.ts';
import type { DemoFacts } from '../../src/models/setting-shapes.ts';
import { unlimitedEnvironment } from '../../load-tests/servers/no-limits.ts';

export type TestProcess = {
  kill(): Promise<void>;
  signal(name: NodeJS.Signals): void;
  /** Ends it as an operator would. Returns the exit code. */
  stop(): Promise<number | null>;
  /** The output so far, of both streams. */
  output(): string;
};

export type TestServer = TestProcess & {
  readonly baseUrl: string;
  readonly demo: DemoFacts;
  readonly demoFile: string;
};

const MAIN = path.resolve(import.meta.dirname, '..', '..', 'src', 'main.ts');
/** A start with engines of its own takes most of a minute if machine and disk are busy. */
const READY_MS = 120_000;

/** Starts a server with a demo on the engines of the run, and waits until it is ready. */
export async function startServer(engines: TestEngines, env: Record<string, string> = {}): Promise<TestServer> {
  const dataDir = mkdtempSync(path.join(inject('scratch'), 'server-'));
  const demoFile = path.join(dataDir, 'demo.json');
  const addressIn = (output: string): string | undefined => /^ready in .*: (http:\S+) /m.exec(output)?.[1];
  const process = await startProcess(engines, { DATA_DIR: dataDir, ...env }, addressIn);
  const baseUrl = addressIn(process.output()) ?? '';
  return { ...process, baseUrl, demo: JSON.parse(readFileSync(demoFile, 'utf8')) as DemoFacts, demoFile };
}

/**
 * Starts a server process of its own, and waits until it is ready.
 * @param addressIn where to ask for readiness, read from the server's output; undefined while that is not known
 */
export async function startProcess(
  engines: TestEngines,
  env: Record<string, string>,
  addressIn: (output: string) => string | undefined,
): Promise<TestProcess> {
  const child = spawn(process.execPath, [MAIN], {
    env: {
      PATH: ENVIRONMENT['PATH'],
      HOME: ENVIRONMENT['HOME'],
      // The server chooses the port itself. A port that was free when we looked may be in use when the server starts.
      PORT: '0',
      MONGO_URL: engines.mongoUrl,
      REDIS_URL: engines.redisUrl,
      REDIS_PREFIX: engines.keyPrefix,
      LOG_LEVEL: 'error',
      // A test that needs streets names them.
      DEMO_STREETS: 'off',
      // Nothing in front of these servers has to notice that one stops.
      HTTP_LEAVE_REAL_MS: '0',
      ...unlimitedEnvironment(),
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  // A test that fails before it can stop its server must not leave it behind.
  const cut = (): void => void child.kill('SIGKILL');
  process.once('exit', cut);
  child.once('exit', () => process.off('exit', cut));
  const written = collect(child);
  const ended = new Promise<number | null>((resolve) => child.once('exit', (code) => resolve(code)));
  await until(async () => {
    if (child.exitCode !== null || child.signalCode !== null) throw new Error(`the server ended: ${written()}`);
    const address = addressIn(written());
    return address !== undefined && isReady(address);
  }, READY_MS);
  return {
    kill: async () => {
      child.kill('SIGKILL');
      await ended;
    },
    signal: (name) => void child.kill(name),
    stop: () => {
      child.kill('SIGTERM');
      return ended;
    },
    output: written,
  };
}

function collect(child: ChildProcess): () => string {
  let text = '';
  child.stdout?.on('data', (chunk: Buffer) => (text += chunk.toString()));
  child.stderr?.on('data', (chunk: Buffer) => (text += chunk.toString()));
  return () => text;
}

async function isReady(baseUrl: string): Promise<boolean> {
  try {
    return (await fetch(`${baseUrl}/readyz`)).status === 200;
  } catch {
    // The server does not answer yet. The loop waits for exactly this.
    return false;
  }
}
