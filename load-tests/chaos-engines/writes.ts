// Writes to MongoDB throughout the run, as a server does, to see for how long no write was possible.
import { setTimeout as pause } from 'node:timers/promises';
import { waitFor } from '../../src/embedded/processes/wait.ts';
import { openMongo } from '../../src/engines/mongo.ts';
import { QUIET } from '../quiet.ts';

export type Writes = {
  /**
   * Makes a fault and waits until writes succeed again. Measures the longest time between two confirmed writes, from the
   * last one before the fault to the first one after it.
   * @throws Error if no write succeeds for 60 s
   */
  through(fault: () => Promise<string>): Promise<{ readonly what: string; readonly withoutWritesMs: number }>;
  stop(): Promise<void>;
};

const EVERY_MS = 20;
const PATIENCE_MS = 60_000;
/** The day does not see it. */
const DATABASE = 'writes';

/** Starts to write, one write after the other. */
export async function startWrites(mongoUrl: string): Promise<Writes> {
  const mongo = await openMongo(mongoUrl, QUIET);
  const marks = mongo.connection.getClient().db(DATABASE).collection('marks');
  let [confirmed, confirmedAt, longestMs] = [0, performance.now(), 0];
  let isOver = false;
  const write = async (): Promise<void> => {
    try {
      await marks.updateOne({ at: 'now' }, { $inc: { writes: 1 } }, { upsert: true });
    } catch {
      // This is the time that is measured.
      return;
    }
    const now = performance.now();
    longestMs = Math.max(longestMs, now - confirmedAt);
    confirmedAt = now;
    confirmed += 1;
  };
  const keepWriting = async (): Promise<void> => {
    for (; !isOver; await pause(EVERY_MS)) await write();
  };
  await write();
  const writing = keepWriting();
  return {
    through: async (fault) => {
      longestMs = 0;
      const what = await fault();
      // The first of these may have begun before the fault.
      const enough = confirmed + 2;
      if (!(await waitFor(() => confirmed >= enough, PATIENCE_MS)))
        throw new Error(`no write for ${PATIENCE_MS / 1000} s after a fault: ${what}`);
      return { what, withoutWritesMs: Math.round(longestMs) };
    },
    stop: async () => {
      isOver = true;
      await writing;
      await mongo.close();
    },
  };
}
