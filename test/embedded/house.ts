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

/** A directory that is gone when the test is over, and so is whatever still runs in it. */
export function temporaryDir(): string {
  const dir = mkdtempSync(join(tmpdir(), 'dispatch-engines-'));
  onTestFinished(async () => {
    const companions = companionsOf(dir);
    await Promise.all(companions.map((one) => stopProcess(one, 0)));
    // One that is killed while it writes to a busy disk ends when that is done.
    await until(() => !isAnyRunning(companions));
    rmSync(dir, { recursive: true, force: true, maxRetries: 5 });
  });
  return dir;
}

/** Starts engines as a server of this machine would; they are stopped when the test is over. */
export async function start(options: Partial<EngineOptions> & { dataDir: string }): Promise<Engines> {
  const engines = await startEngines({ env: ENVIRONMENT, say: () => {}, ...options });
  onTestFinished(() => engines.stop());
  return engines;
}

/** The sentence with which a start was refused. */
export async function refusal(options: Partial<EngineOptions> & { dataDir: string }): Promise<string> {
  const error: unknown = await start(options).catch((thrown: unknown) => thrown);
  if (error instanceof Error && error.name === 'EngineError') return error.message;
  throw new Error('the start was not refused with an EngineError', { cause: error });
}

/** What the lock of this directory says has to be stopped after its server. */
export function companionsOf(dataDir: string): Companion[] {
  try {
    return JSON.parse(readFileSync(join(dataDir, 'engines.lock'), 'utf8')).companions;
  } catch {
    // No lock, so nobody is at home.
    return [];
  }
}

export function isAnyRunning(companions: readonly Companion[]): boolean {
  return companions.some(isRunning);
}

export type Server = { readonly child: ChildProcess; printed(): string };

/** A server in a process of its own, in a process group of its own as under a shell. */
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

/** A program in a directory of its own, for the cases that no real engine can be brought to. */
export function fakeProgram(dir: string, name: string, script: string): string {
  mkdirSync(dir, { recursive: true });
  const path = join(dir, name);
  writeFileSync(path, `#!/bin/sh\n${script}\n`);
  chmodSync(path, 0o755);
  return path;
}

/** A machine with nothing on PATH: nothing is found and nothing can be installed. */
export function bareMachine(home: string, path = ''): NodeJS.ProcessEnv {
  return { PATH: path, HOME: home };
}

/** Asks Redis one thing and hangs up: its client would keep calling for a server that a test has stopped. */
export async function askRedis(redisUrl: string, question: (redis: Redis) => Promise<unknown>): Promise<unknown> {
  const redis = new Redis(decodeURIComponent(new URL(redisUrl).pathname));
  try {
    return await question(redis);
  } finally {
    redis.disconnect();
  }
}
