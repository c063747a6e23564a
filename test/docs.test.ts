import { expect, test } from 'vitest';
import { generated } from '../docs/generated.ts';
import { TRANSITIONS, type Row } from '../src/domain/deliveries/lifecycle.ts';
import { VERBS, type Verb } from '../src/domain/deliveries/states.ts';
import { STOP_TRANSITIONS, STOP_VERBS, type StopVerb } from '../src/domain/deliveries/stops/stop-lifecycle.ts';
import { readRoot } from './sources.ts';

test('[X9] the generated documents are up to date (npm run docs writes them)', () => {
  const documents = Object.entries(generated());
  expect(documents.length).toBeGreaterThan(4);
  for (const [name, content] of documents) expect(readRoot(`docs/${name}`), `docs/${name} is stale`).toBe(content);
});

test('[L30] the description of a delivery’s life shows every guard of a verb, also the guards at its stop', () => {
  const shown = generated()['lifecycle.md'] ?? '';
  for (const { verb, when } of STOP_TRANSITIONS) {
    const atStop = VERBS.filter((name) => (STOP_VERBS as Partial<Record<Verb, StopVerb>>)[name] === verb);
    expect(atStop.length).toBeGreaterThan(0);
    for (const name of atStop) {
      const rows = shown.split('\n').filter((line) => line.includes(`\`${name}\``) && line.startsWith('|'));
      expect(rows.length).toBeGreaterThan(1);
      for (const row of rows) for (const guard of when) expect(row).toContain(guard.name);
    }
  }
  for (const { when } of TRANSITIONS as readonly Row[]) if (when !== undefined) expect(shown).toContain(when);
});
