import { spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync, renameSync } from 'node:fs';
import { EngineError, plainly } from './engine-error.ts';
import { refOf, stopProcess, type ProcessRef } from './processes.ts';
import type { Environment } from './run.ts';

export type EngineProcess = {
  readonly ref: ProcessRef;
  readonly logFile: string;
  /** Null while it runs, then how it ended, in words. */
  ended(): string | null;
  /** Settles when it has ended, for whatever reason. */
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
};

/**
 * Starts an engine in a session of its own, so that Ctrl-C reaches the server alone and the server can finish its work
 * first. What the engine prints goes to `logFile`; the log of the run before is kept beside it.
 * @throws EngineError when the program cannot be started
 */
export async function spawnEngine(command: EngineCommand): Promise<EngineProcess> {
  const log = openLog(command.logFile);
  const child = spawn(command.bin, command.args, {
    cwd: command.cwd,
    env: { ...command.env },
    detached: true,
    stdio: ['ignore', log, log],
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
    throw new EngineError(`${command.name} could not be started from ${command.bin} (${ending ?? 'no word why'}).`);
  }
  // One that ended at once has no start time any more; its log says why, and the caller reads it.
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

/** The end of an engine's log, where it says why it gave up. */
export function tailOf(logFile: string): string {
  try {
    return readFileSync(logFile, 'utf8').slice(-65_536);
  } catch {
    // Somebody removed the data directory under the engine, which may be why it ended; nothing is left to read.
    return '';
  }
}

function openLog(logFile: string): number {
  try {
    renameSync(logFile, `${logFile}.1`);
  } catch {
    // The first start here: there is no log yet. Anything worse shows when the file is opened below.
  }
  try {
    return openSync(logFile, 'w', 0o600);
  } catch (error) {
    throw plainly(error, logFile);
  }
}
