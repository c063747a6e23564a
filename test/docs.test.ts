import { expect, test } from 'vitest';
import { generated } from '../docs/generated.ts';
import { readRoot } from './sources.ts';

test('[X9] the generated documents are fresh (npm run docs writes them)', () => {
  const documents = Object.entries(generated());
  expect(documents.length).toBeGreaterThan(4);
  for (const [name, content] of documents) expect(readRoot(`docs/${name}`), `docs/${name} is stale`).toBe(content);
});
