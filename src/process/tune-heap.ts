import { readdirSync, readFileSync } from 'node:fs';
import { availableParallelism, setPriority } from 'node:os';
import { setFlagsFromString } from 'node:v8';

/** How much may be allocated before the next major collection, per cent of the live heap. V8 itself chooses 20 to 300. */
const GROWTH_PERCENT = 300;
/** The most threads that V8 itself gives to a process. */
const MOST_THREADS = 4;
/** The threads of this process, by their ids. Linux has this folder, and other systems do not. */
const THREADS = '/proc/self/task';
const V8_THREAD = 'V8Worker';
/** Of a core that two threads want, the thread with this priority gets a tenth. */
const LOW_PRIORITY = 10;

/**
 * Makes requests notice garbage collection less (ADR 108). Major collections come seldom, and one that marks in the
 * background leaves a core to the thread of the requests and to the engines. V8 reads the flags at each collection, so they
 * count from now on.
 */
export function tuneHeap(cores = availableParallelism()): void {
  setFlagsFromString(`--heap-growing-percent=${GROWTH_PERCENT}`);
  setFlagsFromString(`--concurrent-marking-max-worker-num=${Math.max(1, Math.min(MOST_THREADS, cores - 1))}`);
  for (const thread of threadsOfV8()) setPriority(thread, LOW_PRIORITY);
}

/** The ids of V8's background threads, which exist from the start. Empty where the system does not list threads. */
function threadsOfV8(): number[] {
  if (process.platform !== 'linux') return [];
  const isOfV8 = (thread: string): boolean => readFileSync(`${THREADS}/${thread}/comm`, 'utf8').trim() === V8_THREAD;
  return readdirSync(THREADS).filter(isOfV8).map(Number);
}
