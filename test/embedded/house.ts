import { spawn, type ChildProcess } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Redis } from 'ioredis';
import { onTestFinished } from 'vitest';
import { startEngines, type EngineOptions, type Engines } from '../../src/embedded/engines.ts';
import type { Companion } from '../../src/embedded/processes/lock.ts';
import { isRunning, stopProcess } from '../../src/embedded/processes/processes.ts';
import { ENVIRONMENT } from '../environment.ts';
import { until } from '../until.ts';

/** A directory for one test. After the test, it is removed and the processes that still use it are stopped. */
export function temporaryDir(): string {
  const dir = mkdtempSync(join(tmpdir(), 'dispatch-engines-'));
  onTestFinished(async () => {
    const companions = companionsOf(dir);
    await Promise.all(companions.map((one) => stopProcess(one, 0)));
    // A process that is killed while it writes to a busy disk ends only after the write.
    await until(() => !isAnyRunning(companions));
    rmSync(dir, { recursive: true, force: true, maxRetries: 5 });
  });
  return dir;
}

/** Starts engines like a server of this machine. They are stopped after the test. */
export async function start(options: Partial<EngineOptions> & { dataDir: string }): Promise<Engines> {
  const engines = await startEngines({ env: ENVIRONMENT, say: () => {}, ...options });
  onTestFinished(() => engines.stop());
  return engines;
}

/** Returns the sentence with which a start was refused. */
export async function refusal(options: Partial<EngineOptions> & { dataDir: string }): Promise<string> {
  const error: unknown = await start(options).catch((thrown: unknown) => thrown);
  if (error instanceof Error && error.name === 'EngineError') return error.message;
  throw new Error('the start was not refused with an EngineError', { cause: error });
}

/** The processes that must be stopped after the server of this directory, from its lock. */
export function companionsOf(dataDir: string): Companion[] {
  try {
    return JSON.parse(readFileSync(join(dataDir, 'engines.lock'), 'utf8')).companions;
  } catch {
    // Without a lock, no server has used the directory.
    return [];
  }
}

export function isAnyRunning(companions: readonly Companion[]): boolean {
  return companions.some(isRunning);
}

export type Server = { readonly child: ChildProcess; printed(): string };

/** A server in its own process and, as under a shell, in its own process group. */
export function serverProcess(dataDir: string, mode: 'hold' | 'drain' = 'hold'): Server {
  const script = fileURLToPath(new URL('server-process.ts', import.meta.url));
  const stdio = ['ignore', 'pipe', 'inherit'] as const;
  const child = spawn(process.execPath, [script, dataDir, mode], { stdio: [...stdio], detached: true });
  let text = '';
  child.stdout?.setEncoding('utf8').on('data', (part: string) => (text += part));
  onTestFinished(() => void child.kill('SIGKILL'));
  return { child, printed: () => text };
}

/** A server process whose engines are up. */
export async function runningServer(dataDir: string, mode: 'hold' | 'drain' = 'hold'): Promise<Server> {
  const server = serverProcess(dataDir, mode);
  await until(() => server.printed().includes('redisUrl'));
  return server;
}

/** A program in its own directory, for failures that a real engine cannot be made to show. */
export function fakeProgram(dir: string, name: string, script: string): string {
  mkdirSync(dir, { recursive: true });
  const path = join(dir, name);
  writeFileSync(path, `#!/bin/sh\n${script}\n`);
  chmodSync(path, 0o755);
  return path;
}

/** A machine with an empty PATH, on which no program can be found or installed. */
export function bareMachine(home: string, path = ''): NodeJS.ProcessEnv {
  return { PATH: path, HOME: home };
}

/** Sends Redis one command and disconnects. A client that stayed would retry after a test has stopped the server. */
export async function askRedis(redisUrl: string, question: (redis: Redis) => Promise<unknown>): Promise<unknown> {
  const redis = new Redis(decodeURIComponent(new URL(redisUrl).pathname));
  try {
    return await question(redis);
  } finally {
    redis.disconnect();
  }
}
