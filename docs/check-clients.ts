import { homedir } from 'node:os';
import path from 'node:path';
import { checkAll } from './clients/generators.ts';

// oxlint-disable-next-line node/no-process-env -- the folder of caches of this machine
const cache = process.env['XDG_CACHE_HOME'] ?? path.join(homedir(), '.cache');
const ROOT = path.join(import.meta.dirname, '..');

// Needs Java 17, Maven and Python 3.10 beside Node.
const outcomes = checkAll(
  path.join(cache, 'dispatch-server', 'clients'),
  path.join(import.meta.dirname, 'openapi.json'),
  path.join(ROOT, 'node_modules', '.bin'),
);
for (const { name, warnings } of outcomes) {
  process.stdout.write(
    `${name}: compiles, ${warnings.length} warnings\n${warnings.map((line) => `  ${line}\n`).join('')}`,
  );
}
