import { expect, onTestFinished, test } from 'vitest';
import { testEngines } from '../engines.ts';
import { until } from '../until.ts';
import { call } from './client.ts';
import { startServer } from './servers.ts';

test('[J335] a server checks the ledger by itself and shows the result in its metrics', async () => {
  const server = await startServer(testEngines('ledger-check'));
  onTestFinished(async () => void (await server.stop()));
  let lines: string[] = [];
  // The census reads the last check every 15 s.
  await until(async () => {
    const { body: metrics } = await call(server.baseUrl, 'GET /metrics');
    lines = String(metrics['text'])
      .split('\n')
      .filter((line) => line.startsWith('ledger_'));
    return lines.length > 0;
  });
  expect(lines).toEqual([expect.stringMatching(/^ledger_check_age_seconds \d/), 'ledger_faults 0']);
});
