/** A server waits some seconds before it takes the lock of a server that it cannot see. */
import { statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { beat } from '../../../src/embedded/processes/heartbeat.ts';
import { takeLock } from '../../../src/embedded/processes/lock.ts';
import { isRunning } from '../../../src/embedded/processes/processes.ts';
import { until } from '../../until.ts';
import { temporaryDir } from '../house.ts';
import { abandon, holderOf, someProcess } from './lock-house.ts';

test('[E3] a directory that a server of another container uses is refused, until that server has ended', async () => {
  const dataDir = temporaryDir();
  const path = join(dataDir, 'engines.lock');
  const started = await someProcess();
  // There this pid is that of a running server. Here it is that of another process, which nobody may stop.
  const elsewhere = { ...started, space: 'another machine', host: 'shop-2' };
  abandon(dataDir, elsewhere, [{ ...started, name: 'mongod' }]);
  const rest = beat(path, () => true);
  await expect(takeLock(dataDir)).rejects.toThrow(/another machine or container \(shop-2\) already uses .* DATA_DIR/);
  rest();
  const lock = await takeLock(dataDir);
  expect([holderOf(dataDir), isRunning(started)]).toEqual([process.pid, true]);
  // This server touches its own lock.
  const { mtimeMs } = statSync(path);
  await until(() => statSync(path).mtimeMs > mtimeMs);
  lock.release();
});

test('[E3] a server that is about to take over from another container is waited for', async () => {
  const dataDir = temporaryDir();
  abandon(dataDir, { pid: 999_999_999, start: '1' }, []);
  const claim = join(dataDir, 'engines.lock.next');
  const heir = { pid: process.pid, start: '1', space: 'another machine', host: 'shop-2', companions: [] };
  writeFileSync(claim, JSON.stringify(heir));
  const rest = beat(claim, () => true);
  const taking = takeLock(dataDir);
  for (let touches = 0; touches < 2; touches += 1) {
    const { mtimeMs } = statSync(claim);
    await until(() => statSync(claim).mtimeMs > mtimeMs);
  }
  rest();
  const lock = await taking;
  expect(holderOf(dataDir)).toBe(process.pid);
  lock.release();
});
