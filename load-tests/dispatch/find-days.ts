// Finds the day folders that a command line names.
import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';

export type NamedDay = {
  /** The folder's own name. A second one of the same name is called name-2. */
  readonly name: string;
  readonly dir: string;
};

/** The file that makes a folder a day. The other three are needed when the day is read. */
const MARK = 'orders.txt';

/**
 * Finds the days among these folders and directly inside them, each once, in the given order and by name inside a
 * folder.
 * @throws Error with a sentence for the user if one of them contains no day
 */
export async function findDays(paths: readonly string[]): Promise<NamedDay[]> {
  const found = new Set<string>();
  for (const path of paths) {
    const dirs = await daysOf(path);
    if (dirs.length === 0) throw new Error(`${path}: no day there, nor in the folders in it (a day has ${MARK})`);
    for (const dir of dirs) found.add(resolve(dir));
  }
  return nameAll([...found]);
}

async function daysOf(path: string): Promise<string[]> {
  if (existsSync(join(path, MARK))) return [path];
  const names = await readdir(path).catch((cause: unknown) => {
    // If the path is absent, a file or not readable, the user has to correct it in any case.
    throw new Error(`${path}: not a folder that can be read`, { cause });
  });
  return names
    .toSorted()
    .map((name) => join(path, name))
    .filter((dir) => existsSync(join(dir, MARK)));
}

function nameAll(dirs: readonly string[]): NamedDay[] {
  const taken = new Set<string>();
  return dirs.map((dir) => {
    let name = basename(dir);
    for (let number = 2; taken.has(name); number += 1) name = `${basename(dir)}-${number}`;
    taken.add(name);
    return { name, dir };
  });
}
