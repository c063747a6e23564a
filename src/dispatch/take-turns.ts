import type { Commit } from '../ports.ts';

/** The last task of each key that has not ended, per process: a process is known by its commit. */
const lanes = new WeakMap<Commit, Map<string, Promise<unknown>>>();

/**
 * Runs the tasks of one key one after another within this process. Hundreds of transactions on one document at once
 * conflict until their deadline; in turn, each but the first finds the fact settled. Between processes the database
 * arbitrates.
 */
export async function takeTurns<T>(commit: Commit, key: string, task: () => Promise<T>): Promise<T> {
  const lane = lanes.get(commit) ?? new Map<string, Promise<unknown>>();
  lanes.set(commit, lane);
  // Whether the task before succeeded is its caller's business; here only its end counts.
  const turn = (lane.get(key) ?? Promise.resolve()).then(task, task);
  lane.set(key, turn);
  try {
    return await turn;
  } finally {
    if (lane.get(key) === turn) lane.delete(key);
  }
}
