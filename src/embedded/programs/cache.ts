import { mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { Environment } from '../processes/run.ts';
import { wallMs } from '../processes/wait.ts';

const REMEMBER_MS = 24 * 3_600_000;

/** The folder of fetched programs for this user. It is separate from the data, which may be deleted. */
export function cacheDirOf(env: Environment): string {
  return join(env['XDG_CACHE_HOME'] || join(env['HOME'] || homedir(), '.cache'), 'dispatch-server');
}

/** Records that a way failed, so that the next start does not wait for it again. */
export function rememberFailure(cacheDir: string, way: string, why: string): void {
  mkdirSync(cacheDir, { recursive: true });
  writeFileSync(failureFile(cacheDir, way), `${why}\n`);
}

/** Says whether this way failed in the last 24 hours. */
export function hasFailedLately(cacheDir: string, way: string): boolean {
  const failure = statSync(failureFile(cacheDir, way), { throwIfNoEntry: false });
  return failure !== undefined && wallMs() - failure.mtimeMs < REMEMBER_MS;
}

/** Forgets all failures. After every way has failed, the next start must try again what the user has repaired. */
export function forgetFailures(cacheDir: string, ways: readonly string[]): void {
  for (const way of ways) rmSync(failureFile(cacheDir, way), { force: true });
}

function failureFile(cacheDir: string, way: string): string {
  return join(cacheDir, `failed-${way}`);
}
