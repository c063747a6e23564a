import { existsSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { bareMachine, companionsOf, fakeProgram, refusal, start, temporaryDir } from './house.ts';

const VERSION = 'if [ "$1" = --version ]; then echo "db version v7.0.5"; exit 0; fi';

test('[E7] a missing program is named, and a failed start leaves nothing behind', async () => {
  const dataDir = temporaryDir();
  expect(await refusal({ dataDir, mongodBin: '/nowhere/mongod' })).toBe(
    'MONGOD_BIN cannot be used: /nowhere/mongod does not exist, or this user may not run it.',
  );
  expect(await refusal({ dataDir, redisBin: '/nowhere/redis-server' })).toMatch(/^REDIS_BIN cannot be used: /);
  expect(existsSync(join(dataDir, 'engines.lock'))).toBe(false);
  await start({ dataDir });
});

test('[E7] a program that is too old is reported as such', async () => {
  const dataDir = temporaryDir();
  const mongodBin = fakeProgram(dataDir, 'mongod', 'echo "db version v4.4.2"');
  expect(await refusal({ dataDir, mongodBin })).toContain('is version 4.4.2, but 6.0 or newer is needed.');
});

test('[E7] a missing library is named with the command that installs it', async () => {
  const dataDir = temporaryDir();
  const complaint = 'error while loading shared libraries: libcurl.so.4: cannot open shared object file: No such file';
  const mongodBin = fakeProgram(dataDir, 'mongod', `echo "$0: ${complaint}" >&2; exit 127`);
  const sentence = await refusal({ dataDir, mongodBin, env: bareMachine(dataDir) });
  expect(sentence).toContain(`${mongodBin} needs the library libcurl.so.4, which is not installed. Run `);
  expect(sentence).toContain('"apt-get install -y --no-install-recommends libcurl4" as root and start again.');
});

test('[E7] a full disk is reported as such', async () => {
  const dataDir = temporaryDir();
  const mongodBin = fakeProgram(dataDir, 'mongod', `${VERSION}; echo 'pwrite: "No space left on device"'; exit 100`);
  const disk = join(dataDir, 'mongo');
  expect(await refusal({ dataDir, mongodBin })).toBe(`The disk with ${disk} is full. Free some space.`);
  expect(companionsOf(dataDir)).toEqual([]);
});

test('[E7] a data directory that cannot be used is reported as such', async () => {
  const file = join(temporaryDir(), 'file');
  writeFileSync(file, '');
  expect(await refusal({ dataDir: join(file, 'data') })).toContain('is a file, not a directory');
  // Node's own way to create a folder with its parents never ends there.
  expect(await refusal({ dataDir: '/proc/none/data' })).toContain('No folder can be created at /proc/none.');
  const link = join(temporaryDir(), 'volume');
  symlinkSync('/no/such/volume', link);
  for (const dataDir of [link, join(link, 'data')]) {
    expect(await refusal({ dataDir })).toContain(`${link} is a symbolic link to nothing`);
  }
});
