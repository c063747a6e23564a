import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { until } from './until.ts';

/** A process whose log is on a device that refuses each write, as a full disk does. */
const FULL = `
  import fs from 'node:fs';
  import { createLifeLog, createLog } from './src/log.ts';
  const { write } = fs;
  let failed = 0;
  fs.write = (...given) => {
    const done = given.pop();
    write(...given, (error, bytes) => (done(error, bytes), (failed += error === null ? 0 : 1)));
  };
  const [log, life] = [createLog('info'), createLifeLog()];
  life.warn({}, 'the disk is full');
  for (let line = 1; line <= 3; line += 1) {
    log.warn({ line }, 'the disk is full');
    while (failed < line) await new Promise(setImmediate);
  }
  console.log('alive');
  process.exit(0);
`;

/** A process whose disk is full until more lines than may wait were written. Then it writes until it is told to end. */
const FULL_FOR_LONG = `
  import fs from 'node:fs';
  import { createLog } from './src/log.ts';
  const { write } = fs;
  fs.write = (...given) => setImmediate(given.at(-1), Object.assign(new Error('no space'), { code: 'ENOSPC' }));
  const log = createLog('info');
  // The lines become shorter, until not even the shortest one fits.
  for (let length = 1024 * 1024; length >= 1; length /= 2) {
    for (let line = 0; line < 10; line += 1) {
      log.warn({ line, long: 'x'.repeat(length) }, 'the disk is full');
      await new Promise(setImmediate);
    }
  }
  fs.write = write;
  setInterval(() => log.warn({}, 'there is room again'), 10);
  process.stdin.once('end', () => process.exit(0)).resume();
`;

const argumentsOf = (script: string): string[] => ['--input-type=module', '-e', script];

test('[O93] output for people that cannot be written does not end the process either', async () => {
  const script = `
    import { createVoice } from './src/process/voice.ts';
    const voice = createVoice(false);
    voice.say('the disk is full');
    voice.failed('the disk is full');
    setImmediate(() => setImmediate(() => process.exit(7)));
  `;
  const full = openSync('/dev/full', 'w');
  const child = spawn(process.execPath, argumentsOf(script), { stdio: ['ignore', full, full] });
  closeSync(full);
  await once(child, 'close');
  expect(child.exitCode).toBe(7);
});

test('[O93] a log that cannot be written does not end the process', async () => {
  const full = openSync('/dev/full', 'w');
  const child = spawn(process.execPath, argumentsOf(FULL), { stdio: ['ignore', 'pipe', full] });
  closeSync(full);
  const [said] = await Promise.all([child.stdout === null ? '' : text(child.stdout), once(child, 'close')]);
  expect([said, child.exitCode]).toEqual(['alive\n', 0]);
});

test('[O93] lines are written again after a full disk has room, however many lines there were meanwhile', async () => {
  const child = spawn(process.execPath, argumentsOf(FULL_FOR_LONG), { stdio: ['pipe', 'ignore', 'pipe'] });
  let written = '';
  child.stderr.setEncoding('utf8').on('data', (lines: string) => (written += lines));
  await until(() => written.includes('there is room again') || child.exitCode !== null, 20_000);
  child.stdin.end();
  await once(child, 'close');
  expect(child.exitCode).toBe(0);
  expect(written).toContain('"line":0');
});
