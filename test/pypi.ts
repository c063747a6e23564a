import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { cacheDirOf } from '../src/embedded/programs/cache.ts';
import { ENVIRONMENT } from './environment.ts';

/**
 * Installs a package from PyPI once, in the cache of fetched programs. Returns the folder for PYTHONPATH.
 * @param wanted the package with its extras, such as `moto[s3,server]`
 * @throws Error if pip fails, so that no run leaves its tests out silently
 */
export async function installFromPyPi(wanted: string, version: string): Promise<string> {
  const [name = wanted] = wanted.split('[');
  const dir = join(cacheDirOf(ENVIRONMENT), `${name}-${version}`);
  if (existsSync(dir)) return dir;
  const making = `${dir}.${process.pid}`;
  await mkdir(making, { recursive: true });
  const pip = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '--target', making];
  await promisify(execFile)('python3', [...pip, `${wanted}==${version}`]);
  // A rename is whole or not at all. Another run may have been first.
  await rename(making, dir).catch(() => rm(making, { recursive: true, force: true }));
  return dir;
}
