import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { codeOf, plainly } from '../processes/engine-error.ts';

const ADDRESS = 'address';

/**
 * Writes the address of the engine for the other processes of the directory; null removes it.
 * @throws EngineError if the directory cannot be written
 */
export function writeAddress(home: string, url: string | null): void {
  const path = join(home, ADDRESS);
  try {
    if (url === null) {
      rmSync(path, { force: true });
      return;
    }
    // The file is renamed into place, so that no process reads half an address.
    writeFileSync(`${path}.new`, url, { mode: 0o600 });
    renameSync(`${path}.new`, path);
  } catch (error) {
    throw plainly(error, home);
  }
}

/** The address of the engine; null if it does not answer yet. */
export function readAddress(home: string): string | null {
  try {
    return readFileSync(join(home, ADDRESS), 'utf8');
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null;
    throw error;
  }
}
