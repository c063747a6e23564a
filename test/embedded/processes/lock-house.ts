/** Locks that other servers have left or hold. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { refOf, type ProcessRef } from '../../../src/embedded/processes/processes.ts';

export async function someProcess(): Promise<ProcessRef> {
  const child = spawn(process.execPath, ['--eval', 'setInterval(() => {}, 60_000)'], { stdio: 'ignore' });
  onTestFinished(() => void child.kill('SIGKILL'));
  await once(child, 'spawn');
  const ref = refOf(child.pid ?? 0);
  if (ref === null) throw new Error('the process has already ended');
  return ref;
}

export function abandon(dataDir: string, holder: ProcessRef, companions: (ProcessRef & { name: string })[]): void {
  writeFileSync(join(dataDir, 'engines.lock'), JSON.stringify({ ...holder, companions }));
}

export function holderOf(dataDir: string): number {
  return JSON.parse(readFileSync(join(dataDir, 'engines.lock'), 'utf8')).pid;
}
