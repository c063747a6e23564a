import { dirname, join } from 'node:path';
import type { Search } from './apt.ts';
import { forgetFailures } from './cache.ts';
import { EngineError } from '../processes/engine-error.ts';
import { fetchWheel, programOf, type Wheel } from './fetch-wheel.ts';
import { probe, probeNamed, type Found, type Tried } from './probe.ts';
import { findOnPath, isProgram } from '../processes/run.ts';

const OLDEST = 3;
/** The configurations that we write were tried with these releases. Others may not start with them. */
const TRIED = /^3\.9\./;
const BUILDER = 'valhalla_build_tiles';

export const VALHALLA_WHEEL: Wheel = {
  name: 'pyvalhalla',
  version: '3.9.1',
  sha256: '7b49c5e5f86cefd555b473aaaf34df3305889d30aa889b8abd3b4c2acc622271',
  // Its programs need no Python, so one file serves every version.
  pipArgs: ['--python-version=312', '--implementation=cp', '--abi=abi3', '--platform=manylinux_2_28_x86_64'],
  program: 'valhalla/bin/valhalla_service',
  beside: [`valhalla/bin/${BUILDER}`],
};

/** Valhalla's service, and the program beside it that builds the tiles for it. */
export type FoundValhalla = Found & { readonly builder: string };

/**
 * Finds Valhalla: the one that the user named, one on PATH of a release that was tried, one fetched earlier, or the one in a
 * PyPI package.
 * @throws EngineError with the reason of every failure if all ways fail
 */
export async function findValhalla(search: Search): Promise<FoundValhalla> {
  if (search.bin !== undefined) return withBuilder(await probeNamed(search.bin, 'VALHALLA_BIN', OLDEST, search));
  const problems: string[] = [];
  for (const way of [onPath, fetchedEarlier, wheel]) {
    const found = await way(search);
    if (found === null) continue;
    if ('bin' in found) return withBuilder(found);
    problems.push(found.problem);
  }
  if (!search.halt?.aborted) forgetFailures(search.cacheDir, [VALHALLA_WHEEL.name]);
  throw new EngineError(
    'No Valhalla was found. Install valhalla_service on PATH, set VALHALLA_BIN to its path, set TRAVEL_ROUTER_URL to the ' +
      `address of a routing server, or allow downloads on this machine. ${problems.join(' ')}`.trimEnd(),
  );
}

function withBuilder(found: Found): FoundValhalla {
  const builder = builderOf(found);
  if (isProgram(builder)) return { ...found, builder };
  throw new EngineError(withoutBuilder(found));
}

function builderOf({ bin }: Found): string {
  return join(dirname(bin), BUILDER);
}

function withoutBuilder({ bin }: Found): string {
  return `${bin} cannot be used, because ${BUILDER} is not beside it. Install both programs.`;
}

async function onPath(search: Search): Promise<Tried | null> {
  const bin = findOnPath(['valhalla_service'], search.env);
  if (bin === null) return null;
  const found = await probe(bin, 'PATH', OLDEST, search);
  if ('problem' in found) return found;
  if (!TRIED.test(found.version)) return { problem: `${bin} is version ${found.version}, but 3.9 is needed.` };
  return isProgram(builderOf(found)) ? found : { problem: withoutBuilder(found) };
}

async function fetchedEarlier(search: Search): Promise<Tried | null> {
  const program = programOf(VALHALLA_WHEEL, search.cacheDir);
  return isProgram(program) ? probe(program, 'PyPI package, cached', OLDEST, search) : null;
}

async function wheel(search: Search): Promise<Tried> {
  const bin = await fetchWheel(VALHALLA_WHEEL, search);
  return typeof bin === 'string' ? probe(bin, 'PyPI package', OLDEST, search) : bin;
}
