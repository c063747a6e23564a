// The memory that a process needs, without garbage.
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { rssKib } from '../pings/pinned.ts';

const COLLECTOR = pathToFileURL(join(import.meta.dirname, 'collect-garbage.ts')).href;
/** A collection of garbage has ended after this time, ms. */
const COLLECT_MS = 1500;

/** The environment of a process whose memory `leastKib` reads. */
export const WITH_COLLECTOR = { NODE_OPTIONS: `--import=${COLLECTOR}` };

/** Collects all garbage of the process and returns its resident memory, KiB. */
export async function leastKib(pid: number): Promise<number> {
  process.kill(pid, 'SIGUSR2');
  await pause(COLLECT_MS);
  return rssKib(pid);
}
