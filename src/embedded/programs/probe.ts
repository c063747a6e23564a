import { aptInstall, canInstall, installCommand, type Search } from './apt.ts';
import { EngineError } from '../processes/engine-error.ts';
import { isProgram, lastLine, run } from '../processes/run.ts';

/** A program that runs, and the way by which it was found. */
export type Found = { readonly bin: string; readonly via: string; readonly version: string };

/** The program, or a sentence with the reason why this way failed. */
export type Tried = Found | { readonly problem: string };

type Probe = { readonly version: string } | { readonly problem: string; readonly packages?: readonly string[] };

/** The Debian packages of libraries that mongod needs and a minimal system does not have. */
const PACKAGES: Readonly<Record<string, string>> = {
  'libcurl.so.4': 'libcurl4',
  'libssl.so.3': 'libssl3',
  'libcrypto.so.3': 'libssl3',
  'liblzma.so.5': 'liblzma5',
  'libgssapi_krb5.so.2': 'libgssapi-krb5-2',
};

/**
 * Tries a program with `--version`. Installs a missing library if the user is root on a Debian-like system.
 * @param oldest the oldest major version that works
 */
export async function probe(bin: string, via: string, oldest: number, search: Search): Promise<Tried> {
  let found = await tryVersion(bin, oldest, search);
  if ('packages' in found && found.packages !== undefined && canInstall(search.env)) {
    if (await aptInstall(found.packages, search, `${bin} needs a library`))
      found = await tryVersion(bin, oldest, search);
  }
  return 'version' in found ? { bin, via, version: found.version } : { problem: found.problem };
}

/** Tries the program that a variable names. @throws EngineError if it cannot be used */
export async function probeNamed(bin: string, variable: string, oldest: number, search: Search): Promise<Found> {
  const found = await probe(bin, variable, oldest, search);
  if ('bin' in found) return found;
  throw new EngineError(`${variable} cannot be used: ${found.problem}`);
}

async function tryVersion(bin: string, oldest: number, search: Search): Promise<Probe> {
  if (!isProgram(bin)) return { problem: `${bin} does not exist, or this user may not run it.` };
  const outcome = await run(bin, ['--version'], { env: search.env, timeoutMs: 20_000 });
  if (outcome.code !== 0) return explain(bin, outcome.stderr, outcome.signal);
  const version = /(?:\bv=?|^)(\d+\.\d+\.\d+)/.exec(outcome.stdout)?.[1];
  if (version === undefined) return { problem: `${bin} does not print its version.` };
  if (Number.parseInt(version, 10) < oldest) {
    return { problem: `${bin} is version ${version}, but ${oldest}.0 or newer is needed.` };
  }
  return { version };
}

function explain(bin: string, stderr: string, signal: string | null): Probe {
  const library =
    /(\S+): cannot open shared object file/.exec(stderr)?.[1] ?? /'?(lib\S+?)'? not found/.exec(stderr)?.[1];
  if (library !== undefined) {
    const named = PACKAGES[library];
    const packages = named === undefined ? undefined : [named];
    const remedy =
      packages === undefined ? 'Install the package that contains it' : `Run "${installCommand(packages)}" as root`;
    const problem = `${bin} needs the library ${library}, which is not installed. ${remedy} and start again.`;
    return { problem, ...(packages && { packages }) };
  }
  if (signal === 'SIGILL') {
    return {
      problem: `${bin} needs a processor with AVX, which this machine does not have. Run it elsewhere and set its URL.`,
    };
  }
  return { problem: `${bin} does not run (${lastLine(stderr) || signal || 'without a reason'}).` };
}
