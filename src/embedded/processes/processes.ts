import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { codeOf } from './engine-error.ts';
import { waitFor } from './wait.ts';

/**
 * One process for good: pids are given out again, a pid together with the start time of its process is not. `start` is
 * opaque and compared only with itself.
 */
export type ProcessRef = { readonly pid: number; readonly start: string };

/** Names the running process with this pid; null when there is none. */
export function refOf(pid: number): ProcessRef | null {
  const start = startOf(pid);
  return start === null ? null : { pid, start };
}

/** Whether this very process still runs. A zombie, which its parent has only not buried yet, does not. */
export function isRunning(ref: ProcessRef): boolean {
  return startOf(ref.pid) === ref.start;
}

/**
 * Asks a process to end and makes it end when it does not. Never touches another process that got the same pid.
 * @param graceMs how long it may take to end by itself, in milliseconds
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
    // ESRCH: it ended between the look and the signal, which is what was wanted.
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
    // The name in parentheses may hold anything, so count from the last one: state is field 3, start time field 22.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return fields[0] === 'Z' || fields[0] === 'X' ? null : (fields[19] ?? null);
  } catch (error) {
    // ENOENT: no such process. ESRCH: it ended while its file was read.
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
    // EPERM: it exists and belongs to somebody else.
    return codeOf(error) === 'EPERM' ? 'unknown' : null;
  }
}
