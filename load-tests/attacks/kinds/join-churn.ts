// Joins and leaves with one tracking link as fast as possible. Each join costs the server a replay.
import { setTimeout as pause } from 'node:timers/promises';
import type { Attack } from './attack.ts';
import { joinTrack } from './connect.ts';

const LANES = 20;
/** Pause of a lane before it tries again, ms. */
const AGAIN_MS = 10;

export const joinChurn: Attack = {
  name: 'join-churn',
  what: 'joins and leaves with one tracking link in 20 lanes',
  run: async (target, signal) => {
    const figures = { joins: 0, refusals: 0 };
    const lane = async (): Promise<void> => {
      while (!signal.aborted) {
        try {
          (await joinTrack(target)).close();
          figures.joins += 1;
        } catch {
          // The server refuses the join, so the attacker tries again.
          figures.refusals += 1;
        }
        await pause(AGAIN_MS);
      }
    };
    await Promise.all(Array.from({ length: LANES }, lane));
    return figures;
  },
};
