// Opens connections that never authenticate as fast as it can, and keeps them open.
import { setTimeout as pause } from 'node:timers/promises';
import type { FrameClient } from '../../clients/swarm.ts';
import type { Attack } from './attack.ts';
import { connect } from './connect.ts';

/** Connections tried at once, and the pause before the next ones, ms: up to 1,000 a second. */
const AT_ONCE = 20;
const GAP_MS = 20;
/** The number of connections to keep. The attacker's machine has no more file handles. */
const MOST = 5000;

export const idleStrangers: Attack = {
  name: 'idle-strangers',
  what: 'opens up to 1,000 connections a second that never authenticate',
  run: async (target, signal) => {
    const figures = { connections: 0, 'refused connections': 0 };
    const open: FrameClient[] = [];
    const one = async (): Promise<void> => {
      try {
        open.push(await connect(target));
        figures.connections += 1;
      } catch {
        // The server accepts no more connections, so the attacker tries again.
        figures['refused connections'] += 1;
      }
    };
    while (!signal.aborted) {
      if (open.length < MOST) await Promise.all(Array.from({ length: AT_ONCE }, one));
      await pause(GAP_MS);
    }
    for (const client of open) client.close();
    return figures;
  },
};
