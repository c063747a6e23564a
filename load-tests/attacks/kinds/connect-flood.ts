// One anonymous connection at a time sends handshakes with invented tracking tokens. Each round comes from
// another address, because the server turns an address away for a minute after many refusals.
import { randomBytes, randomInt } from 'node:crypto';
import type { FrameClient } from '../../clients/swarm.ts';
import type { Attack } from './attack.ts';
import { connect, handshake } from './connect.ts';
import { flood, MOST_MS_OPEN } from './floods.ts';
import { ADDRESSES, addressOf } from './posts.ts';

/** Packets in one burst, and the pause between two bursts: 20,000 packets a second. */
const BURST = 200;
const GAP_MS = 10;

export const connectFlood: Attack = {
  name: 'connect-flood',
  what: 'sends up to 20,000 handshakes a second with invented tracking tokens',
  mostMsOpen: MOST_MS_OPEN,
  run: (target, signal) => {
    const from = { ...target, localAddress: addressOf(target, randomInt(ADDRESSES)) };
    return flood({ open: (onText) => connect(from, onText), send, gapMs: GAP_MS, answer: '44' }, signal);
  },
};

function send(client: FrameClient): number {
  let packets = 0;
  for (; packets < BURST && client.isOpen(); packets += 1)
    client.send(handshake('/track', randomBytes(11).toString('hex')));
  return packets;
}
