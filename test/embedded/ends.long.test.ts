import { mkdirSync, readdirSync, readlinkSync, rmdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Companion } from '../../src/embedded/processes/lock.ts';
import { isRunning } from '../../src/embedded/processes/processes.ts';
import { until } from '../until.ts';
import { startWorkClock } from '../work-clock.ts';
import { askRedis, companionsOf, isAnyRunning, runningServer, start, temporaryDir } from './house.ts';

test('[E4] a stop ends both engines and the watchdog, and frees the directory', async () => {
  const dataDir = temporaryDir();
  const engines = await start({ dataDir });
  const companions = companionsOf(dataDir);
  expect(companions.map(({ name }) => name).toSorted()).toEqual(['mongod', 'redis', 'watchdog']);
  await Promise.all([engines.stop(), engines.stop()]);
  expect(isAnyRunning(companions)).toBe(false);
  expect(companionsOf(dataDir)).toEqual([]);
});

test('[E5] the engines of a killed server end within 3 s, and the next start works', async () => {
  const dataDir = temporaryDir();
  const { child } = await runningServer(dataDir);
  const companions = companionsOf(dataDir);
  expect(companions).toHaveLength(3);
  const workedMs = await startWorkClock();
  child.kill('SIGKILL');
  await until(() => !isAnyRunning(companions));
  expect(workedMs()).toBeLessThan(3_000);
  await start({ dataDir });
});

test('[E5] if the watchdog is killed as well, the next start stops the engines', async () => {
  const dataDir = temporaryDir();
  const { child } = await runningServer(dataDir);
  const companions = companionsOf(dataDir);
  const watchdogs = companions.filter(({ name }) => name === 'watchdog');
  for (const { pid } of watchdogs) process.kill(pid, 'SIGKILL');
  // A signal takes a moment to have an effect.
  await until(() => !isAnyRunning(watchdogs));
  child.kill('SIGKILL');
  await until(() => child.signalCode !== null);
  expect(companions.filter(isRunning)).toHaveLength(2);
  await start({ dataDir });
  expect(isAnyRunning(companions)).toBe(false);
});

test('[E6] Ctrl-C reaches only the server, so that it can finish first', async () => {
  const dataDir = temporaryDir();
  const server = await runningServer(dataDir, 'drain');
  const companions = companionsOf(dataDir);
  // Like a terminal, this signals every process of the foreground group.
  process.kill(-(server.child.pid ?? 0), 'SIGINT');
  await until(() => server.printed().includes('draining'));
  const redisUrl: string = JSON.parse(server.printed().split('\n')[0] ?? '{}').redisUrl;
  expect(await askRedis(redisUrl, (redis) => redis.ping())).toBe('PONG');
  expect(companions.every(isRunning)).toBe(true);
});

test.each(['mongod', 'redis'])('[R25] a killed %s of the server is started again, and a stop ends it', async (name) => {
  const dataDir = temporaryDir();
  const lines: string[] = [];
  const engines = await start({ dataDir, warn: (line) => void lines.push(line) });
  const engineOf = (): Companion | undefined => companionsOf(dataDir).find((one) => one.name === name);
  const { pid } = engineOf()!;
  process.kill(pid, 'SIGKILL');
  await until(() => lines.length === 2);
  expect(lines).toEqual([
    expect.stringMatching(/ ended \(signal SIGKILL\)\. See its log .+ The server starts \w+ again, after pauses /),
    expect.stringMatching(/^(MongoDB|Redis) runs again, after \d+\.\d s\.$/),
  ]);
  expect(engineOf()?.pid).not.toBe(pid);
  const companions = companionsOf(dataDir);
  await engines.stop();
  expect(isAnyRunning(companions)).toBe(false);
});

/** How many processes work in this folder. */
function countIn(folder: string): number {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return pids.filter((pid) => {
    try {
      return readlinkSync(`/proc/${pid}/cwd`) === folder;
    } catch {
      // It has ended meanwhile.
      return false;
    }
  }).length;
}

test('[R26] a Redis that was started but cannot be recorded is stopped before the next try', async () => {
  const dataDir = temporaryDir();
  const lines: string[] = [];
  await start({ dataDir, warn: (line) => void lines.push(line) });
  // As on a full disk, the lock cannot be written.
  mkdirSync(join(dataDir, 'engines.lock.new'));
  process.kill(companionsOf(dataDir).find(({ name }) => name === 'redis')!.pid, 'SIGKILL');
  await until(() => lines.length === 2);
  expect(lines[1]).toMatch(/^Redis did not start again: /);
  rmdirSync(join(dataDir, 'engines.lock.new'));
  await until(() => lines.length === 3);
  expect(countIn(join(dataDir, 'redis'))).toBe(1);
});
