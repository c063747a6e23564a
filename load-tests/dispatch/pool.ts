// Spreads days over threads. The outcome of a day does not depend on its thread.
import { Worker } from 'node:worker_threads';
import type { Played } from './contenders.ts';
import type { NamedDay } from './find-days.ts';
import type { Reply, Task } from './worker.ts';

/**
 * Plays all days, `workers` at a time. Returns them in the given order. Calls `onPlayed` when a day ends.
 * @throws Error of the first day that failed, after the other threads are stopped
 */
export async function playAll(
  days: readonly NamedDay[],
  { workers, ...order }: Omit<Task, 'day'> & { workers: number },
  onPlayed: (played: Played) => void,
): Promise<Played[]> {
  const queue = days.map((day): Task => ({ day, ...order }));
  const threads = Array.from(
    { length: Math.min(workers, days.length) },
    () => new Worker(new URL('./worker.ts', import.meta.url)),
  );
  const all: Played[] = [];
  try {
    await Promise.all(
      threads.map((thread) =>
        work(thread, queue, (played) => {
          all.push(played);
          onPlayed(played);
        }),
      ),
    );
  } finally {
    await Promise.all(threads.map((thread) => thread.terminate()));
  }
  const place = new Map(days.map(({ name }, index) => [name, index]));
  return all.toSorted((a, b) => (place.get(a.name) ?? 0) - (place.get(b.name) ?? 0));
}

/** Gives one thread days until the queue is empty. */
function work(thread: Worker, queue: Task[], onPlayed: (played: Played) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    const feed = (): void => {
      const task = queue.shift();
      if (task === undefined) resolve();
      else thread.postMessage(task);
    };
    thread.on('error', reject);
    thread.on('exit', () => reject(new Error('a thread ended before its day was played')));
    thread.on('message', (reply: Reply) => {
      if ('problem' in reply) return reject(new Error(reply.problem));
      onPlayed(reply.played);
      feed();
    });
    feed();
  });
}
