import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { onTestFinished } from 'vitest';

const BEAT_MS = 100;
/** The most that a beat counts: the pause, and a write to a disk that is not busy. */
const MOST_MS = 150;

/**
 * Milliseconds in which the machine did its work. A limit in seconds is about our processes and not about a machine
 * that lets everybody wait. A beat is a pause and a write that reaches the disk. Time in which not even one beat ended
 * counts no more than a beat. Runs until the test is over.
 */
export async function startWorkClock(): Promise<() => number> {
  const dir = await mkdtemp(path.join(tmpdir(), 'work-clock-'));
  const file = await open(path.join(dir, 'beat'), 'w');
  let workedMs = 0;
  let beatAt = performance.now();
  let isOver = false;
  const sinceBeatMs = (): number => Math.min(performance.now() - beatAt, MOST_MS);
  const beat = async (): Promise<void> => {
    while (!isOver) {
      await pause(BEAT_MS);
      await file.write('beat', 0);
      await file.sync();
      workedMs += sinceBeatMs();
      beatAt = performance.now();
    }
  };
  const beating = beat();
  onTestFinished(async () => {
    isOver = true;
    await beating;
    await file.close();
    await rm(dir, { recursive: true });
  });
  return () => workedMs + sinceBeatMs();
}
