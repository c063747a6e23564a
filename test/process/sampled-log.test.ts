import { expect, test } from 'vitest';
import { sampleLog } from '../../src/process/sampled-log.ts';
import { handClock } from '../clock.ts';
import { keptLog } from '../kept-ports.ts';

const MINUTE_MS = 60_000;

test('[T36] the first line of a message is written, and the following ones are counted for a minute', async () => {
  const [kept, clock] = [keptLog(), handClock()];
  const { log, stop } = sampleLog(kept, clock);
  for (let address = 1; address <= 1000; address += 1) log.warn({ address }, 'too many');
  log.error({}, 'another message');
  expect(kept.lines).toEqual([
    { level: 'warn', fields: { address: 1 }, message: 'too many' },
    { level: 'error', fields: {}, message: 'another message' },
  ]);
  await clock.advance(MINUTE_MS);
  expect(kept.lines.slice(2)).toEqual([{ level: 'warn', fields: { address: 1000, more: 999 }, message: 'too many' }]);
  log.warn({ address: 7 }, 'too many');
  log.error({}, 'another message');
  expect(kept.lines.slice(3)).toEqual([{ level: 'error', fields: {}, message: 'another message' }]);
  await clock.advance(2 * MINUTE_MS);
  expect(kept.lines.slice(4)).toEqual([{ level: 'warn', fields: { address: 7, more: 1 }, message: 'too many' }]);
  log.warn({ address: 8 }, 'too many');
  expect(kept.lines.at(-1)).toEqual({ level: 'warn', fields: { address: 8 }, message: 'too many' });
  stop();
});

test('[T36] a line that is known to a caller by its request id is always written', () => {
  const kept = keptLog();
  const { log, stop } = sampleLog(kept, handClock());
  for (const requestId of ['req_1', 'req_2']) log.error({ requestId }, 'a socket message failed');
  expect(kept.lines.map(({ fields }) => fields)).toEqual([{ requestId: 'req_1' }, { requestId: 'req_2' }]);
  stop();
});
