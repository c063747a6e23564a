import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { userInfo } from 'node:os';
import { expect, test } from 'vitest';
import { operatorName } from '../../../src/process/operator/operator-name.ts';

const SCRIPT = `
  import { operatorName } from './src/process/operator/operator-name.ts';
  process.setuid(54321);
  console.log(operatorName());
`;

test('[H380] the audit log names the user who runs a command', () => {
  expect(operatorName()).toBe(userInfo().username);
});

test.runIf(process.getuid?.() === 0)('[H380] a user who has a number and no name can run commands', async () => {
  const child = spawn(process.execPath, ['--input-type=module', '-e', SCRIPT], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  expect(await text(child.stdout)).toBe('uid-54321\n');
});
