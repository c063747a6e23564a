import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
} from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { codeOf } from '../../src/embedded/processes/engine-error.ts';
import { openSockets, socketDirOf } from '../../src/embedded/sockets.ts';
import { askRedis, companionsOf, refusal, start, temporaryDir } from './house.ts';

const NOBODY = 65_534;
/** A user that no list of users contains, as in containers that run with any number. */
const NAMELESS = 54_321;
const NAMELESS_START = `
  import { openSockets } from './src/embedded/sockets.ts';
  process.setgid(${NAMELESS});
  process.setuid(${NAMELESS});
  for (let start = 1; start <= 2; start += 1) openSockets(process.argv[1]);
`;
const IS_ROOT = userInfo().uid === 0;
const HAS_PROC = existsSync('/proc/net/tcp');
const LISTENS = '0A';

/** The numbers of the TCP sockets on which any process of the machine listens. */
function listeningInodes(): Set<string> {
  const lines = ['/proc/net/tcp', '/proc/net/tcp6'].filter(existsSync).flatMap((path) => {
    return readFileSync(path, 'utf8').trim().split('\n').slice(1);
  });
  const fields = lines.map((line) => line.trim().split(/\s+/));
  return new Set(fields.filter(([, , , state]) => state === LISTENS).map((field) => field[9] ?? ''));
}

function socketInodesOf(pid: number): string[] {
  const dir = `/proc/${pid}/fd`;
  return readdirSync(dir).flatMap((fd) => /^socket:\[(\d+)\]$/.exec(targetOf(join(dir, fd)))?.[1] ?? []);
}

/** The target of an open file; '' if the engine has closed it since it was listed. */
function targetOf(link: string): string {
  try {
    return readlinkSync(link);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return '';
    throw error;
  }
}

test.runIf(HAS_PROC)('[E11] the engines listen on no network port', async () => {
  const dataDir = temporaryDir();
  await start({ dataDir });
  const engines = companionsOf(dataDir).filter(({ name }) => name !== 'watchdog');
  const listening = listeningInodes();
  for (const { name, pid } of engines) {
    const inodes = socketInodesOf(pid);
    expect(inodes.length, name).toBeGreaterThan(0);
    expect(
      inodes.filter((inode) => listening.has(inode)),
      name,
    ).toEqual([]);
  }
});

/** Tries to connect to a Unix socket as another user. Returns the result in one word. */
async function knockAs(uid: number, path: string): Promise<string> {
  const script =
    'require("node:net").connect(process.argv[1])' +
    '.on("connect", () => { console.log("in"); process.exit(); }).on("error", (e) => console.log(e.code))';
  const child = spawn(process.execPath, ['--eval', script, path], {
    cwd: '/',
    stdio: ['ignore', 'pipe', 'inherit'],
    ...(uid === userInfo().uid ? {} : { uid, gid: uid }),
  });
  let printed = '';
  child.stdout.setEncoding('utf8').on('data', (part: string) => (printed += part));
  await once(child, 'close');
  return printed.trim();
}

test.runIf(IS_ROOT)('[E11] another user of the machine reaches neither engine', async () => {
  const dataDir = temporaryDir();
  // The directory itself may be open to all, because a directory that the user made is not changed.
  chmodSync(dataDir, 0o755);
  await start({ dataDir });
  for (const name of ['mongo.sock', 'redis.sock']) {
    const path = join(socketDirOf(dataDir), name);
    expect(await knockAs(userInfo().uid, path), name).toBe('in');
    expect(await knockAs(NOBODY, path), name).toBe('EACCES');
  }
});

test('[E11] only its owner can enter the folder of the sockets, also if the folder already existed', () => {
  const dataDir = temporaryDir();
  mkdirSync(join(dataDir, 'sockets'));
  chmodSync(join(dataDir, 'sockets'), 0o777);
  const sockets = openSockets(dataDir);
  expect(statSync(dirname(sockets.mongo)).mode & 0o777).toBe(0o700);
  expect(dirname(sockets.redis)).toBe(dirname(sockets.mongo));
});

test('[E12] a data directory with a long path gets a short folder for its sockets, until the engines end', async () => {
  const dataDir = join(temporaryDir(), 'a folder, deep down '.repeat(5));
  const dir = socketDirOf(dataDir);
  expect(dir.startsWith(tmpdir())).toBe(true);
  const engines = await start({ dataDir });
  expect(statSync(dir).mode & 0o777).toBe(0o700);
  expect(await askRedis(engines.redisUrl, (redis) => redis.ping())).toBe('PONG');
  await engines.stop();
  expect(existsSync(dir)).toBe(false);
});

test.runIf(IS_ROOT)('[E12] a short folder that another user made first is not used', async () => {
  const dataDir = join(temporaryDir(), 'deep/'.repeat(30), 'data');
  const dir = socketDirOf(dataDir);
  const maker = spawn('mkdir', [dir], { uid: NOBODY, gid: NOBODY, stdio: 'inherit' });
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  await once(maker, 'close');
  expect(await refusal({ dataDir })).toBe(
    `${dir} belongs to another user. Remove it, or set DATA_DIR to another directory.`,
  );
  expect(companionsOf(dataDir)).toEqual([]);
});

test('[E12] a path that cannot be made short enough is refused', () => {
  expect(() => socketDirOf(`/${'y'.repeat(100)}`, `/${'x'.repeat(100)}`)).toThrow('a directory whose path is shorter');
});

test('[E12] a path with a character that MongoDB takes for a border holds no sockets', () => {
  for (const dir of ['/srv/food,eu', '/srv/a:b', '/srv/[a]']) {
    expect(socketDirOf(dir)).toMatch(new RegExp(`^${tmpdir()}/dispatch-\\d+-`, 'u'));
    expect(() => socketDirOf(dir, dir)).toThrow('without `,`, `:`, `[` and `]`');
  }
});

test.runIf(IS_ROOT)('[E12] a user without a name has sockets, also after a crash has left the folder', async () => {
  const dataDir = temporaryDir();
  chownSync(dataDir, NAMELESS, NAMELESS);
  const child = spawn(process.execPath, ['--input-type=module', '-e', NAMELESS_START, dataDir], { stdio: 'inherit' });
  await once(child, 'close');
  expect(child.exitCode).toBe(0);
  expect(statSync(socketDirOf(dataDir)).uid).toBe(NAMELESS);
});
