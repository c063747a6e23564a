import { existsSync } from 'node:fs';
import { findOnPath, run, type Environment } from '../processes/run.ts';

const INSTALL_MS = 300_000;

/** What every way of finding an engine may use. */
export type Search = {
  /** The program the user named; no other way is tried then. */
  readonly bin?: string | undefined;
  readonly env: Environment;
  /** Per user, shared by all data directories. */
  readonly cacheDir: string;
  readonly say: (line: string) => void;
};

// NOTE: apt knows one at a time, and both engines are looked for at once.
let queue: Promise<unknown> = Promise.resolve();

/** Whether packages can be installed here: root on a Debian-like system. */
export function canInstall(env: Environment): boolean {
  return existsSync('/etc/debian_version') && process.getuid?.() === 0 && findOnPath(['apt-get'], env) !== null;
}

/** The command that brings packages, for a sentence that tells the user. */
export function installCommand(packages: readonly string[]): string {
  return `apt-get install -y --no-install-recommends ${packages.join(' ')}`;
}

/**
 * Installs packages, after saying so. The package lists are fetched only when it does not work without.
 * @returns whether it worked
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
