import { mongo } from 'mongoose';
import { expect, test } from 'vitest';
import { Refusal } from '../../src/domain/refusals/refusals.ts';
import { EngineAway } from '../../src/engines/engine-away.ts';
import { explainStart } from '../../src/process/explain-end.ts';

const lost = new mongo.MongoNetworkError('connection 3 to 127.0.0.1:27017 closed');
const LOST = 'MongoDB was lost during the start: connection 3 to 127.0.0.1:27017 closed. Start the server again.';

test('[R29] a start that loses an engine ends with a sentence, also behind a refusal', () => {
  expect(explainStart(lost)).toBe(LOST);
  expect(explainStart(Object.assign(new Refusal('busy'), { cause: lost }))).toBe(LOST);
  const write = Object.assign(new Error('write EPIPE'), { code: 'EPIPE', syscall: 'write' });
  const open = 'A connection to MongoDB or Redis was lost during the start: write EPIPE. Start the server again.';
  expect(explainStart(write)).toBe(open);
  const closed = 'Redis was lost during the start: Connection is closed. Start the server again.';
  expect(explainStart(new Error('Connection is closed.'))).toBe(closed);
});

test('[R29] an engine that never answered has its own sentence, and a fault keeps its stack', () => {
  expect(explainStart(new EngineAway('MongoDB does not answer.', { cause: lost }))).toBe('MongoDB does not answer.');
  const full = Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC', syscall: 'write' });
  expect(explainStart(full)).toMatch(/^Error: ENOSPC: no space left on device, write\n\s+at /);
  expect(explainStart(new TypeError('no such part'))).toMatch(/^TypeError: no such part\n\s+at /);
});
