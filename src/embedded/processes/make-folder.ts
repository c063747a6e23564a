import { existsSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { codeOf, EngineError } from './engine-error.ts';

/**
 * Creates a folder for this user alone, and its parents. Node's own recursive `mkdir` runs forever in a file system
 * without folders of users, such as `/proc`.
 * @throws EngineError in such a file system, otherwise the error of the system
 */
export function makeFolder(dir: string): void {
  try {
    mkdirSync(dir, { mode: 0o700 });
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return;
    if (codeOf(error) !== 'ENOENT') throw error;
    if (existsSync(dirname(dir)))
      throw new EngineError(`No folder can be created at ${dir}. Choose another directory.`, { cause: error });
    makeFolder(dirname(dir));
    makeFolder(dir);
  }
}
