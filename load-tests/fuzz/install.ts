// Schemathesis in an environment of its own, so that the project needs no Python package of the system.
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

export const SCHEMATHESIS_VERSION = '4.32.5';

const run = promisify(execFile);

/**
 * Installs Schemathesis from PyPI into the user's cache, unless it is there. Returns the path of its program.
 * @throws Error if Python 3.10 or newer is missing, or the registry cannot be reached
 */
export async function installSchemathesis(say: (line: string) => void): Promise<string> {
  const cache = process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache');
  const root = join(cache, 'dispatch-server');
  const dir = join(root, `schemathesis-${SCHEMATHESIS_VERSION}`);
  const program = join(dir, 'bin', 'schemathesis');
  const done = join(dir, 'installed');
  if (existsSync(done)) return program;
  say(`installing Schemathesis ${SCHEMATHESIS_VERSION} from PyPI into ${dir}`);
  await rm(dir, { recursive: true, force: true });
  await mkdir(root, { recursive: true });
  await run('python3', ['-m', 'venv', dir]);
  await run(join(dir, 'bin', 'pip'), ['install', '--quiet', `schemathesis==${SCHEMATHESIS_VERSION}`]);
  // The mark comes last, so that an interrupted installation starts over.
  const mark = join(dir, 'installed.new');
  await mkdir(mark);
  await rename(mark, done);
  return program;
}
