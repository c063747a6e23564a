import { existsSync, readFileSync, readlinkSync, statSync, utimesSync } from 'node:fs';
import { hostname } from 'node:os';
import { codeOf } from './engine-error.ts';
import { repeat, waitFor, wallMs } from './wait.ts';

const BEAT_MS = 1_000;
/** A process may be busy for some seconds. */
const SILENCE_MS = 5_000;

/** Names where the pids of this process are valid: this machine since its start, and this container. */
export function pidSpace(): string {
  const bootId = '/proc/sys/kernel/random/boot_id';
  if (!existsSync(bootId)) return hostname();
  return `${readFileSync(bootId, 'utf8').trim()} ${readlinkSync('/proc/self/ns/pid')}`;
}

/** Touches a file once a second, so that processes elsewhere see that this one runs. Returns what ends it. */
export function beat(path: string): () => void {
  return repeat(() => {
    try {
      utimesSync(path, wallMs() / 1_000, wallMs() / 1_000);
    } catch (error) {
      // The folder was removed or cannot be written. Whatever else writes there reports it.
      if (!['ENOENT', 'EACCES', 'EPERM', 'EROFS', 'ENOTDIR'].includes(codeOf(error))) throw error;
    }
  }, BEAT_MS);
}

/** Says whether a process touches this file now. That takes up to 5 s. */
export async function isTouched(path: string): Promise<boolean> {
  const first = touchedAt(path);
  return waitFor(() => touchedAt(path) !== first, SILENCE_MS);
}

function touchedAt(path: string): number | undefined {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs;
}
