import { existsSync } from 'node:fs';
import { findOnPath, run, type Environment } from '../processes/run.ts';

const INSTALL_MS = 300_000;

/** The inputs for all ways of finding an engine. */
export type Search = {
  /** The program that the user named. If it is given, no other way is tried. */
  readonly bin?: string | undefined;
  readonly env: Environment;
  /** A folder of this user, shared by all data directories. */
  readonly cacheDir: string;
  readonly say: (line: string) => void;
  /** Ends a download before its end. */
  readonly halt?: AbortSignal;
};

// NOTE: apt allows one run at a time, and both engines are searched for at the same time.
let queue: Promise<unknown> = Promise.resolve();

/** Says whether packages can be installed here: by root on a Debian-like system. */
export function canInstall(env: Environment): boolean {
  return existsSync('/etc/debian_version') && process.getuid?.() === 0 && findOnPath(['apt-get'], env) !== null;
}

/** The command that installs packages, for a message to the user. */
export function installCommand(packages: readonly string[]): string {
  return `apt-get install -y --no-install-recommends ${packages.join(' ')}`;
}

/**
 * Announces and installs packages. It fetches the package lists only if the first try fails.
 * @returns whether it succeeded
 */
export function aptInstall(packages: readonly string[], search: Search, why: string): Promise<boolean> {
  const installed = queue.then(async () => {
    search.say(`${why}: running ${installCommand(packages)}`);
    const options = { env: { ...search.env, DEBIAN_FRONTEND: 'noninteractive' }, timeoutMs: INSTALL_MS };
    const [command = '', ...args] = installCommand(packages).split(' ');
    if ((await run(command, args, options)).code === 0) return true;
    await run(command, ['update'], options);
    return (await run(command, args, options)).code === 0;
  });
  queue = installed;
  return installed;
}
