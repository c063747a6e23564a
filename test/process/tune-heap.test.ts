import { execFile } from 'node:child_process';
import { getPriority } from 'node:os';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const TUNE_HEAP = resolve(import.meta.dirname, '../../src/process/tune-heap.ts');

/** Prints the name and the priority of each thread. In the line of a thread, the priority is the 17th word after its name. */
const PROGRAM = `
  import { readdirSync, readFileSync } from 'node:fs';
  import { tuneHeap } from ${JSON.stringify(TUNE_HEAP)};
  tuneHeap((text) => { throw new Error(text); });
  const threads = readdirSync('/proc/self/task').map((id) => {
    const [, name, rest] = /\\((.*)\\) (.*)/.exec(readFileSync('/proc/self/task/' + id + '/stat', 'utf8'));
    return [name, Number(rest.split(' ')[16])];
  });
  console.log(JSON.stringify(threads));
`;

test.runIf(process.platform === 'linux')('[Z68] only the background threads of V8 have a lower priority', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', PROGRAM]);
  const threads = JSON.parse(stdout) as [name: string, priority: number][];
  const ofV8 = threads.filter(([name]) => name === 'V8Worker').map(([, priority]) => priority);
  const others = threads.filter(([name]) => name !== 'V8Worker').map(([, priority]) => priority);
  expect(ofV8.length).toBeGreaterThan(0);
  expect(new Set(ofV8)).toEqual(new Set([Math.max(getPriority(), 10)]));
  expect(new Set(others)).toEqual(new Set([getPriority()]));
});
