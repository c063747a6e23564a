import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { generated } from './generated.ts';

// Writes every generated document; `docs.test.ts` compares them with what stands here.
for (const [name, content] of Object.entries(generated())) {
  writeFileSync(path.join(import.meta.dirname, name), content);
  process.stdout.write(`${path.posix.join('docs', name)}\n`);
}
