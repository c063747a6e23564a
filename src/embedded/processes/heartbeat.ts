import { existsSync, readFileSync, readlinkSync, statSync } from 'node:fs';
import { utimes } from 'node:fs/promises';
import { hostname } from 'node:os';
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

/**
 * Touches a file once a second while it belongs to this process, so that processes elsewhere see that it runs. Returns what
 * ends it.
 */
export function beat(path: string, isOwn: () => boolean): () => void {
  let isTouching = false;
  const touch = async (): Promise<void> => {
    try {
      if (isOwn()) await utimes(path, wallMs() / 1_000, wallMs() / 1_000);
    } catch {
      // The folder was removed, is full or cannot be reached. Whatever else writes there reports it.
    }
    isTouching = false;
  };
  return repeat(() => {
    if (isTouching) return;
    isTouching = true;
    void touch();
  }, BEAT_MS);
}

/** Says whether a process touches this file now, and not whether it removes it. That takes up to 5 s. */
export async function isTouched(path: string): Promise<boolean> {
  const first = touchedAt(path);
  return (await waitFor(() => touchedAt(path) !== first, SILENCE_MS)) && touchedAt(path) !== undefined;
}

function touchedAt(path: string): number | undefined {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs;
}
