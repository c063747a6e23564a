import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { cacheDirOf } from '../../../src/embedded/programs/cache.ts';
import { findValhalla } from '../../../src/embedded/programs/find-valhalla.ts';
import { buildConfig } from '../../../src/embedded/streets/valhalla-config.ts';
import { until } from '../../until.ts';
import { bareMachine, fakeProgram, temporaryDir } from '../house.ts';
import { EXTRACT, fakeValhalla, openStreets, partsOf, processesIn, streetsDir, tilesIn } from './streets-house.ts';

test('[E14] tiles of which one is missing are built again, and an extract that is the same is not', async () => {
  const dataDir = streetsDir();
  const home = join(dataDir, 'streets');
  const valhallaBin = fakeValhalla('exec sleep 600');
  const build = async () => {
    const streets = openStreets({ dataDir, valhallaBin });
    await until(() => partsOf(dataDir).some(({ name }) => name === 'valhalla'));
    await streets.stop();
    return streets.said.some((line) => line.includes('building tiles'));
  };
  expect([await build(), await build()]).toEqual([true, false]);
  const [tiles = ''] = tilesIn(dataDir);
  rmSync(join(home, tiles, '0.gph'));
  expect(await build()).toBe(true);
  expect(readdirSync(join(home, tiles)).toSorted()).toEqual(['0.gph', 'tiles.json']);
  // Other options give other tiles, so the name of the folder depends on them.
  const { hash } = JSON.parse(readFileSync(join(home, 'extract.json'), 'utf8')) as { hash: string };
  const cause = createHash('sha256').update(hash + JSON.stringify(buildConfig('')));
  expect(tiles).toBe(`tiles-${cause.digest('hex').slice(0, 32)}-3.9.1`);
});

test('[E15] a build that fails leaves nothing behind, and one sentence gives the reason', async () => {
  const dataDir = streetsDir();
  const bin = temporaryDir();
  fakeProgram(bin, 'valhalla_service', 'echo 3.9.1');
  fakeProgram(bin, 'valhalla_build_tiles', 'echo "  what():  PBF error: no memory" >&2; exit 134');
  const { said } = openStreets({ dataDir, valhallaBin: join(bin, 'valhalla_service') });
  await until(() => said.length === 2);
  expect(said[1]).toBe(
    `Streets: The tiles of ${EXTRACT} could not be built (PBF error: no memory). See ${dataDir}/streets/build.log. ` +
      'Distances are estimates until then. The server tries again after a minute, and then after pauses that grow to an hour.',
  );
  await until(() => partsOf(dataDir).length === 0);
  expect(tilesIn(dataDir)).toEqual([]);
});

test('[E15] an extract without streets is refused', async () => {
  const dataDir = streetsDir();
  const bin = temporaryDir();
  fakeProgram(bin, 'valhalla_service', 'echo 3.9.1');
  fakeProgram(bin, 'valhalla_build_tiles', 'exit 0');
  const { said } = openStreets({ dataDir, valhallaBin: join(bin, 'valhalla_service') });
  await until(() => said.length === 2);
  expect(said[1]).toContain('The extract contains no streets.');
  expect(tilesIn(dataDir)).toEqual([]);
});

test('[E15] a wrong file is refused before anything is fetched', async () => {
  const dataDir = streetsDir();
  const file = join(dataDir, 'city.osm.pbf');
  writeFileSync(file, '<html>');
  const { said } = openStreets({ dataDir, file, env: bareMachine(dataDir) });
  await until(() => said.length === 1);
  expect(said[0]).toContain(`Streets: ${file} is not an OpenStreetMap extract.`);
});

test('[E15] without Valhalla and without downloads, one sentence says what to do', async () => {
  const dataDir = streetsDir();
  const { said } = openStreets({ dataDir, env: bareMachine(dataDir) });
  await until(() => said.length === 1);
  for (const part of ['PATH', 'VALHALLA_BIN', 'TRAVEL_ROUTER_URL', 'downloads', 'Python with pip', 'estimates']) {
    expect(said[0]).toContain(part);
  }
});

test('[E8] Valhalla on PATH is used before any download, if both of its programs are there', async () => {
  const [home, bin] = [temporaryDir(), temporaryDir()];
  const env = bareMachine(home, bin);
  const search = { env, cacheDir: cacheDirOf(env), say: () => {} };
  const service = fakeProgram(bin, 'valhalla_service', 'echo 3.9.4');
  await expect(findValhalla(search)).rejects.toThrow('valhalla_build_tiles is not beside it');
  const builder = fakeProgram(bin, 'valhalla_build_tiles', '');
  expect(await findValhalla(search)).toEqual({ bin: service, builder, via: 'PATH', version: '3.9.4' });
  fakeProgram(bin, 'valhalla_service', 'echo 3.5.1');
  // The next way is tried, and here it fails too.
  await expect(findValhalla(search)).rejects.toThrow(/is version 3\.5\.1, but 3\.9 is needed\. .*PyPI/);
  expect(await findValhalla({ ...search, bin: service })).toMatchObject({ via: 'VALHALLA_BIN', version: '3.5.1' });
});

test('[E19] a Valhalla that cannot be recorded is stopped before the next one starts', async () => {
  const dataDir = streetsDir();
  // The service cannot be written into the lock, because the new lock is below a file.
  const spoil = 'until grep -q builder engines.lock; do sleep 0.02; done; ln -s engines.lock/x engines.lock.new';
  const { said } = openStreets({ dataDir, valhallaBin: fakeValhalla('exec sleep 600', spoil) });
  await until(() => said.length === 3);
  expect(said[2]).toMatch(/is a file, not a directory\. .* It starts again in 1 s\.$/);
  expect(processesIn(join(dataDir, 'streets'))).toEqual([]);
});
