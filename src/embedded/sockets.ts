import { createHash } from 'node:crypto';
import { chmodSync, lstatSync, mkdirSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { codeOf, EngineError, plainly } from './processes/engine-error.ts';

/** The paths of the sockets of the engines. */
export type Sockets = {
  readonly mongo: string;
  readonly redis: string;
  /** Removes the folder of the sockets. */
  remove(): void;
};

/** Most bytes of a socket's path: 104 on macOS and 108 on Linux, with a zero at the end. */
const LONGEST_PATH_BYTES = 100;
const LONGEST_NAME = 'mongo.sock';
/** MongoDB takes these characters in the path of a socket for the borders of lists, ports and IPv6 addresses. */
const LIST_OR_PORT = /[,:[\]]/;
const FORBIDDEN = '`,`, `:`, `[` and `]`';

/**
 * Creates the folder of the sockets. Only its owner may enter it, so other users of the machine cannot reach the engines,
 * which have no passwords.
 * @param dataDir an absolute path
 * @throws EngineError if the folder cannot be created or belongs to another user
 */
export function openSockets(dataDir: string): Sockets {
  const { dir, remove } = openSocketDir(dataDir);
  return {
    mongo: join(dir, LONGEST_NAME),
    redis: join(dir, 'redis.sock'),
    remove,
  };
}

/** Creates such a folder for sockets with names of at most ten letters. Throws as `openSockets` does. */
export function openSocketDir(dataDir: string): { readonly dir: string; readonly remove: () => void } {
  const dir = socketDirOf(dataDir);
  try {
    makePrivate(dir);
  } catch (error) {
    throw plainly(error, dir);
  }
  return { dir, remove: () => rmSync(dir, { recursive: true, force: true }) };
}

/**
 * The folder for the sockets of a data directory. It is inside the directory unless the engines cannot use its path. In
 * that case it is a short temporary folder, the same at each start, so that a killed server leaves at most one.
 */
export function socketDirOf(dataDir: string, temporary = tmpdir()): string {
  const inside = join(dataDir, 'sockets');
  if (fits(inside)) return inside;
  const name = createHash('sha256').update(dataDir).digest('hex').slice(0, 16);
  const short = join(temporary, `dispatch-${ownId()}-${name}`);
  if (fits(short)) return short;
  throw new EngineError(
    `The engines cannot use the paths ${inside} and ${short}. Set DATA_DIR to a directory whose path is shorter and without ${FORBIDDEN}.`,
  );
}

/** The number of the user. `os.userInfo` would throw for a user without a name, as in some containers. */
function ownId(): number {
  return process.getuid?.() ?? -1;
}

function fits(dir: string): boolean {
  return !LIST_OR_PORT.test(dir) && Buffer.byteLength(join(dir, LONGEST_NAME)) <= LONGEST_PATH_BYTES;
}

function makePrivate(dir: string): void {
  try {
    mkdirSync(dir, { mode: 0o700 });
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
    // Another user could have created this temporary folder first, or a link to another place.
    const found = lstatSync(dir);
    if (!found.isDirectory() || found.uid !== ownId()) {
      throw new EngineError(`${dir} belongs to another user. Remove it, or set DATA_DIR to another directory.`);
    }
  }
  chmodSync(dir, 0o700);
}

/** The URL of a MongoDB at this socket. */
export function mongoUrlAt(socket: string, database: string): string {
  // NOTE: the URL does not name the replica set, because the driver turns the paths of members into lower case.
  return `mongodb://${encodeURIComponent(socket)}/${database}?directConnection=true`;
}

/** The URL of a Redis at this socket. */
export function redisUrlAt(socket: string): string {
  return `unix://${socket.split('/').map(encodeURIComponent).join('/')}`;
}

/**
 * Sends a line to a Unix socket and returns the first data of the answer. Without a line it only connects.
 * @returns '' after a connection without a line; null if there is no connection or no answer within 1 s
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
