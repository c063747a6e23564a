import { createHash } from 'node:crypto';
import { chmodSync, lstatSync, mkdirSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { codeOf, EngineError, plainly } from './processes/engine-error.ts';

/** The paths at which the engines listen. */
export type Sockets = {
  readonly mongo: string;
  readonly redis: string;
  /** Removes the folder of the sockets. */
  remove(): void;
};

/** A socket's address has room for 104 bytes on macOS and for 108 on Linux, an ending zero included. */
const LONGEST_PATH_BYTES = 100;
const LONGEST_NAME = 'mongo.sock';

/**
 * Makes the folder in which the engines listen. Only its owner may enter it, so no other user of the machine can reach
 * the engines, which ask nobody for a password.
 * @param dataDir an absolute path
 * @throws EngineError when the folder cannot be made, or belongs to another user
 */
export function openSockets(dataDir: string): Sockets {
  const dir = socketDirOf(dataDir);
  try {
    makePrivate(dir);
  } catch (error) {
    throw plainly(error, dir);
  }
  return {
    mongo: join(dir, LONGEST_NAME),
    redis: join(dir, 'redis.sock'),
    remove: () => rmSync(dir, { recursive: true, force: true }),
  };
}

/**
 * The folder for the sockets of a data directory: inside it, or, when that path is too long for a socket, a short one
 * among the temporary files. The short one is the same at each start, so a killed server leaves one folder at most.
 */
export function socketDirOf(dataDir: string, temporary = tmpdir()): string {
  const inside = join(dataDir, 'sockets');
  if (fits(inside)) return inside;
  const name = createHash('sha256').update(dataDir).digest('hex').slice(0, 16);
  const short = join(temporary, `dispatch-${userInfo().uid}-${name}`);
  if (fits(short)) return short;
  throw new EngineError(
    `The paths ${inside} and ${short} are too long for a Unix socket: name a data directory with a shorter path.`,
  );
}

function fits(dir: string): boolean {
  return Buffer.byteLength(join(dir, LONGEST_NAME)) <= LONGEST_PATH_BYTES;
}

function makePrivate(dir: string): void {
  try {
    mkdirSync(dir, { mode: 0o700 });
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
    // Among the temporary files anybody could have made it first, or a link to a place of theirs.
    const found = lstatSync(dir);
    if (!found.isDirectory() || found.uid !== userInfo().uid) {
      throw new EngineError(`${dir} belongs to another user: remove it, or name another data directory.`);
    }
  }
  chmodSync(dir, 0o700);
}

/** The address of a MongoDB that listens at this path. */
export function mongoUrlAt(socket: string, database: string): string {
  // NOTE: not by the name of its set, since the driver puts the paths that a set tells of itself into lower case.
  return `mongodb://${encodeURIComponent(socket)}/${database}?directConnection=true`;
}

/** The address of a Redis that listens at this path. */
export function redisUrlAt(socket: string): string {
  return `unix://${socket.split('/').map(encodeURIComponent).join('/')}`;
}

/**
 * Sends one line, if any, to a Unix socket and gives the first thing that comes back.
 * @returns '' as soon as the connection stands when nothing is asked; null when nobody listens or answers in 1 s
 */
export function ask(path: string, question?: string): Promise<string | null> {
  return new Promise((resolve) => {
    const socket = connect({ path, timeout: 1_000 });
    const answer = (text: string | null): void => {
      socket.destroy();
      resolve(text);
    };
    socket.once('error', () => answer(null));
    socket.once('timeout', () => answer(null));
    socket.once('close', () => answer(null));
    socket.once('connect', () => (question === undefined ? answer('') : socket.write(`${question}\r\n`)));
    socket.once('data', (bytes: Buffer) => answer(bytes.toString('latin1')));
  });
}
