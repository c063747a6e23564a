import { statfsSync } from 'node:fs';

const ROOM_BYTES = 4 * 1_024 * 1_024;

/**
 * The world, not our code, keeps an engine from running. The message is one plain sentence that says what to do; the
 * caller prints it alone and exits.
 */
export class EngineError extends Error {
  override readonly name = 'EngineError';
}

const FILE_TROUBLE: Readonly<Record<string, (path: string) => string>> = {
  ENOSPC: (path) => diskFull(path),
  EDQUOT: (path) => diskFull(path),
  EACCES: (path) => `This user may not write ${path}: give it write access, or name another directory.`,
  EPERM: (path) => `This user may not write ${path}: give it write access, or name another directory.`,
  EROFS: (path) => `${path} is on a read-only file system: name a directory that can be written.`,
  ENOTDIR: (path) => `A part of ${path} is a file, not a directory: name another directory.`,
};

/** The sentence for a disk without room, wherever it is noticed. */
export function diskFull(path: string): string {
  return `The disk that holds ${path} is full: free some space and start again.`;
}

/** Whether a disk has no room left to speak of; on a full one an engine cannot even write down why it ended. */
export function isFull(path: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(path);
    return bavail * bsize < ROOM_BYTES;
  } catch {
    // Not there, or a system that does not tell: then something else is wrong.
    return false;
  }
}

/**
 * Turns what the file system said about `path` into a plain sentence.
 * @returns an EngineError where the user can do something about it, otherwise the error unchanged
 */
export function plainly(error: unknown, path: string): unknown {
  const sentence = FILE_TROUBLE[codeOf(error)];
  return sentence === undefined ? error : new EngineError(sentence(path), { cause: error });
}

/** The `code` of a system or database error name, or '' when it carries none. */
export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}
