import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { RecordedCall } from '../test/http/record-example.ts';
import { chooseEvents, chooseExamples, chooseProblems } from './examples/choose.ts';

/** The tests whose calls are the examples, and those that only show refusals. */
const TESTS = ['test/http/endpoints/', 'test/http/errors.test.ts'];
const REFUSALS = ['test/http/limits/', 'test/http/bodies/'];
const ROOT = path.join(import.meta.dirname, '..');

// Runs tests, and writes one of their calls for each operation; `npm run docs` then puts them into the document.
const calls = record(TESTS);
const examples = {
  operations: chooseExamples(calls),
  events: chooseEvents(calls),
  problems: chooseProblems([...calls, ...record(REFUSALS)]),
};
const file = path.join(ROOT, 'src', 'http', 'openapi', 'examples.json');
writeFileSync(file, `${JSON.stringify(examples, null, 2)}\n`);
process.stdout.write(`${Object.keys(examples.operations).length} operations, ${path.relative(ROOT, file)}\n`);

/** The calls of these tests. */
function record(tests: readonly string[]): RecordedCall[] {
  const folder = mkdtempSync(path.join(tmpdir(), 'examples-'));
  try {
    // oxlint-disable-next-line node/no-process-env -- the tests need the PATH and HOME of this process
    const env = { ...process.env, EXAMPLES_FOLDER: folder };
    const vitest = path.join(ROOT, 'node_modules', 'vitest', 'vitest.mjs');
    execFileSync(process.execPath, [vitest, 'run', ...tests], {
      cwd: ROOT,
      env,
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    const lines = readdirSync(folder).flatMap((name) => readFileSync(path.join(folder, name), 'utf8').split('\n'));
    return lines.filter((line) => line !== '').map((line) => JSON.parse(line) as RecordedCall);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
