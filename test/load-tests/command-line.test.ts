import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { parseOptions } from '../../load-tests/simulate/options.ts';
import { settingsOf } from '../../load-tests/simulate/server-settings.ts';
import { ENVIRONMENT } from '../environment.ts';

const run = promisify(execFile);

function start(command: string, ...args: string[]) {
  const path = join(import.meta.dirname, '../../load-tests', `${command}.ts`);
  return run(process.execPath, [path, ...args], { env: { ...ENVIRONMENT } });
}

test.each([
  ['simulate', 'npm run simulate -- DAY'],
  ['make-day', 'npm run make-day -- --out DIR'],
  ['chaos-dispatch', 'npm run chaos:dispatch'],
])(
  '[Y12] %s tells its options when asked, and with a wrong one as well',
  async (command, usage) => {
    const asked = await start(command, '--help');
    expect([asked.stdout.startsWith(usage), asked.stderr]).toEqual([true, '']);
    await expect(start(command, '--nonsense')).rejects.toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(new RegExp(`nonsense[^]*\n\n${usage}`)) as string,
    });
  },
  30_000,
);

test('[Y32] settings are handed to the servers by name, and those that no server would take are refused', () => {
  const set = ['--set', 'DISPATCH_IDLE_CREDIT_MS=0', '--set', 'SEARCH_ALARM_AFTER_MS=120000'];
  const options = parseOptions(['day', ...set]);
  expect(options.set).toEqual({ DISPATCH_IDLE_CREDIT_MS: '0', SEARCH_ALARM_AFTER_MS: '120000' });
  expect(settingsOf(options.set)).toMatchObject({
    dispatch: { idleCreditMs: 0, periodMs: 5000 },
    search: { alarmAfterMs: 120_000 },
  });
  const refusal =
    (pair: string, ...more: string[]) =>
    () =>
      parseOptions(['day', '--set', pair, ...more]);
  expect(refusal('DISPATCH_IDLE=0')).toThrow('--set DISPATCH_IDLE: no such setting');
  expect(refusal('DISPATCH_IDLE_CREDIT_MS=many')).toThrow(/^--set DISPATCH_IDLE_CREDIT_MS: .*number/);
  expect(refusal('CLOCK_SCALE=3')).toThrow('--set CLOCK_SCALE: the simulation sets it itself');
  expect(refusal('dispatch')).toThrow('--set needs NAME=VALUE');
  expect(refusal('DISPATCH_PERIOD_MS=2000', '--base-url', 'http://x')).toThrow('--set needs servers of our own');
});
