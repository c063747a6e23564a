import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { parseOptions as parsePings } from '../../load-tests/bench-pings.ts';
import { parseOptions as parseRegion } from '../../load-tests/bench-region.ts';
import { parseOptions as parseSolver } from '../../load-tests/bench-solver.ts';
import { parseOptions } from '../../load-tests/simulate/options.ts';
import { settingsOf } from '../../load-tests/servers/server-settings.ts';
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
  ['chaos-engines', 'npm run chaos:engines'],
  ['bench-region', 'npm run bench:region'],
  ['bench-pings', 'npm run bench:pings'],
  ['bench-solver', 'npm run bench:solver'],
])('[Y12] %s prints its options for --help and for a wrong option', async (command, usage) => {
  const asked = await start(command, '--help');
  expect([asked.stdout.startsWith(usage), asked.stderr]).toEqual([true, '']);
  await expect(start(command, '--nonsense')).rejects.toMatchObject({
    code: 1,
    stdout: '',
    stderr: expect.stringMatching(new RegExp(`nonsense[^]*\n\n${usage}`)) as string,
  });
});

test('[Y12] the numbers of a bench are read, and an invalid number is refused with a sentence', () => {
  expect(parseRegion(['--couriers', '10,2000', '--runs', '3'])).toEqual({
    couriers: [10, 2000],
    deliveries: [50, 660],
    runs: 3,
    fixSeconds: 4,
    json: null,
  });
  expect(parsePings(['--rates', '500', '--json', 'a'])).toMatchObject({ rates: [500], couriers: 1000, json: 'a' });
  for (const [parse, name, value] of [
    [parseRegion, 'runs', '0'],
    [parseRegion, 'fix-seconds', '61'],
    [parseRegion, 'couriers', '1000,'],
    [parseRegion, 'deliveries', '50;660'],
    [parsePings, 'couriers', '1.5'],
    [parsePings, 'repeats', 'many'],
    [parsePings, 'seconds', ''],
    [parsePings, 'rates', '2000,0'],
    [parseSolver, 'repeats', '10001'],
  ] as const) {
    expect(() => parse([`--${name}`, value])).toThrow(new RegExp(`^--${name} must be (a )?whole numbers? from 1 to `));
  }
});

test('[Y32] settings are passed to the servers by name, and those that no server would accept are refused', () => {
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
  expect(refusal('DISPATCH_PERIOD_MS=2000', '--base-url', 'http://x')).toThrow('--set needs servers of the run');
});
