import { connect, createServer } from 'node:net';

export const LOOPBACK = '127.0.0.1';

/** How many free ports to try. */
const TRIES = 3;

/** Another program took the port before the engine did. */
export class PortTakenError extends Error {}

/** Starts an engine on a free loopback port. If another program takes the port first, another one is tried. */
export async function onFreePort<T>(start: (port: number) => Promise<T>): Promise<{ port: number; engine: T }> {
  for (let tries = 1; ; tries += 1) {
    const port = await findFreePort();
    try {
      return { port, engine: await start(port) };
    } catch (error) {
      if (!(error instanceof PortTakenError) || tries === TRIES) throw error;
    }
  }
}

function findFreePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, LOOPBACK, () => {
      const address = server.address();
      const chosen = typeof address === 'object' && address !== null ? address.port : 0;
      server.close(() => resolve(chosen));
    });
  });
}

/** Whether a process listens on this loopback port. */
export function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: LOOPBACK, timeout: 1_000 });
    const answer = (isThere: boolean): void => {
      socket.destroy();
      resolve(isThere);
    };
    socket.once('error', () => answer(false));
    socket.once('timeout', () => answer(false));
    socket.once('connect', () => answer(true));
  });
}
