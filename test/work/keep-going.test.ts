import { expect, test } from 'vitest';
import { keepGoing } from '../../src/work/keep-going.ts';
import { keptLog } from '../kept-ports.ts';

test('[R18] failures in a row leave one line, and their end another one that the default level includes', async () => {
  const log = keptLog();
  const run = keepGoing(log, 'payouts');
  for (const fails of [true, true, false, false]) {
    await run(async () => {
      if (fails) throw new Error('no primary');
    });
  }
  expect(log.lines).toEqual([
    { level: 'error', fields: { what: 'payouts', error: 'Error: no primary' }, message: 'failed; will retry' },
    { level: 'warn', fields: { what: 'payouts', failures: 2 }, message: 'works again' },
  ]);
});
