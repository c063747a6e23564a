import { expect, test } from 'vitest';
import { createMetrics } from '../src/metrics.ts';

test('[Z49] a gauge whose label value is gone is told no more, and the others stay', async () => {
  const metrics = createMetrics();
  metrics.gauge('dispatch_searching', 3, { region: 'a' });
  metrics.gauge('dispatch_searching', 0, { region: 'b' });
  metrics.gauge('dispatch_searching', null, { region: 'a' });
  metrics.gauge('dispatch_searching', null, { region: 'never there' });
  const lines = (await metrics.text()).split('\n').filter((line) => line.startsWith('dispatch_searching'));
  expect(lines).toEqual(['dispatch_searching{region="b"} 0']);
});
