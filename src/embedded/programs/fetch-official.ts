// This file also runs as a separate process, because the downloader prints text and has no timeout, and a process can be stopped.
import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Search } from './apt.ts';
import { hasFailedLately, rememberFailure } from './cache.ts';
import { plainly } from '../processes/engine-error.ts';
import { isEntry, isProgram, lastLine, run } from '../processes/run.ts';
import { nowMs, waitFor } from '../processes/wait.ts';

export const OFFICIAL = 'official-mongod';
const VERSION = '8.2.6';
const STALLED_MS = 15_000;
const DOWNLOAD_MS = 900_000;
const MARK = 'mongod at ';

/** The build that an earlier start downloaded; null if there was no download. */
export async function findOfficial(cacheDir: string): Promise<string | null> {
  try {
    const bin = await readFile(join(cacheDir, OFFICIAL), 'utf8');
    return isProgram(bin) ? bin : null;
  } catch {
    // The note is missing, so nothing was downloaded.
    return null;
  }
}

/**
 * Downloads the official MongoDB build for this system. A failure is quick and is remembered.
 * @returns the path of mongod, or a sentence with the reason of the failure
 */
export async function fetchOfficial(search: Search): Promise<string | { problem: string }> {
  if (hasFailedLately(search.cacheDir, OFFICIAL)) {
    return { problem: 'Downloading the official MongoDB failed within the last 24 hours.' };
  }
  search.say(`Downloading the official MongoDB ${VERSION}. This happens once for each user.`);
  try {
    const folder = join(search.cacheDir, 'official');
    await mkdir(folder, { recursive: true });
    const printed = await download(folder, search);
    const bin = printed
      .split('\n')
      .find((line) => line.startsWith(MARK))
      ?.slice(MARK.length);
    if (bin !== undefined && isProgram(bin)) {
      await writeFile(join(search.cacheDir, OFFICIAL), bin);
      return bin;
    }
    const problem = `Downloading the official MongoDB failed (${lastLine(printed) || 'no answer'}).`;
    rememberFailure(search.cacheDir, OFFICIAL, problem);
    return { problem };
  } catch (error) {
    throw plainly(error, search.cacheDir);
  }
}

async function download(folder: string, search: Search): Promise<string> {
  const giveUp = new AbortController();
  // One try, with checks of the certificate and the checksum, which the downloader skips by default.
  const settings = { npm_config_strict_ssl: 'true', MONGOMS_MD5_CHECK: 'true', MONGOMS_MAX_RETRIES: '1' };
  const ended = run(process.execPath, [fileURLToPath(import.meta.url), folder], {
    env: { ...search.env, ...settings },
    timeoutMs: DOWNLOAD_MS,
    signal: giveUp.signal,
  });
  let isOver = false;
  const outcome = ended.finally(() => (isOver = true));
  let size = -1;
  let movedAt = nowMs();
  await waitFor(
    async () => {
      const now = await sizeOf(folder);
      if (now !== size) movedAt = nowMs();
      size = now;
      if (!isOver && nowMs() - movedAt > STALLED_MS) giveUp.abort();
      return isOver;
    },
    DOWNLOAD_MS,
    100,
  );
  return (await outcome).stdout;
}

/** Counts the downloaded bytes, because a download without progress is stopped. */
async function sizeOf(folder: string): Promise<number> {
  const names = await readdir(folder, { recursive: true });
  const sizes = await Promise.all(names.map((name) => sizeOfFile(join(folder, name))));
  return sizes.reduce((sum, size) => sum + size, 0);
}

async function sizeOfFile(path: string): Promise<number> {
  try {
    return (await stat(path)).size;
  } catch {
    // The file was renamed or removed after the folder was listed.
    return 0;
  }
}

async function downloadHere(folder: string): Promise<void> {
  const { MongoBinary } = await import('mongodb-memory-server-core');
  try {
    const bin = await MongoBinary.getPath({ version: VERSION, downloadDir: folder, checkMD5: true });
    process.stdout.write(`\n${MARK}${bin}\n`);
  } catch (error) {
    process.stdout.write(`\n${error instanceof Error ? lastLine(error.message) : 'unknown'}\n`);
    process.exitCode = 1;
  }
}

if (isEntry(import.meta.url)) await downloadHere(process.argv[2] ?? '.');
