import { expect, test } from 'vitest';
import { refuseAway } from '../../src/engines/away.ts';
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
    { level: 'warn', fields: { what: 'payouts', failures: 2, error: 'Error: no primary' }, message: 'works again' },
  ]);
});

test('[Z37] if the database is away, the line of repeated work names the error of the database', async () => {
  const log = keptLog();
  const lost = Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' });
  await keepGoing(log, 'payouts')(() => refuseAway(Promise.reject(lost)));
  expect(log.lines).toMatchObject([{ fields: { what: 'payouts', error: 'Error: read ECONNRESET' } }]);
});

test('[R22] a failure that an outage covers has no line, and another one has its lines all the same', async () => {
  const lost = new Error('connection closed');
  const log = { ...keptLog(), covers: (error: unknown) => error === lost };
  const run = keepGoing(log, 'payouts');
  const turns = [lost, null, lost, new Error('no such index'), lost, null];
  for (const error of turns) {
    await run(async () => {
      if (error !== null) throw error;
    });
  }
  expect(log.lines).toEqual([
    { level: 'error', fields: { what: 'payouts', error: 'Error: no such index' }, message: 'failed; will retry' },
    { level: 'warn', fields: { what: 'payouts', failures: 3, error: 'Error: no such index' }, message: 'works again' },
  ]);
});
