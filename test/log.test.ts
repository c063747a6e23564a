import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';

const SCRIPT = `
  import { createLifeLog, createLog } from './src/log.ts';
  const [log, life] = [createLog('info'), createLifeLog()];
  life.warn({}, 'the disk is full');
  for (let line = 0; line < 3; line += 1) {
    log.warn({ line }, 'the disk is full');
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  console.log('alive');
  process.exit(0);
`;

test('[O93] a log that cannot be written does not end the process', async () => {
  // Each write to this device fails, as on a full disk.
  const full = openSync('/dev/full', 'w');
  const child = spawn(process.execPath, ['--input-type=module', '-e', SCRIPT], { stdio: ['ignore', 'pipe', full] });
  closeSync(full);
  const [said] = await Promise.all([child.stdout === null ? '' : text(child.stdout), once(child, 'close')]);
  expect([said, child.exitCode]).toEqual(['alive\n', 0]);
});
