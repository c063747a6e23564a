// Runs as a process of its own beside the server, and stops the engines when the server is gone, however it went.
import { spawn, type ChildProcess } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { isRunning, refOf, stopProcess, type ProcessRef } from './processes.ts';
import { isEntry, type Environment } from './run.ts';
import { waitFor } from './wait.ts';

/** Of the 3 s in which engines must be gone, this much is theirs to end cleanly; the journal covers the rest. */
const GRACE_MS = 2_000;

export type Watchdog = {
  readonly ref: ProcessRef | null;
  /** Has a process stopped when this server is gone. */
  guard(ref: ProcessRef): void;
  /** Ends the watchdog; what it guards should be gone by then. */
  stop(): Promise<void>;
};

/**
 * Starts the watchdog. It learns of the server's end by the end of a pipe, which the kernel closes however the server
 * went; nothing has to be polled and no pid can be mistaken.
 */
export function startWatchdog(env: Environment): Watchdog {
  const child = spawn(process.execPath, [fileURLToPath(import.meta.url)], {
    detached: true,
    env: { ...env },
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  child.unref();
  // NOTE: an unheard error of a pipe would end the server; a watchdog that died early is only a lost precaution.
  child.stdin.on('error', () => child.stdin.destroy());
  child.on('error', () => child.stdin.destroy());
  return {
    ref: child.pid === undefined ? null : refOf(child.pid),
    guard: (ref) => void child.stdin.write(`${JSON.stringify(ref)}\n`),
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
