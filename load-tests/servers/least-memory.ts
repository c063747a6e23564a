// The memory that a process needs, without garbage.
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { cpuNs, rssKib } from '../pings/pinned.ts';

const COLLECTOR = pathToFileURL(join(import.meta.dirname, 'collect-garbage.ts')).href;
/** Most collections have ended after this time, ms. */
const COLLECT_MS = 1500;
/** A collection counts as ended after a span of this length, ms, in which the process took less than half a core. */
const LOOK_MS = 250;
const MOST_LOOKS = 40;
const NS_PER_MS = 1e6;

/** The environment of a process whose memory `leastKib` reads. Options of the caller, such as those of a profiler, stay. */
export const WITH_COLLECTOR = { NODE_OPTIONS: `${process.env['NODE_OPTIONS'] ?? ''} --import=${COLLECTOR}` };

/** Collects garbage of a process that has work meanwhile, and returns its resident memory after a fixed time, KiB. */
export async function leastKibAtWork(pid: number): Promise<number> {
  process.kill(pid, 'SIGUSR2');
  await pause(COLLECT_MS);
  return rssKib(pid);
}

/**
 * Collects all garbage of a process at rest and returns its resident memory, KiB. Waits until the collection has ended, so that it delays
 * nothing that is measured next.
 * @throws Error if the process is busy for another 10 s
 */
export async function leastKib(pid: number): Promise<number> {
  await leastKibAtWork(pid);
  for (let look = 0; look < MOST_LOOKS; look += 1) {
    const before = cpuNs(pid);
    await pause(LOOK_MS);
    if (cpuNs(pid) - before < (LOOK_MS / 2) * NS_PER_MS) return rssKib(pid);
  }
  throw new Error(`process ${pid} is still busy some 12 s after it was told to collect its garbage`);
}
