import { expect, test } from 'vitest';
import { provePure } from './prove-pure.ts';

test('[J8] 500,000 random commands on the pure ledger do what a plain model does', () => {
  const seed = Date.now() % 1_000_000_000;
  process.stderr.write(`500,000 commands on the pure ledger, seed ${seed}\n`);
  expect(provePure(500_000, seed).count).toBeGreaterThanOrEqual(500_000);
});
