// A separate process beside the server. It stops the engines when the server has ended for any reason.
import { spawn, type ChildProcess } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { isRunning, refOf, stopProcess, type ProcessRef } from './processes.ts';
import { isEntry, type Environment } from './run.ts';
import { waitFor } from './wait.ts';

/** Time for a clean end of the engines, which must end within 3 s. The journal covers a kill after it. */
const GRACE_MS = 2_000;

export type Watchdog = {
  readonly ref: ProcessRef | null;
  /** Makes the watchdog stop a process after the server has ended. */
  guard(ref: ProcessRef): void;
  /** Ends the watchdog. Its processes should have ended before. */
  stop(): Promise<void>;
};

/**
 * Starts the watchdog. It notices the end of the server by the end of a pipe, which the kernel always closes. It needs no
 * polling and cannot confuse pids.
 */
export function startWatchdog(env: Environment): Watchdog {
  const child: ChildProcess = spawn(process.execPath, [fileURLToPath(import.meta.url)], {
    detached: true,
    env: { ...env },
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  child.unref();
  // NOTE: an unhandled error would end the server, which can run without a watchdog. A watchdog that could not be started
  // for want of descriptors has not even a pipe.
  const endPipe = (): void => void child.stdin?.destroy();
  child.on('error', endPipe);
  child.stdin?.on('error', endPipe);
  return {
    ref: child.pid === undefined ? null : refOf(child.pid),
    guard: (ref) => void child.stdin?.write(`${JSON.stringify(ref)}\n`),
    stop: () => end(child),
  };
}

async function end(child: ChildProcess): Promise<void> {
  child.stdin?.end();
  const hasEnded = (): boolean => child.exitCode !== null || child.signalCode !== null;
  if (child.pid === undefined || (await waitFor(hasEnded, GRACE_MS + 1_000))) return;
  child.kill('SIGKILL');
  await waitFor(hasEnded, GRACE_MS);
}

async function watch(): Promise<void> {
  const lines = (await text(process.stdin)).split('\n');
  const guarded = lines.filter((line) => line !== '').map((line): ProcessRef => JSON.parse(line));
  await Promise.all(guarded.filter(isRunning).map((ref) => stopProcess(ref, GRACE_MS)));
}

if (isEntry(import.meta.url)) await watch();
