import { dirname, resolve } from 'node:path';
import { EngineError } from '../processes/engine-error.ts';
import { findOnPath } from '../processes/run.ts';
import { aptInstall, canInstall, installCommand, type Search } from './apt.ts';
import { fetchWheel, type Wheel } from './fetch-wheel.ts';

const PACKAGES = ['tilemaker'];

export const PMTILES_WHEEL: Wheel = {
  name: 'pmtiles',
  version: '3.8.1',
  sha256: '718561bb21f8c7dd5464fdcc3b9ad0e7b1c917be60ddfdf9a5ab56b8c67f7bde',
  pipArgs: [],
  program: 'pmtiles-3.8.1.data/scripts/pmtiles-convert',
  isPortable: true,
};

/**
 * Finds tilemaker on PATH, or installs the package of the distribution.
 * @throws EngineError with one sentence that says what to install
 */
export async function findTilemaker(search: Search): Promise<string> {
  const find = (): string | null => findOnPath(['tilemaker'], search.env);
  if (find() === null && canInstall(search.env)) await aptInstall(PACKAGES, search, 'No tilemaker is installed');
  const found = find();
  if (found !== null) return found;
  throw new EngineError(
    `No tilemaker was found on PATH. Run "${installCommand(PACKAGES)}" as root, or install it from tilemaker.org.`,
  );
}

/** The program that packs tiles into one file, the Python that runs it, and the folder of its modules. */
export type Packer = { readonly python: string; readonly program: string; readonly modules: string };

/**
 * Finds the program that packs tiles: fetched earlier, or fetched from PyPI.
 * @throws EngineError if neither is possible
 */
export async function findPacker(search: Search): Promise<Packer> {
  const program = await fetchWheel(PMTILES_WHEEL, search);
  if (typeof program !== 'string') throw new EngineError(program.problem);
  const python = findOnPath(['python3'], search.env);
  if (python === null)
    throw new EngineError(`Tiles are packed with Python. Run "${installCommand(['python3'])}" as root.`);
  // The wheel has the modules beside the folder of its programs.
  return { python, program, modules: resolve(dirname(program), '..', '..') };
}
