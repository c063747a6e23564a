import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { codeOf } from './engine-error.ts';
import { waitFor } from './wait.ts';

/**
 * Identifies one process for ever. The system reuses pids, but not a pid together with the start time. `start` is opaque
 * and only compared with other values of `start`.
 */
export type ProcessRef = { readonly pid: number; readonly start: string };

/** Identifies the running process with this pid; null if no such process runs. */
export function refOf(pid: number): ProcessRef | null {
  const start = startOf(pid);
  return start === null ? null : { pid, start };
}

/** Says whether exactly this process is still running. A zombie is not running. */
export function isRunning(ref: ProcessRef): boolean {
  return startOf(ref.pid) === ref.start;
}

/**
 * Asks a process to end, and kills it if it does not. It never touches another process with the same pid.
 * @param graceMs time in which it may end by itself, in milliseconds
 * @returns whether it has ended
 */
export async function stopProcess(ref: ProcessRef, graceMs: number): Promise<boolean> {
  signal(ref, 'SIGTERM');
  if (await waitFor(() => !isRunning(ref), graceMs)) return true;
  signal(ref, 'SIGKILL');
  return waitFor(() => !isRunning(ref), 2_000);
}

function signal(ref: ProcessRef, name: 'SIGTERM' | 'SIGKILL'): void {
  if (!isRunning(ref)) return;
  try {
    process.kill(ref.pid, name);
  } catch (error) {
    // ESRCH: the process ended between the check and the signal.
    if (codeOf(error) !== 'ESRCH') throw error;
  }
}

function startOf(pid: number): string | null {
  if (existsSync('/proc/self/stat')) return startByProc(pid);
  return process.platform === 'win32' ? startByExistence(pid) : startByPs(pid);
}

function startByProc(pid: number): string | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name in parentheses may contain any text, so the search starts at the last one: state is field 3, start time field 22.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return fields[0] === 'Z' || fields[0] === 'X' ? null : (fields[19] ?? null);
  } catch (error) {
    // ENOENT: the process does not exist. ESRCH: it ended while its file was read.
    if (!['ENOENT', 'ESRCH'].includes(codeOf(error))) throw error;
    return null;
  }
}

function startByPs(pid: number): string | null {
  const { stdout } = spawnSync('ps', ['-o', 'stat=,lstart=', '-p', String(pid)], { encoding: 'utf8' });
  const [state, ...start] = (stdout ?? '').trim().split(/\s+/);
  return state === undefined || state === '' || state.startsWith('Z') ? null : start.join(' ');
}

function startByExistence(pid: number): string | null {
  try {
    process.kill(pid, 0);
    return 'unknown';
  } catch (error) {
    // EPERM: the process exists and belongs to another user.
    return codeOf(error) === 'EPERM' ? 'unknown' : null;
  }
}
