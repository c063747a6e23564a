import { statfsSync } from 'node:fs';

const ROOM_BYTES = 4 * 1_024 * 1_024;

/**
 * An error of the environment that keeps an engine from running. The message says what to do. The caller prints only the
 * message and exits.
 */
export class EngineError extends Error {
  override readonly name = 'EngineError';
}

const FILE_TROUBLE: Readonly<Record<string, (path: string) => string>> = {
  ENOSPC: (path) => diskFull(path),
  EDQUOT: (path) => diskFull(path),
  EACCES: (path) => `This user may not write ${path}. Give this user write access, or choose another directory.`,
  EPERM: (path) => `This user may not write ${path}. Give this user write access, or choose another directory.`,
  EROFS: (path) => `${path} is on a read-only file system. Choose a writable directory.`,
  ENOTDIR: (path) => `A part of ${path} is a file, not a directory. Choose another directory.`,
};

/** The message for a full disk. */
export function diskFull(path: string): string {
  return `The disk with ${path} is full. Free some space.`;
}

/** Says whether a disk is full. On a full disk an engine cannot even log why it ended. */
function isFull(path: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(path);
    return bavail * bsize < ROOM_BYTES;
  } catch {
    // The path does not exist, or the system does not report free space. The cause is something else.
    return false;
  }
}

/** Says whether a program that writes into this folder has failed because its disk is full. */
export function ranOutOfSpace(output: string, dir: string): boolean {
  return /No space left on device|ENOSPC|Disk quota exceeded/.test(output) || isFull(dir);
}

/**
 * Turns an error of the file system about `path` into a plain sentence.
 * @returns an EngineError if the user can correct it, otherwise the same error
 */
export function plainly(error: unknown, path: string): unknown {
  const sentence = FILE_TROUBLE[codeOf(error)];
  return sentence === undefined ? error : new EngineError(sentence(path), { cause: error });
}

/** The `code` of a system error, or '' if it has none. */
export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}
