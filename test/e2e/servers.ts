import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { DemoFacts } from '../../src/demo.ts';
import type { TestEngines } from '../engines.ts';
import { ENVIRONMENT } from '../environment.ts';
import { until } from '../until.ts';

export type TestServer = {
  readonly baseUrl: string;
  readonly demo: DemoFacts;
  readonly demoFile: string;
  kill(): Promise<void>;
  /** Ends it as an operator would and gives the exit code. */
  stop(): Promise<number | null>;
  /** What it wrote so far, both streams. */
  output(): string;
};

const MAIN = path.resolve(import.meta.dirname, '..', '..', 'src', 'main.ts');
const READY_MS = 20_000;

/** Starts a server process of its own on the engines of the run, and waits until it is ready. */
export async function startServer(engines: TestEngines, env: Record<string, string> = {}): Promise<TestServer> {
  const port = await freePort();
  const dataDir = mkdtempSync(path.join(tmpdir(), 'dispatch-e2e-'));
  const demoFile = path.join(dataDir, 'demo.json');
  const child = spawn(process.execPath, [MAIN], {
    env: {
      PATH: ENVIRONMENT['PATH'],
      HOME: ENVIRONMENT['HOME'],
      PORT: String(port),
      DATA_DIR: dataDir,
      MONGO_URL: engines.mongoUrl,
      REDIS_URL: engines.redisUrl,
      REDIS_PREFIX: engines.keyPrefix,
      LOG_LEVEL: 'error',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  // A test that fails before it can stop its server must not leave it behind.
  process.once('exit', () => child.kill('SIGKILL'));
  const written = collect(child);
  const ended = new Promise<number | null>((resolve) => child.once('exit', (code) => resolve(code)));
  const baseUrl = `http://localhost:${port}`;
  await until(() => {
    if (child.exitCode !== null) throw new Error(`the server ended: ${written()}`);
    return isReady(baseUrl);
  }, READY_MS);
  await until(() => /^ready in/m.test(written()), READY_MS);
  return {
    baseUrl,
    demo: JSON.parse(readFileSync(demoFile, 'utf8')) as DemoFacts,
    demoFile,
    kill: async () => {
      child.kill('SIGKILL');
      await ended;
    },
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
    // Nobody listens yet: that is what we are waiting for.
    return false;
  }
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.listen(0, () => {
      const address = probe.address();
      probe.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0));
    });
  });
}
