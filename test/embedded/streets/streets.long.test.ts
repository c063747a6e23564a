import { copyFileSync, existsSync, mkdirSync, readdirSync, renameSync, rmdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { isRunning } from '../../../src/embedded/processes/processes.ts';
import { cacheDirOf } from '../../../src/embedded/programs/cache.ts';
import { findValhalla } from '../../../src/embedded/programs/find-valhalla.ts';
import { ENVIRONMENT } from '../../environment.ts';
import { until } from '../../until.ts';
import { startWorkClock } from '../../work-clock.ts';
import {
  addressOf,
  EXTRACT,
  fakeValhalla,
  openStreets,
  partsOf,
  streetsDir,
  streetsProcess,
  tilesIn,
  valhallaOf,
  wayKm,
} from './streets-house.ts';

const linesOf = (text: string): string[] => text.trim().split('\n');

test('[E17] a Valhalla that ends starts again, after waits that grow', async () => {
  const dataDir = streetsDir();
  const streets = openStreets({ dataDir });
  for (const waitS of [1, 2]) {
    await addressOf(streets);
    const { pid } = valhallaOf(dataDir);
    process.kill(pid, 'SIGKILL');
    // A dead engine has no address.
    await until(() => streets.url() === null);
    expect(streets.said.at(-1)).toMatch(new RegExp(`ended \\(signal SIGKILL\\).* It starts again in ${waitS} s\\.$`));
    expect(await wayKm(await addressOf(streets))).toBeGreaterThan(3);
    expect(valhallaOf(dataDir).pid).not.toBe(pid);
  }
});

test('[E17] a Valhalla that freezes is stopped and starts again', async () => {
  const dataDir = streetsDir();
  const streets = openStreets({ dataDir });
  await addressOf(streets);
  const frozen = valhallaOf(dataDir);
  process.kill(frozen.pid, 'SIGSTOP');
  await until(() => streets.url() === null, 120_000);
  // Its address goes first, and then it is killed.
  await until(() => !isRunning(frozen));
  expect(await wayKm(await addressOf(streets))).toBeGreaterThan(3);
});

test('[E19] a Valhalla that never answers is stopped, although another process answers on its port', async () => {
  const dataDir = streetsDir();
  const other = `
    const parent = process.ppid;
    setInterval(() => process.ppid === parent || process.exit(), 100);
    const port = Number(/127.0.0.1:(\\d+)/.exec(require('fs').readFileSync('service.json', 'utf8'))[1]);
    require('http').createServer((_, response) => response.end('{}')).listen(port, '127.0.0.1');`;
  const service = `"${process.execPath}" -e "${other}" & exec sleep 600`;
  const { said } = openStreets({ dataDir, valhallaBin: fakeValhalla(service) });
  await until(() => partsOf(dataDir).some(({ name }) => name === 'valhalla'));
  const silent = valhallaOf(dataDir);
  await until(() => said.some((line) => line.includes('did not answer within 30 s')), 120_000);
  expect(isRunning(silent)).toBe(false);
});

test('[E18] processes of one data directory share a Valhalla, and another one takes over', async () => {
  const dataDir = streetsDir();
  const leader = streetsProcess(dataDir);
  await until(() => leader.printed().includes('http'));
  const other = openStreets({ dataDir });
  expect(await addressOf(other)).toBe(linesOf(leader.printed())[0]);
  expect(other.said).toEqual([`Streets: the engine of process ${leader.child.pid} finds routes.`]);
  const parts = partsOf(dataDir);
  expect(parts).toHaveLength(2);
  leader.child.kill('SIGKILL');
  await until(() => !parts.some(isRunning));
  await until(() => other.said.some((line) => line.includes('Valhalla finds routes')));
  expect(await wayKm(await addressOf(other))).toBeGreaterThan(3);
});

test('[E16] the Valhalla of a killed server ends within 3 s', async () => {
  const dataDir = streetsDir();
  const server = streetsProcess(dataDir);
  await until(() => server.printed().includes('http'));
  const valhalla = valhallaOf(dataDir);
  const workedMs = await startWorkClock();
  server.child.kill('SIGKILL');
  await until(() => !isRunning(valhalla));
  expect(workedMs()).toBeLessThan(3_000);
});

test('[E14] a build that was killed begins anew', async () => {
  const dataDir = streetsDir();
  const killed = streetsProcess(dataDir);
  await until(() => partsOf(dataDir).some(({ name }) => name === 'builder'));
  killed.child.kill('SIGKILL');
  const next = openStreets({ dataDir });
  expect(await wayKm(await addressOf(next))).toBeGreaterThan(3);
  expect(readdirSync(join(dataDir, 'streets')).filter((name) => name.startsWith('building'))).toEqual([]);
});

test('[E20] streets that failed are tried again after a minute', async () => {
  const dataDir = streetsDir();
  const file = join(dataDir, 'city.osm.pbf');
  const streets = openStreets({ dataDir, file });
  await until(() => streets.said.length === 1);
  expect(streets.said[0]).toContain('does not exist.');
  copyFileSync(EXTRACT, file);
  await until(() => streets.url() !== null, 120_000);
});

test('[E13] streets are built once, found on this machine alone, and stopped with all their processes', async () => {
  const dataDir = streetsDir();
  const first = openStreets({ dataDir });
  expect(first.url()).toBeNull();
  const url = await addressOf(first);
  expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  // The straight line has 3.0 km.
  expect(await wayKm(url)).toBeGreaterThan(3.05);
  expect(await wayKm(url)).toBeLessThan(6);
  const lines = first.said.filter((line) => !line.startsWith('Fetching'));
  expect(lines[0]).toBe(`Streets: building tiles of ${EXTRACT}. This happens once for each file.`);
  expect(lines[1]).toMatch(/^Streets: built the tiles in [\d.]+ s\.$/);
  expect(lines[2]).toMatch(/^Streets: Valhalla finds routes, after [\d.]+ s\.$/);
  const parts = partsOf(dataDir);
  expect(parts.map(({ name }) => name).toSorted()).toEqual(['valhalla', 'watchdog']);
  expect(statSync(join(dataDir, 'streets')).mode & 0o777).toBe(0o700);
  await Promise.all([first.stop(), first.stop()]);
  expect(first.url()).toBeNull();
  expect(parts.filter(isRunning)).toEqual([]);

  const second = openStreets({ dataDir });
  await addressOf(second);
  expect(second.said.filter((line) => line.includes('building'))).toEqual([]);
});

test('[E14] tiles that were not finished are never used, and those of another file are removed', async () => {
  const dataDir = streetsDir();
  for (const name of ['building-killed', 'tiles-of-another-file']) {
    mkdirSync(join(dataDir, 'streets', name), { recursive: true });
  }
  const streets = openStreets({ dataDir });
  await addressOf(streets);
  const [tiles = '', ...others] = tilesIn(dataDir);
  expect(others).toEqual([]);
  expect(tiles).toMatch(/^tiles-[0-9a-f]{32}-\d+\.\d+\.\d+$/);
});

test('[E10] the package of Valhalla is kept in the cache of this user', async () => {
  const search = { env: ENVIRONMENT, cacheDir: cacheDirOf(ENVIRONMENT), say: () => {} };
  const { bin, builder } = await findValhalla(search);
  expect([bin, builder].every(existsSync)).toBe(true);
});

test('[E20] a process whose streets fail uses those of another process', async () => {
  const dataDir = streetsDir();
  const failed = openStreets({ dataDir, file: join(dataDir, 'none.osm.pbf') });
  await until(() => failed.said.length === 1);
  expect(failed.said[0]).toContain('none.osm.pbf does not exist.');
  const other = openStreets({ dataDir });
  expect(await addressOf(failed)).toBe(await addressOf(other));
  await other.stop();
  await until(() => failed.url() === null);
});

test('[E20] a process that cannot look for the engine has no address, and looks again', async () => {
  const dataDir = streetsDir();
  const lock = join(dataDir, 'streets', 'engines.lock');
  const url = await addressOf(openStreets({ dataDir }));
  const follower = openStreets({ dataDir });
  await addressOf(follower);
  renameSync(lock, `${lock}.kept`);
  mkdirSync(lock);
  await until(() => follower.url() === null);
  expect(follower.said.at(-1)).toMatch(/EISDIR.* Distances are estimates until then\./);
  rmdirSync(lock);
  renameSync(`${lock}.kept`, lock);
  expect(await addressOf(follower)).toBe(url);
});
