import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { beat } from '../../../src/embedded/processes/heartbeat.ts';
import { takeLock } from '../../../src/embedded/processes/lock.ts';
import { isRunning, refOf } from '../../../src/embedded/processes/processes.ts';
import { until } from '../../until.ts';
import { temporaryDir } from '../house.ts';
import { abandon, holderOf, someProcess } from './lock-house.ts';

test('[E5] the lock of a dead server is taken over, even if another process now has its pid', async () => {
  const dataDir = temporaryDir();
  const { pid } = await someProcess();
  abandon(dataDir, { pid, start: 'long ago' }, []);
  const lock = await takeLock(dataDir);
  lock.release();
  expect(existsSync(join(dataDir, 'engines.lock'))).toBe(false);
});

test('[E5] only processes that a dead server really started are stopped', async () => {
  const dataDir = temporaryDir();
  const [left, stranger] = await Promise.all([someProcess(), someProcess()]);
  abandon(dataDir, { pid: 999_999_999, start: '1' }, [
    { ...left, name: 'redis' },
    { pid: stranger.pid, start: 'long ago', name: 'mongod' },
  ]);
  const lock = await takeLock(dataDir);
  expect(isRunning(left)).toBe(false);
  expect(isRunning(stranger)).toBe(true);
  lock.release();
});

test('[E5] a lock that a full disk has cut short has no owner', async () => {
  const dataDir = temporaryDir();
  writeFileSync(join(dataDir, 'engines.lock'), '{"pid": 1');
  const lock = await takeLock(dataDir);
  expect(holderOf(dataDir)).toBe(process.pid);
  lock.release();
});

test('[E5] a server that died while it took over the lock does not delay the next one', async () => {
  const dataDir = temporaryDir();
  abandon(dataDir, { pid: 999_999_999, start: '1' }, []);
  writeFileSync(join(dataDir, 'engines.lock.next'), JSON.stringify({ pid: 999_999_998, start: '1', companions: [] }));
  const lock = await takeLock(dataDir);
  expect(holderOf(dataDir)).toBe(process.pid);
  lock.release();
});

test('[E3] one server at a time owns the lock, also within one process', async () => {
  const dataDir = temporaryDir();
  const lock = await takeLock(dataDir);
  await expect(takeLock(dataDir)).rejects.toThrow('already uses the data directory');
  lock.release();
  const again = await takeLock(dataDir);
  again.release();
});

test('[E3] a server that lost its lock while it stood still leaves that of its successor alone', async () => {
  const dataDir = temporaryDir();
  const path = join(dataDir, 'engines.lock');
  const lock = await takeLock(dataDir);
  const successor = { pid: 1, start: '1', space: 'another machine', host: 'shop-2' };
  abandon(dataDir, successor, []);
  const started = await someProcess();
  expect(() => lock.record({ ...started, name: 'redis' })).toThrow(/\(shop-2\) already uses/);
  lock.release();
  expect(readFileSync(path, 'utf8')).toContain('shop-2');
  const { mtimeMs } = statSync(path);
  let looks = 0;
  const rest = beat(path, () => {
    looks += 1;
    return false;
  });
  await until(() => looks > 1);
  rest();
  expect(statSync(path).mtimeMs).toBe(mtimeMs);
});

test('[E5] a process that has ended is not running, even if its parent has not collected it', async () => {
  const child = spawn(process.execPath, ['--eval', ''], { stdio: 'ignore' });
  await once(child, 'spawn');
  const ended = once(child, 'exit');
  await until(() => refOf(child.pid ?? 0) === null);
  await ended;
  expect(child.exitCode).toBe(0);
});
