import { mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { codeOf, EngineError } from './engine-error.ts';

/**
 * Creates a folder for this user alone, and its parents. Node's own recursive `mkdir` runs forever in a file system
 * without folders of users, such as `/proc`.
 * @throws EngineError in such a file system, and at a symbolic link to nothing; otherwise the error of the system
 */
export function makeFolder(dir: string): void {
  if (tryMake(dir)) return;
  makeFolder(dirname(dir));
  if (!tryMake(dir)) throw new EngineError(`No folder can be created at ${dir}. Choose another directory.`);
}

/** Returns whether the folder exists now; false if its parent does not. */
function tryMake(dir: string): boolean {
  try {
    mkdirSync(dir, { mode: 0o700 });
    return true;
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return false;
    if (codeOf(error) !== 'EEXIST') throw error;
    if (statSync(dir, { throwIfNoEntry: false }) !== undefined) return true;
    throw new EngineError(`${dir} is a symbolic link to nothing. Is its volume mounted?`, { cause: error });
  }
}
