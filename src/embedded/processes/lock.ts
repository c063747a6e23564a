import { randomUUID } from 'node:crypto';
import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { dirname, join } from 'node:path';
import { codeOf, EngineError, plainly } from './engine-error.ts';
import { beat, isTouched, pidSpace } from './heartbeat.ts';
import { makeFolder } from './make-folder.ts';
import { isRunning, refOf, stopProcess, type ProcessRef } from './processes.ts';
import { pause, waitFor } from './wait.ts';

/** A process that a server started and that must end with it. */
export type Companion = ProcessRef & { readonly name: string };

/** A process that wants a lock. `space` says where its pid is valid; locks of an earlier release lack it and `host`. */
type Owner = ProcessRef & { readonly space?: string; readonly host?: string };

/** A process that has a lock, and the processes that it started. */
export type Holder = Owner & { readonly companions: readonly Companion[] };

export type Lock = {
  /** Records a process in place of the last one of its name, so that the next server can stop it if this one is killed. */
  record(companion: Companion): void;
  /** Releases the directory. */
  release(): void;
};

const LOCK = 'engines.lock';
const CLAIM = 'engines.lock.next';

/** The watchdog has 3 s to stop the engines of a killed server. After this time the next server stops them. */
const WATCHDOG_MS = 3_500;
const GRACE_MS = 5_000;

/** Errors of a file system without hard links. */
const NO_LINKS = ['EPERM', 'ENOSYS', 'ENOTSUP', 'EOPNOTSUPP'];

/**
 * Takes the data directory for the engines of this process. It takes over the lock of a dead server after it has stopped
 * the processes of that server.
 * @throws EngineError if a running server uses the directory, or if it cannot be written
 */
export async function takeLock(dataDir: string): Promise<Lock> {
  const taken = await tryLock(dataDir);
  if ('release' in taken) return taken;
  throw new EngineError(heldBy(taken, dataDir));
}

/**
 * Takes the directory as `takeLock` does, or returns the running process that has it.
 * @throws EngineError if a process of another machine or container uses the directory, or if it cannot be written
 */
export async function tryLock(dataDir: string): Promise<Lock | Holder> {
  const ref = refOf(process.pid) ?? { pid: process.pid, start: 'unknown' };
  const me: Owner = { ...ref, space: pidSpace(), host: hostname() };
  try {
    makeFolder(dataDir);
    while (!create(join(dataDir, LOCK), me)) {
      const holder = await readSteadily(join(dataDir, LOCK));
      if (holder !== null && runsHere(holder)) return holder;
      if (holder !== null && !isHere(holder) && (await isTouched(join(dataDir, LOCK)))) {
        throw new EngineError(heldElsewhere(holder, dataDir));
      }
      if (holder !== null && (await succeed(dataDir, holder, me))) break;
      await pause(20);
    }
  } catch (error) {
    throw plainly(error, dataDir);
  }
  return heldLock(join(dataDir, LOCK), me);
}

/** The running process of this machine and container that uses the directory; null if there is none. It writes nothing. */
export function holderOf(dataDir: string): Holder | null {
  const holder = read(join(dataDir, LOCK));
  return holder && runsHere(holder) ? holder : null;
}

function isHere({ space = pidSpace() }: Owner): boolean {
  return space === pidSpace();
}

function runsHere(owner: Owner): boolean {
  return isHere(owner) && isRunning(owner);
}

function heldLock(path: string, me: Owner): Lock {
  let content: Holder = { ...me, companions: [] };
  const rest = beat(path, () => isOf(read(path), me));
  return {
    record(companion) {
      const others = content.companions.filter(({ name }) => name !== companion.name);
      content = { ...content, companions: [...others, companion] };
      // The file is renamed into place, so that no process reads half a lock.
      try {
        // A server elsewhere took this one for dead, because it stood still.
        const now = read(path);
        if (now && !isOf(now, me)) throw new EngineError(heldElsewhere(now, dirname(path)));
        writeFileSync(`${path}.new`, JSON.stringify(content), { mode: 0o600 });
        renameSync(`${path}.new`, path);
      } catch (error) {
        throw plainly(error, path);
      }
    },
    release() {
      rest();
      if (!isOf(read(path), me)) return;
      rmSync(`${path}.new`, { force: true });
      rmSync(path, { force: true });
    },
  };
}

/**
 * Takes over the lock of a dead server. If several servers try, one creates the claim, and only that one replaces the
 * lock. A read of the lock after the claim is therefore final.
 * @returns whether this process owns the lock now
 */
async function succeed(dataDir: string, dead: Holder, me: Owner): Promise<boolean> {
  const claim = join(dataDir, CLAIM);
  if (!create(claim, me)) {
    const heir = await readSteadily(claim);
    // The claim of a dead server is void. A running one must finish first.
    const runs = heir !== null && (runsHere(heir) || (!isHere(heir) && (await isTouched(claim))));
    if (heir !== null && !runs) rmSync(claim, { force: true });
    return false;
  }
  const rest = beat(claim, () => isOf(read(claim), me));
  try {
    const holder = await readSteadily(join(dataDir, LOCK));
    if (holder === null || !isOf(holder, dead)) {
      rmSync(claim, { force: true });
      return false;
    }
    // Elsewhere, these pids were those of other processes.
    if (isHere(holder)) await stopCompanions(holder.companions);
    if (!isOf(read(claim), me)) return false;
    renameSync(claim, join(dataDir, LOCK));
    return true;
  } finally {
    rest();
  }
}

function isOf(holder: Holder | null | undefined, { pid, start, space }: Owner): boolean {
  return holder?.pid === pid && holder.start === start && holder.space === space;
}

async function stopCompanions(companions: readonly Companion[]): Promise<void> {
  const gone = (): boolean => !companions.some(isRunning);
  // A running watchdog is stopping the engines already. A second signal would only prevent a clean end.
  if (companions.some((one) => one.name === 'watchdog' && isRunning(one)) && (await waitFor(gone, WATCHDOG_MS))) return;
  await Promise.all(companions.map((one) => stopProcess(one, GRACE_MS)));
}

/** Creates a complete lock at once, because other servers would treat a half-written file as invalid. */
function create(path: string, me: Owner): boolean {
  const content = JSON.stringify({ ...me, companions: [] } satisfies Holder);
  // In containers the pid is often the same.
  const mine = `${path}.${randomUUID()}`;
  try {
    writeFileSync(mine, content, { mode: 0o600 });
    try {
      linkSync(mine, path);
    } catch (error) {
      if (!NO_LINKS.includes(codeOf(error))) throw error;
      writeFileSync(path, content, { flag: 'wx', mode: 0o600 });
    }
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    throw error;
  } finally {
    rmSync(mine, { force: true });
  }
}

/** Reads a lock. A lock that stays unreadable was cut off by a full disk or a crash and is ignored. */
async function readSteadily(path: string): Promise<Holder | null> {
  let found: Holder | null | undefined;
  await waitFor(() => (found = read(path)) !== undefined, 500);
  return found === undefined ? { pid: 0, start: 'unreadable', companions: [] } : found;
}

/** @returns null if the lock does not exist, undefined if it cannot be parsed (yet) */
function read(path: string): Holder | null | undefined {
  try {
    const found: unknown = JSON.parse(readFileSync(path, 'utf8'));
    return isHolder(found) ? found : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    if (codeOf(error) === 'ENOENT') return null;
    throw error;
  }
}

function isRef(value: unknown): value is ProcessRef {
  return typeof value === 'object' && value !== null && 'pid' in value && 'start' in value;
}

function isHolder(value: unknown): value is Holder {
  return isRef(value) && 'companions' in value && Array.isArray(value.companions) && value.companions.every(isRef);
}

function heldElsewhere({ host = 'unknown' }: Owner, dataDir: string): string {
  return (
    `A server of another machine or container (${host}) already uses the data directory ${dataDir}. ` +
    'Give each machine and each container a DATA_DIR of its own.'
  );
}

function heldBy(holder: ProcessRef, dataDir: string): string {
  return (
    `Another server (process ${holder.pid}) already uses the data directory ${dataDir}. ` +
    `Stop it first, or set DATA_DIR to another directory.`
  );
}
