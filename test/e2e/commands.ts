import { spawn } from 'node:child_process';
import path from 'node:path';
import { ENVIRONMENT } from '../environment.ts';

type Told = { readonly code: number | null; readonly out: string; readonly err: string };

/** Runs a command line of `src` as its own process, with an environment of PATH and the given variables only. */
export function runSource(
  name: 'main' | 'operator' | 'replay' | 'streets',
  args: readonly string[],
  env: Record<string, string> = {},
): Promise<Told> {
  const file = path.resolve(import.meta.dirname, '..', '..', 'src', `${name}.ts`);
  const child = spawn(process.execPath, [file, ...args], { env: { PATH: ENVIRONMENT['PATH'], ...env } });
  const told = { out: '', err: '' };
  child.stdout.on('data', (chunk: Buffer) => (told.out += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (told.err += chunk.toString()));
  return new Promise((resolve) => child.once('close', (code) => resolve({ code, ...told })));
}
