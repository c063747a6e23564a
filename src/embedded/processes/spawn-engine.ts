import { spawn } from 'node:child_process';
import { closeSync, fstatSync, openSync, readSync, renameSync } from 'node:fs';
import { EngineError, plainly } from './engine-error.ts';
import { refOf, stopProcess, type ProcessRef } from './processes.ts';
import type { Environment } from './run.ts';

export type EngineProcess = {
  readonly ref: ProcessRef;
  readonly logFile: string;
  /** Describes how it ended; null while it runs. */
  ended(): string | null;
  /** Settles when it has ended for any reason. */
  readonly end: Promise<void>;
  /** Asks it to end cleanly, and kills it after `graceMs`. */
  stop(graceMs: number): Promise<void>;
};

export type EngineCommand = {
  readonly name: string;
  readonly bin: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly logFile: string;
  readonly env: Environment;
  /** Set if the engine prints a line for each request, which would fill the disk. Then only errors are logged. */
  readonly isChatty?: boolean;
};

/** Time for a clean end of an engine that did not come up. */
const FAILED_GRACE_MS = 5_000;
/** The part of a log that is read for a reason. */
const TAIL_BYTES = 65_536;

/**
 * Starts an engine in a separate session, so that only the server receives Ctrl-C and can finish its work first. The
 * output of the engine goes to `logFile`. The log of the previous run is kept beside it.
 * @throws EngineError if the program cannot be started
 */
export async function spawnEngine(command: EngineCommand): Promise<EngineProcess> {
  const log = openLog(command.logFile);
  const child = spawn(command.bin, command.args, {
    cwd: command.cwd,
    env: { ...command.env },
    detached: true,
    stdio: ['ignore', command.isChatty === true ? 'ignore' : log, log],
  });
  closeSync(log);
  child.unref();
  let ending: string | null = null;
  const end = new Promise<void>((resolve) => {
    child.once('exit', (code, signal) => {
      ending = signal === null ? `exit code ${code}` : `signal ${signal}`;
      resolve();
    });
    child.once('error', (error) => {
      ending = error.message;
      resolve();
    });
  });
  if (child.pid === undefined) {
    await end;
    throw new EngineError(
      `${command.name} could not be started from ${command.bin} (${ending ?? 'without a reason'}).`,
    );
  }
  // A process that ended at once has no start time. The caller reads the reason from its log.
  const ref = refOf(child.pid) ?? { pid: child.pid, start: 'ended at once' };
  return {
    ref,
    logFile: command.logFile,
    end,
    ended: () => ending,
    async stop(graceMs) {
      if (ending !== null) return;
      child.ref();
      await stopProcess(ref, graceMs);
      await end;
    },
  };
}

/**
 * Waits until an engine works. If that fails, the engine is stopped, because a second one at the same files would spoil
 * them.
 */
export async function bringUp(engine: EngineProcess, work: () => Promise<void>): Promise<EngineProcess> {
  try {
    await work();
    return engine;
  } catch (error) {
    await engine.stop(FAILED_GRACE_MS);
    throw error;
  }
}

/** The last lines of an engine's log, which contain the reason of a failure. Each line is whole. */
export function tailOf(logFile: string): string {
  try {
    const log = openSync(logFile, 'r');
    try {
      return lastLines(log);
    } finally {
      closeSync(log);
    }
  } catch {
    // The data directory was removed while the engine was running, so there is no log.
    return '';
  }
}

function lastLines(log: number): string {
  const { size } = fstatSync(log);
  const from = Math.max(0, size - TAIL_BYTES);
  const bytes = Buffer.alloc(size - from);
  const text = bytes.toString('utf8', 0, readSync(log, bytes, 0, bytes.length, from));
  const [cut = '', ...whole] = text.split('\n');
  return (from === 0 ? [cut, ...whole] : whole).join('\n');
}

/** Why a program of C++ ended: the exception in its log, or how it ended. */
export function reasonOf(engine: EngineProcess): string {
  return /what\(\): +(.+)/.exec(tailOf(engine.logFile))?.[1] ?? engine.ended() ?? 'without a reason';
}

function openLog(logFile: string): number {
  try {
    renameSync(logFile, `${logFile}.1`);
  } catch {
    // At the first start there is no log yet. Other errors appear when the file is opened below.
  }
  try {
    return openSync(logFile, 'w', 0o600);
  } catch (error) {
    throw plainly(error, logFile);
  }
}
