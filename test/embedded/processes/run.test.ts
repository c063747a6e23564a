import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { withFewFiles } from '../../few-files.ts';

const PROCESSES = new URL('../../../src/embedded/processes/', import.meta.url);

test('[O90] a program that cannot be started because no file can be opened is a failure and ends no process', async () => {
  const child = withFewFiles(`
    import { run } from '${new URL('run.ts', PROCESSES).href}';
    import { startWatchdog } from '${new URL('watchdog.ts', PROCESSES).href}';
    fill();
    const outcome = await run('true', [], { env: {} });
    const watchdog = startWatchdog({});
    watchdog.guard({ pid: 1, start: 'never' });
    await watchdog.stop();
    free();
    const { code } = await run('/bin/true', [], { env: {} });
    console.log(JSON.stringify([outcome, watchdog.ref, code]));
  `);
  const [printed, complaints] = await Promise.all([text(child.stdout), text(child.stderr)]);
  expect(complaints).toBe('');
  const failed = { code: null, signal: null, stdout: '', stderr: 'spawn true EMFILE' };
  expect(JSON.parse(printed)).toEqual([failed, null, 0]);
});
