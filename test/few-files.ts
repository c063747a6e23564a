/** Processes that can open only a few files, as if all descriptors of the machine were in use. */
import { spawn, type ChildProcessByStdio } from 'node:child_process';
import type { Readable } from 'node:stream';
import { onTestFinished } from 'vitest';
import { ENVIRONMENT } from './environment.ts';

/** Descriptors of such a process. Node needs about 20 of them. */
const MOST_FILES = 60;

/** Defines `fill`, which opens files until no more can be opened, and `free`, which closes them. */
const FILL = `
  import { closeSync, openSync } from 'node:fs';
  const opened = [];
  const fill = () => {
    try {
      for (;;) opened.push(openSync('/dev/null'));
    } catch (error) {
      if (error.code !== 'EMFILE') throw error;
    }
  };
  const free = () => opened.splice(0).forEach((file) => closeSync(file));
`;

/** Runs the lines of a module in such a process. They may call `fill` and `free`, and import by the URLs of modules. */
export function withFewFiles(lines: string): ChildProcessByStdio<null, Readable, Readable> {
  const command = `ulimit -n ${MOST_FILES} && exec "$0" --input-type=module --eval "$1"`;
  const child = spawn('/bin/sh', ['-c', command, process.execPath, FILL + lines], {
    env: { ...ENVIRONMENT },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  return child;
}
