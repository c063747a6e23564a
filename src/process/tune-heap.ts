import { readdirSync, readFileSync } from 'node:fs';
import { getPriority, setPriority } from 'node:os';
import { setFlagsFromString } from 'node:v8';

/** How much the heap may grow between two major collections, per cent of what was live. V8 itself chooses 10 to 300. */
const GROWTH_PERCENT = 300;
/** Linux lists the threads of this process here, by their ids. */
const THREADS = '/proc/self/task';
const V8_THREAD = 'V8Worker';
/** If a thread with this priority and one with the normal priority want a core, it gets a tenth of the core. */
const LOW_PRIORITY = 10;

/**
 * Makes requests notice garbage collection less (ADR 108): major collections come seldom, and V8's background threads leave
 * the cores to the thread that answers requests and to the engines. V8 reads the flag at each collection, so it counts
 * from now on.
 * @param say receives a sentence if the system does not allow the priority
 */
export function tuneHeap(say: (text: string) => void): void {
  setFlagsFromString(`--heap-growing-percent=${GROWTH_PERCENT}`);
  if (process.platform !== 'linux') return;
  try {
    for (const thread of threadsOfV8()) setPriority(thread, Math.max(getPriority(thread), LOW_PRIORITY));
  } catch (error) {
    say(`The background threads of V8 keep their priority, so garbage collection may delay answers: ${String(error)}`);
  }
}

function threadsOfV8(): number[] {
  const isOfV8 = (thread: string): boolean => readFileSync(`${THREADS}/${thread}/comm`, 'utf8').trim() === V8_THREAD;
  return readdirSync(THREADS).filter(isOfV8).map(Number);
}
