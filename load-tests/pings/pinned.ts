// Runs processes on their own core and measures their CPU time.
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';

export type Pinned = { readonly pid: number; readonly child: ChildProcess; stop(): Promise<void> };

export const SERVER_CORE = 0;
export const LOAD_CORE = 1;
const STOP_MS = 15_000;

/** Puts this process and its later children on the load's core. False if this is not possible. */
export function pinSelf(): boolean {
  if (availableParallelism() < 2) return false;
  return spawnSync('taskset', ['-apc', String(LOAD_CORE), String(process.pid)]).status === 0;
}

/** Starts a Node program on the server's core. Its stderr goes to `log`, an open file, or to this process's stderr. */
export function startPinned(
  file: string,
  env: Readonly<Record<string, string>>,
  isPinned: boolean,
  log: number | 'inherit' = 'inherit',
): Pinned {
  const command = isPinned ? ['taskset', '-c', String(SERVER_CORE), process.execPath, file] : [process.execPath, file];
  const child = spawn(command[0] ?? '', command.slice(1), {
    stdio: ['ignore', 'ignore', log, 'ipc'],
    env: { ...process.env, ...env },
  });
  const stop = async (): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill('SIGTERM');
    const force = setTimeout(() => child.kill('SIGKILL'), STOP_MS);
    await ended;
    clearTimeout(force);
  };
  return { pid: child.pid ?? 0, child, stop };
}

/** The port that a program sends when it listens. */
export async function portOf({ child }: Pinned): Promise<number> {
  const [address] = (await once(child, 'message')) as [{ port: number }];
  return address.port;
}

/** Time all threads of a process have spent on a core, user and system, in ns. */
export function cpuNs(pid: number): number {
  const tasks = readdirSync(`/proc/${pid}/task`);
  return tasks.reduce((sum, task) => sum + threadNs(pid, task), 0);
}

/** Resident memory of a process, KiB. */
export function rssKib(pid: number): number {
  return Number(/^VmRSS:\s+(\d+) kB$/mu.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? NaN);
}

function threadNs(pid: number, task: string): number {
  try {
    return Number(readFileSync(`/proc/${pid}/task/${task}/schedstat`, 'utf8').split(' ')[0]);
  } catch {
    // A thread that ended while the list was read.
    return 0;
  }
}
