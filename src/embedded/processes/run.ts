import { spawn, type ChildProcess } from 'node:child_process';
import { accessSync, constants, realpathSync, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The environment of programs. The caller passes it in, because only the configuration may read the real one. */
export type Environment = Readonly<Record<string, string | undefined>>;

export type Outcome = {
  /** The exit code; null if a signal or the timeout ended it, or if it could not be started. */
  readonly code: number | null;
  readonly signal: string | null;
  readonly stdout: string;
  readonly stderr: string;
};

type RunOptions = {
  readonly env: Environment;
  /** Without it, the program may run as long as it needs. */
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
  /** Receives what the program prints, as it prints it. The outcome then has none of it. */
  readonly onOutput?: (text: string) => void;
};

/** Runs a program to its end. It never throws; the outcome contains errors. */
export function run(command: string, args: readonly string[], options: RunOptions): Promise<Outcome> {
  return new Promise((resolve) => {
    const child: ChildProcess = spawn(command, args, {
      env: { ...options.env },
      stdio: ['ignore', 'pipe', 'pipe'],
      ...(options.timeoutMs !== undefined && { timeout: options.timeoutMs }),
      killSignal: 'SIGKILL',
      ...(options.signal && { signal: options.signal }),
    });
    const out: string[] = [];
    const err: string[] = [];
    const done = (code: number | null, signal: string | null): void =>
      resolve({ code, signal, stdout: out.join(''), stderr: err.join('') });
    child.on('error', (error) => {
      err.push(error.message);
      done(null, null);
    });
    child.on('close', done);
    // A program that could not be started for want of descriptors has no output to read.
    child.stdout?.setEncoding('utf8').on('data', options.onOutput ?? ((text: string) => out.push(text)));
    child.stderr?.setEncoding('utf8').on('data', (text: string) => err.push(text));
  });
}

/** The full path of the first of these programs on PATH; null if PATH has none of them. */
export function findOnPath(names: readonly string[], env: Environment): string | null {
  const folders = (env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '');
  const suffix = process.platform === 'win32' ? '.exe' : '';
  const paths = names.flatMap((name) => folders.map((folder) => join(folder, name + suffix)));
  return paths.find(isProgram) ?? null;
}

/** Says whether the path is a file that this user may run. */
export function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    // The file does not exist, or this user may not run it.
    return false;
  }
}

/** Says whether Node was started with the module at this URL. */
export function isEntry(moduleUrl: string): boolean {
  const entry = process.argv[1];
  try {
    return entry !== undefined && realpathSync(entry) === fileURLToPath(moduleUrl);
  } catch {
    // Node was started without a file, for example with --eval.
    return false;
  }
}

/** The last line that is not empty, for a message about an error of a program. */
export function lastLine(text: string): string {
  return text.trimEnd().split('\n').at(-1)?.trim() ?? '';
}
